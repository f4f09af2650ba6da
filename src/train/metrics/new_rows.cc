// Bounds on the error on new rows, from ledgers and evaluations.
#include "halfspace/detail/train/new_rows.h"

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/model.h"

namespace halfspace {

void check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw Error(ErrorKind::usage, option("confidence") + " must lie between 0 and 1")
      .fix("0.95 is the default: the bounds fail in at most one run of twenty");
}

bool labels_in_runs(const Ledger& ledger) {
  const double previous = ledger.previous_errors, constant = ledger.constant_errors;
  return constant - previous > 3 * std::sqrt(constant + previous);
}

std::optional<ExpectedError> expected_error(const Ledger& ledger, double confidence) {
  check_confidence(confidence);
  if (ledger.new_rows != NewRows::yes || !(ledger.first_pass_weight() > 0)) return std::nullopt;
  // Weights are 1, or 0 of what is no row.
  const auto rows = static_cast<std::uint64_t>(ledger.first_pass_weight());
  const auto errors = static_cast<std::uint64_t>(ledger.first_pass_errors());
  return ExpectedError{expected_error(rows, errors, confidence),
                       confidence,
                       ExpectedFrom::learning,
                       rows,
                       errors,
                       labels_in_runs(ledger)};
}

std::optional<ExpectedError> expected_error_of_held_out(std::uint64_t rows, std::uint64_t errors, double confidence,
                                                        double choices) {
  check_confidence(confidence);
  if (rows == 0) return std::nullopt;
  return ExpectedError{kept_out_error(rows, errors, confidence, choices), confidence, ExpectedFrom::held_out, rows,
                       errors};
}

std::string why_no_expected_error(const Ledger& ledger) {
  if (ledger.new_rows != NewRows::yes) return std::string(help_of(ledger.new_rows));
  return ledger.first_pass_weight() > 0 ? "" : "no row was predicted";
}

std::vector<MixtureMember> followed_by(const Model& model) {
  const auto learner = make_learner(model.composition, std::max(2U, model.classes()));
  learner->restore(model.learner);
  return learner->followed();
}

NewRows new_rows_by_settings(const Model& model) {
  Ledger ledger;
  const auto note = [&](bool holds, NewRows why) {
    if (holds) ledger.no_new_rows(why);
  };
  const OrderName order = model.composition.order;
  note(order == OrderName::random || model.ledger.begun_passes() > 1, NewRows::again);
  note(plays_mistakes_only(order), NewRows::chosen);
  for (const auto& [label, weight] : model.class_weights) note(weight != 0 && weight != 1, NewRows::weighted);
  note(!model.schema.exponents.empty(), NewRows::scaled);
  return ledger.new_rows;
}

}  // namespace halfspace
