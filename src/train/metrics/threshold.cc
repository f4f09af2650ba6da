// Places decision thresholds.
#include "halfspace/train/threshold.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <string>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

// Numbers doubles in their order, so that a bisection over the numbers visits doubles.
std::int64_t number_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double double_of(std::int64_t number) {
  return std::bit_cast<double>(number >= 0 ? number : std::numeric_limits<std::int64_t>::min() - number);
}

}  // namespace

void check_two_classes(std::size_t classes) {
  if (classes == 2) return;
  throw Error(ErrorKind::usage,
              option("threshold") + " needs two classes, and the data have " + std::to_string(classes))
      .fix(classes < 2 ? "give rows of both classes" : "leave it out: the class with the highest score is predicted");
}

double threshold_at(const Calibration& curves, double probability) {
  if (!(probability > 0 && probability < 1)) {
    throw Error(ErrorKind::usage, option("threshold") + " must be auto, or a probability between 0 and 1")
        .fix("0.5 is the usual one; below it, more rows are predicted positive");
  }
  const auto reaches = [&](double score) { return curves.probabilities({&score, 1})[1] >= probability; };
  constexpr double largest = std::numeric_limits<double>::max();
  if (!curves.fitted() || reaches(-largest) || !reaches(largest)) {
    const bool falls = curves.fitted() && reaches(-largest) && !reaches(largest);
    throw Error(ErrorKind::usage,
                !curves.fitted() ? option("threshold") + " by a probability needs a model with probabilities"
                : falls ? "the probability falls as scores rise: the model knows nothing of the validation rows"
                        : "every row, or none, has a probability of " + std::to_string(probability))
        .fix(!curves.fitted() ? "add " + option("calibrate", "platt") + " with " + option("holdout", "0.2") +
                                    ", or write " + option("threshold", "auto")
                              : "write " + option("threshold", "auto") + ", or another probability");
  }
  std::int64_t below = number_of(-largest), from = number_of(largest);
  while (from - 1 > below) {
    const std::int64_t middle = below / 2 + from / 2 + (below % 2 + from % 2) / 2;
    (reaches(double_of(middle)) ? from : below) = middle;
  }
  return double_of(from);
}

double threshold_of(std::span<const double> scores, std::span<const std::int32_t> truth, Metric metric,
                    const MetricOptions& options, std::span<const std::string> names, std::span<const double> count) {
  PredictedRows rows(2);
  for (std::size_t i = 0; i < truth.size(); ++i)
    rows.add({.truth = truth[i],
              .predicted = scores[i] >= 0,
              .weight = count.empty() ? 1 : count[i],
              .scores = scores.subspan(i, 1)});
  return best_threshold(rows, metric, options, cost_matrix(options.costs, names));
}

double errors_at(double threshold, std::span<const double> scores, std::span<const std::int32_t> truth,
                 std::span<const double> count) {
  double errors = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if ((scores[i] >= threshold) != (truth[i] == 1)) errors += count.empty() ? 1 : count[i];
  }
  return errors;
}

std::optional<ExpectedError> expected_error_of_threshold(std::uint64_t rows, std::uint64_t errors, double confidence,
                                                         double candidates) {
  check_confidence(confidence);
  if (rows < 3) return std::nullopt;
  const auto n = static_cast<double>(rows);
  const double choices = n * (n + 3) / 2 * candidates;
  const std::uint64_t others = rows - 2;
  ExpectedError expected;
  expected.bounds.lower = kept_out_error(others, errors < 2 ? 0 : errors - 2, confidence, choices).lower;
  expected.bounds.upper = kept_out_error(others, std::min(errors, others), confidence, choices).upper;
  expected.confidence = confidence;
  expected.from = ExpectedFrom::threshold;
  expected.rows = rows;
  expected.errors = errors;
  return expected;
}

}  // namespace halfspace
