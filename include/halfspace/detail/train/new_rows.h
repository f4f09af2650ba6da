// Bounds on the error on new rows, after a run or an evaluation.
//
//   if (const auto expected = expected_error(result.model.ledger)) {
//     expected->bounds.lower, expected->bounds.upper    // at 95 % confidence
//   }
//
// bounds/expected_error.h states the theorems and their assumptions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/bounds/expected_error.h"
#include "halfspace/detail/base/names.h"
#include "halfspace/game/ledger.h"

namespace halfspace {

// A weight of k counts as k rows where k is a whole number; a sum of weights does up to this many rows, which an interval
// can be computed for: its time grows with their root.
inline constexpr double most_counted_rows = 0x1p40;
// Returns whether a weight, or a sum of weights, is such a number.
inline bool counts_rows(double weight) { return weight == std::floor(weight) && weight <= most_counted_rows; }
// Returns a sum of weights as a number of rows, at most 2^53.
inline std::uint64_t rounded_rows(double sum) { return static_cast<std::uint64_t>(std::min(sum, 0x1p53)); }

// Why figures of other weights have no interval.
inline constexpr char weights_count_no_rows[] =
    "the weights of rows are not whole numbers, or more than 2^40, so how many independent rows they stand for is "
    "unknown";

// What the bounds rest on: rows predicted before training on them, rows without part in training, folds, or rows that
// chose between learners or thresholds.
enum class ExpectedFrom : std::uint8_t { learning, held_out, folds, validation, threshold };

// Help texts: the assumption, as part of a sentence.
template <>
struct NamesOf<ExpectedFrom> {
  static constexpr Name<ExpectedFrom> table[] = {
      {ExpectedFrom::learning, "learning",
       "each row was predicted before it was learned; for the weights in use on the way, if new rows are like these"},
      {ExpectedFrom::held_out, "held_out",
       "from rows that took no part in learning or choosing, if new rows are drawn as these were"},
      {ExpectedFrom::folds, "folds", "from the folds, by an approximation, if new rows are drawn as these were"},
      {ExpectedFrom::validation, "validation",
       "from the rows that chose between learners, which had not learned from them, if new rows are drawn as these "
       "were"},
      {ExpectedFrom::threshold, "threshold",
       "from the rows that placed the threshold, which had not been learned from, if new rows are drawn as these were"},
  };
};

struct ExpectedError {
  ErrorBounds bounds;
  double confidence = 0.95;
  ExpectedFrom from = ExpectedFrom::learning;
  std::uint64_t rows = 0, errors = 0;  // rows that the bounds rest on
  bool runs = false;                   // labels_in_runs(): training profits from runs, the model cannot

  // Returns the error rate that the bounds enclose.
  double error() const { return rows == 0 ? 0 : static_cast<double>(errors) / static_cast<double>(rows); }
};

// Returns whether labels came in runs on the first pass: predicting the previous label beats the most frequent class by
// more than three standard errors.
bool labels_in_runs(const Ledger& ledger);

// Returns the bounds after the rounds of a ledger; empty before the first round, and unless ledger.new_rows is yes.
// Throws Error(usage) unless 0 < confidence < 1.
std::optional<ExpectedError> expected_error(const Ledger& ledger, double confidence = 0.95);
// Returns the bounds from rows that took no part in training; empty without rows. `choices`: of so many classifiers that
// these rows chose between.
std::optional<ExpectedError> expected_error_of_held_out(std::uint64_t rows, std::uint64_t errors,
                                                        double confidence = 0.95, double choices = 1);
// Returns why a ledger has no bounds, as text; empty if it has some.
std::string why_no_expected_error(const Ledger& ledger);

// Throws Error(usage) unless 0 < confidence < 1.
void check_confidence(double confidence);

}  // namespace halfspace
