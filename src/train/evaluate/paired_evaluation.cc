// Compares two models on the same rows.
#include "train/evaluate/paired_evaluation.h"

#include <span>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

// Which rows a model got wrong, and a digest of the rows' numbers, in their order.
struct Outcomes {
  std::vector<bool> wrong;
  std::vector<double> count;  // how many rows each counts as
  std::uint64_t rows = 0;

  void add(const Block& block, std::span<const std::int32_t> predicted, bool weighted) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      wrong.push_back(predicted[i] != block.label[i]);
      count.push_back(weighted && block.weight != nullptr ? block.weight[i] : 1);
      rows = (rows ^ block.row[i]) * 0x9e3779b97f4a7c15U;  // FNV's scheme, with the golden ratio
    }
  }
};

}  // namespace

std::optional<std::size_t> PairedEvaluation::better() const {
  if (only_first_right == only_second_right) return std::nullopt;
  return only_first_right > only_second_right ? 0 : 1;
}

bool PairedEvaluation::significant() const { return test && better() && test->p_value < 1 - of[0].confidence; }

PairedEvaluation evaluate_pair(const Model& first, const Model& second, const EvaluateOptions& options) {
  PairedEvaluation both;
  std::array<Outcomes, 2> outcomes;
  const std::array<const Model*, 2> models{&first, &second};
  for (std::size_t m = 0; m < 2; ++m) {
    EvaluateOptions own = options;
    own.on_rows = [&, m](const Block& block, std::span<const std::int32_t> predicted) {
      outcomes[m].add(block, predicted, options.weighted);
      if (options.on_rows) options.on_rows(block, predicted);
    };
    both.of[m] = evaluate(*models[m], own);
  }
  const auto& [a, b] = outcomes;
  if (a.wrong.size() != b.wrong.size() || a.rows != b.rows) {
    throw Error(ErrorKind::data, "the models read different rows: " + std::to_string(a.wrong.size()) + " and " +
                                     std::to_string(b.wrong.size()))
        .at(options.read.path)
        .fix("correct the rows that one of them rejects, or leave them out for both");
  }
  for (std::size_t i = 0; i < a.wrong.size(); ++i) {
    double& count = a.wrong[i] ? (b.wrong[i] ? both.both_wrong : both.only_second_right)
                               : (b.wrong[i] ? both.only_first_right : both.both_right);
    count += a.count[i];
  }
  const bool learned_from = both.of[0].learned_from || both.of[1].learned_from;
  if (!learned_from && both.of[0].confusion.counts_rows())
    both.test = mcnemar_exact(static_cast<std::uint64_t>(both.only_second_right),
                              static_cast<std::uint64_t>(both.only_first_right));
  return both;
}

}  // namespace halfspace
