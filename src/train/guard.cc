// A sample of a stream, and who does best on it.
#include "train/guard.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace halfspace::training {
namespace {

// For each row of the sample: is it wrong?
std::vector<bool> mistakes(const Model& model, const Rows& rows) {
  std::vector<bool> wrong;
  Predictor predictor(model);
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    predictor.predict(block, classes, scores);
    for (std::size_t i = 0; i < block.rows; ++i) wrong.push_back(classes[i] != block.label[i]);
  }
  return wrong;
}

std::uint64_t count(const std::vector<bool>& wrong) {
  return static_cast<std::uint64_t>(std::count(wrong.begin(), wrong.end(), true));
}

// Tells whether `few` errs on fewer rows than `many`, by more than three standard errors of the difference.
bool clearly_fewer(const std::vector<bool>& few, const std::vector<bool>& many) {
  double only_few = 0, only_many = 0;
  for (std::size_t i = 0; i < few.size(); ++i) {
    only_few += few[i] && !many[i];
    only_many += many[i] && !few[i];
  }
  const double by = only_many - only_few;
  return by > 0 && by * by > 9 * (only_many + only_few);
}

}  // namespace

void Guard::see(const Block& block, std::size_t i) {
  if (seen_++ % stride_ != 0) return;
  sample_.append(block, i);
  if (sample_.size() >= most_rows || (sample_.bytes() >= most_bytes && sample_.size() > 1)) thin();
}

// Every second row goes.
void Guard::thin() {
  sample_.seal();
  Rows rest(RowsOptions{UINT64_MAX, {}});
  for (std::size_t b = 0; b < sample_.blocks(); ++b) {
    const Block block = sample_.block(b);
    for (std::size_t i = 0; i < block.rows; i += 2) rest.append(block, i);
  }
  sample_ = std::move(rest);
  stride_ *= 2;
}

std::optional<Guard::Better> Guard::better(const Model& model, const Learner& learner) {
  constexpr std::uint64_t few = 20;
  sample_.seal();
  if (sample_.size() < few || sample_.features() > model.schema.features) return std::nullopt;
  const std::vector<bool> own = mistakes(model, sample_);
  std::optional<Better> best;
  Model other;
  other.schema = model.schema;
  other.composition = model.composition;
  const auto offer = [&](ClassWeightVector weights, bool constant) {
    other.weights = std::move(weights);
    const std::vector<bool> wrong = mistakes(other, sample_);
    if (!clearly_fewer(wrong, own) || (best && best->errors <= count(wrong))) return;
    best = Better{std::move(other.weights), sample_.size(), count(wrong), count(own), constant};
  };
  for (std::size_t k = 0; k < learner.alternatives(); ++k) offer(learner.alternative(k), false);
  if (model.composition.bias.place == Bias::none) return best;
  const std::vector<std::uint64_t>& rows = model.ledger.class_rounds;
  const auto most = static_cast<std::size_t>(std::max_element(rows.begin(), rows.end()) - rows.begin());
  ClassWeightVector constant = model.weights;
  std::fill(constant.w.begin(), constant.w.end(), 0.0);
  std::fill(constant.bias.begin(), constant.bias.end(), 0.0);
  if (constant.classes == 1) {
    constant.bias[0] = most == 1 ? 1 : -1;
  } else if (most < constant.bias.size()) {
    constant.bias[most] = 1;
  }
  offer(std::move(constant), true);
  return best;
}

}  // namespace halfspace::training
