// Samples a stream, and finds the weights that do best on the sample.
#include "train/run/guard.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/train/new_rows.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::training {
namespace {

// For each sample row: 1 if it is wrong.
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

// Returns whether `few` errs on fewer of the chosen rows than `many`, by more than some standard errors of the difference.
bool fewer(const std::vector<bool>& chosen, const std::vector<bool>& few, const std::vector<bool>& many,
           double errors) {
  double only_few = 0, only_many = 0;
  for (std::size_t i = 0; i < few.size(); ++i) {
    only_few += chosen[i] && few[i] && !many[i];
    only_many += chosen[i] && many[i] && !few[i];
  }
  const double by = only_many - only_few;
  return by > 0 && by * by > errors * errors * (only_many + only_few);
}

bool clearly_fewer(const std::vector<bool>& few, const std::vector<bool>& many) {
  constexpr double errors = 3;
  return fewer(std::vector<bool>(few.size(), true), few, many, errors);
}

// Returns whether at least `few` of the chosen rows are not of their most frequent class.
bool has_classes(const Rows& rows, const std::vector<bool>& chosen, std::uint64_t few) {
  std::map<std::int32_t, std::uint64_t> of_class;
  std::uint64_t all = 0, most = 0;
  for (std::size_t b = 0, at = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i, ++at) {
      if (!chosen[at]) continue;
      ++all;
      most = std::max(most, ++of_class[block.label[i]]);
    }
  }
  return all - most >= few;
}

// SplitMix64's finalizer: gives unrelated hashes to rows that differ periodically (alternating labels, say).
std::uint64_t hash_of(std::uint64_t row) {
  row += 0x9E3779B97F4A7C15U;
  row = (row ^ (row >> 30)) * 0xBF58476D1CE4E5B9U;
  row = (row ^ (row >> 27)) * 0x94D049BB133111EBU;
  return row ^ (row >> 31);
}

// Returns the weights that always predict the most frequent class.
ClassWeightVector constant_weights(const Model& model) {
  const std::vector<double>& rows = model.ledger.class_weight;
  const auto most = static_cast<std::size_t>(std::max_element(rows.begin(), rows.end()) - rows.begin());
  ClassWeightVector constant = model.weights;
  std::fill(constant.w.begin(), constant.w.end(), 0.0);
  std::fill(constant.bias.begin(), constant.bias.end(), 0.0);
  if (constant.classes == 1) {
    constant.bias[0] = most == 1 ? 1 : -1;
  } else if (most < constant.bias.size()) {
    constant.bias[most] = 1;
  }
  return constant;
}

// Trains the model's rule on the rows in three passes in random order. Its learner has only their features, so that it
// stays small for a wide stream.
ClassWeightVector learned_from(Rows rows, const Model& model) {
  rows.seal();
  const auto learner = make_learner(model.composition, std::max<std::uint32_t>(2, model.weights.classes));
  learner->grow(rows.features());
  Generator draws;
  std::vector<std::uint32_t> order(rows.size());
  Ledger ignored;
  for (int pass = 0; pass < 3; ++pass) {
    shuffle(draws, order);
    learner->play(rows, order, {}, ignored);
  }
  learner->finish();
  ClassWeightVector weights = learner->result();
  weights.w.resize(model.weights.w.size());
  return weights;
}

}  // namespace

void Guard::see(const Block& block, std::size_t i) {
  if (block.weight != nullptr && !(block.weight[i] > 0)) return;  // no row
  if (last_ == 0) first_ = block.row[i];
  last_ = block.row[i];
  if ((hash_of(block.row[i]) & ((std::uint64_t{1} << halved_) - 1)) != 0) return;
  sample_.append(block, i);
  if (sample_.size() >= most_rows || (sample_.bytes() >= most_bytes && sample_.size() > 1)) thin();
}

void Guard::thin() {
  sample_.seal();
  sample_ = with_bit(halved_++, false);
}

Rows Guard::with_bit(int bit, bool set) const {
  Rows rest(RowsOptions{UINT64_MAX, {}});
  for (std::size_t b = 0; b < sample_.blocks(); ++b) {
    const Block block = sample_.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if ((hash_of(block.row[i]) >> bit & 1) == (set ? 1U : 0U)) rest.append(block, i);
    }
  }
  return rest;
}

std::vector<bool> Guard::at_end(const Rows& rows, std::uint64_t parts) const {
  const std::uint64_t from = last_ - (last_ - first_ + 1) / parts;
  std::vector<bool> late;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) late.push_back(block.row[i] > from);
  }
  return late;
}

bool Guard::spoils_the_end(const Rows& rows, const std::vector<bool>& own, const std::vector<bool>& wrong,
                           bool runs) const {
  constexpr std::uint64_t few = 20, eighth = 8, shortest = 64;
  for (std::uint64_t parts = eighth; parts <= shortest; parts *= 2) {
    const std::vector<bool> late = at_end(rows, parts);
    if (count(late) < few) return false;
    if (runs && !has_classes(rows, late, few)) return false;
    if (runs ? fewer(late, own, wrong, 2) : parts == eighth ? !fewer(late, wrong, own, 0) : fewer(late, own, wrong, 1))
      return true;
  }
  return false;
}

std::optional<Guard::Better> Guard::better(const Model& model, const Learner& learner) {
  constexpr std::uint64_t few = 20, enough_to_learn = 200;
  sample_.seal();
  if (sample_.size() < few || sample_.features() > model.schema.features) return std::nullopt;
  std::optional<Better> best;
  Model other;
  other.schema = model.schema;
  other.composition = model.composition;
  other.weights = model.weights;
  const std::vector<bool> own = mistakes(model, sample_);
  const bool runs = labels_in_runs(model.ledger);
  const auto offer = [&](ClassWeightVector weights, Substitute kind) {
    other.weights = std::move(weights);
    const std::vector<bool> wrong = mistakes(other, sample_);
    if (!clearly_fewer(wrong, own) || (best && best->report.errors <= count(wrong))) return;
    if (spoils_the_end(sample_, own, wrong, runs)) return;
    best = Better{std::move(other.weights), {sample_.size(), count(wrong), count(own), kind}};
  };
  for (std::size_t k = 0; k < learner.alternatives(); ++k) offer(learner.alternative(k), Substitute::average);
  if (model.composition.bias.position != Bias::none) offer(constant_weights(model), Substitute::constant);
  if (sample_.size() < enough_to_learn || !runs) return best;
  Rows validation = with_bit(63, true);
  validation.seal();
  other.weights = best ? best->weights : model.weights;
  const std::vector<bool> so_far = mistakes(other, validation);
  other.weights = learned_from(with_bit(63, false), model);
  const std::vector<bool> wrong = mistakes(other, validation);
  if (clearly_fewer(wrong, so_far) && !spoils_the_end(validation, mistakes(model, validation), wrong, runs)) {
    best = Better{std::move(other.weights),
                  {validation.size(), count(wrong), count(mistakes(model, validation)), Substitute::sample}};
  }
  return best;
}

}  // namespace halfspace::training
