// What to expect of new rows, after a run or a judgement: bounds on the share that will be predicted wrong.
//
//   if (const auto expected = expected_error(result.model.ledger)) {
//     expected->bounds.lower, expected->bounds.upper    // at 95 % confidence
//   }
//
// bounds/expected_error.h has the theorems, and what each of them assumes.
//
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/base/names.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/game/ledger.h"

namespace halfspace {

// What the bounds rest upon: rows predicted before they were learned, rows that took no part, folds, or rows that chose
// between several learners.
enum class ExpectedFrom : std::uint8_t { learning, held_out, folds, validation };

// The help says what is assumed, in words of a sentence.
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
  };
};

struct ExpectedError {
  ErrorBounds bounds;
  double confidence = 0.95;
  ExpectedFrom from = ExpectedFrom::learning;
  std::uint64_t rows = 0, errors = 0;  // it rests upon
  bool runs = false;                   // labels_in_runs(): the learner on the way used that, and the model cannot
};

// Tells whether labels came in runs on the first pass: the label before would have predicted clearly more rows, by three
// standard errors, than the most frequent class.
bool labels_in_runs(const Ledger& ledger);

// Returns the bounds after the rounds of a ledger; empty before the first round, and where ledger.new_rows is not yes.
// Throws Error(usage) unless 0 < confidence < 1.
std::optional<ExpectedError> expected_error(const Ledger& ledger, double confidence = 0.95);
// Returns those of rows that took no part in learning or choosing; empty without a row.
std::optional<ExpectedError> expected_error_of_held_out(std::uint64_t rows, std::uint64_t errors,
                                                        double confidence = 0.95);
// Returns in words why a ledger has no bounds; empty where it has some.
std::string why_no_expected_error(const Ledger& ledger);

// Throws Error(usage) unless 0 < confidence < 1.
void check_confidence(double confidence);

}  // namespace halfspace
