// Validates candidates, formats the scores, and trains the best one.
#include "cli/selection.h"

#include <fmt/format.h>

#include <utility>

#include "cli/commands.h"
#include "halfspace/base/error.h"
#include "report/choice_text.h"

namespace halfspace::cli {
Selection::Selection(const SelectionFlags& flags, const TrainOptions& options)
    : flags_(flags), method_(value_named<CalibrationMethod>(flags.calibrate)) {
  const bool validates = flags.folds || !flags.search.empty();
  if (validates) {
    check_choosable(options, flags.folds, !flags.search.empty());
    candidates_ = candidates(flags.search, candidate_of(options));
  }
}

void Selection::run(TrainOptions& options, Progress& progress) {
  if (candidates_.empty()) return;
  const bool by_folds = flags_.folds.has_value();
  if (progress.due())
    progress.show(fmt::format("validating {} {}", counted(candidates_.size(), "candidate"),
                              by_folds ? fmt::format("by {} folds", *flags_.folds) : "by held-out rows"));
  const bool calibrates = method_.value_or(CalibrationMethod::none) != CalibrationMethod::none;
  choice_ = choose(options, std::move(candidates_), flags_.folds, calibrates);
  progress.clear();
  take(*choice_, options);
  if (calibrates) options.calibration = choice_->calibrate(*method_);
}

void Selection::set_expected_error(TrainResult& result, double confidence) const {
  if (!choice_ || !choice_->by_folds || choice_->candidates.size() > 1) return;
  if (const auto expected = choice_->expected_error(confidence, result.model.threshold))
    result.expected_error = expected;
}

std::string Selection::text() const {
  return choice_ ? report::choice_text(*choice_, !flags_.search.empty(), style_of()) : "";
}

void Selection::add_to(report::Json& result) const {
  if (choice_) report::add_choice(result, *choice_, !flags_.search.empty());
}

std::vector<Row> selection_rows(SelectionFlags& flags) {
  std::vector<Row> rows{
      folds_option(flags.folds),
      {"--search", "NAME=VALUES",
       "try NAME=LO..HI (7 values, logarithmic; LO..HI:N has N) or NAME=A,B,C; scored by --folds, else by --holdout; "
       "the best then trains on all rows. Several make a grid. NAME: " +
           searchable(),
       &flags.search},
      calibrate_option(flags.calibrate),
      threshold_option(flags.threshold)};
  for (Row& row : ranking_options(flags.metric, flags.metrics)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace halfspace::cli
