// Validates candidates, formats the scores, and trains the best one.
#include "cli/selection.h"

#include <fmt/format.h>

#include <utility>

#include "cli/commands.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::string share(double value) {
  return percent(value, 1);
}

report::Json score(const Validation& v) {
  return {{"accuracy", v.accuracy()}, {"spread", v.spread()}, {"standard_error", v.standard_error()}};
}

}  // namespace

Selection::Selection(const SelectionFlags& flags, const TrainOptions& options)
    : flags_(flags), method_(value_named<CalibrationMethod>(flags.calibrate)) {
  const bool validates = flags.folds || !flags.search.empty();
  if (validates) {
    check_choosable(options, flags.folds, !flags.search.empty());
    candidates_ = candidates(flags.search, {options.composition, options.until});
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
  if (const auto expected = choice_->verdict().expected_error(confidence)) result.expected_error = expected;
}

std::string Selection::text() const {
  if (!choice_) return "";
  const auto& [candidates, verdicts, winner, next, rows, by_folds, labels] = *choice_;
  const Validation& best = choice_->verdict();
  std::string text;
  if (!flags_.search.empty()) {
    Table table(std::vector<bool>(candidates[0].values.size() + 3, false));
    std::vector<std::string> head;
    for (const auto& [name, value] : candidates[0].values) head.push_back(dim(name));
    for (const char* name : {"accuracy", "spread", "standard error"}) {
      if (by_folds || std::string_view(name) != "spread") head.push_back(dim(name));
    }
    table.add(head);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      std::vector<std::string> cells;
      for (const auto& [name, value] : candidates[c].values) cells.push_back(short_number(value));
      cells.push_back(c == winner ? bold(share(verdicts[c].accuracy())) : share(verdicts[c].accuracy()));
      if (by_folds) cells.push_back(share(verdicts[c].spread()));
      cells.push_back(share(verdicts[c].standard_error()));
      table.add(cells);
    }
    text += table.text() + "\n";
    text += fmt::format("  {:<12} {}", "best", bold(candidates[winner].name()));
    if (const auto lead = choice_->ahead()) {
      text += fmt::format(", ahead of {} by {} with standard error {}{}", candidates[next].name(), share(lead->by),
                          share(lead->standard_error),
                          lead->by > 2 * lead->standard_error ? "" : ": not statistically significant");
    }
    text += "\n";
  }
  if (by_folds) {
    std::string each;
    for (const FoldScore& fold : best.fold) each += (each.empty() ? "" : ", ") + share(fold.accuracy());
    text += fmt::format("  {:<12} {}\n", fmt::format("{} folds", best.fold.size()), each);
  }
  text += fmt::format("  {:<12} {}   {}\n", "accuracy", bold(share(best.accuracy())),
                      dim(by_folds ? fmt::format("mean of the folds; spread {}, standard error {}",
                                                 share(best.spread()), share(best.standard_error()))
                                   : fmt::format("of {} held out; standard error {}", counted(best.fold[0].rows, "row"),
                                                 share(best.standard_error()))));
  if (candidates.size() > 1)
    text += fmt::format("  {:<12} {}\n", "",
                        dim("the best of several on the rows that chose it: expect slightly less on new rows"));
  return text + "\n";
}

void Selection::add_to(report::Json& result) const {
  if (!choice_) return;
  const auto& [candidates, verdicts, winner, next, rows, by_folds, labels] = *choice_;
  const Validation& best = choice_->verdict();
  if (by_folds) {
    report::Json folds = score(best);
    folds["rows"] = rows;
    folds["fold"] = report::Json::array();
    for (const FoldScore& fold : best.fold)
      folds["fold"].push_back({{"rows", fold.rows}, {"errors", fold.errors}, {"accuracy", fold.accuracy()}});
    result["folds"] = folds;
  }
  if (flags_.search.empty()) return;
  const auto parameters = [&all = candidates](std::size_t c) {
    report::Json j = report::Json::object();
    for (const auto& [name, value] : all[c].values) j[name] = value;
    return j;
  };
  report::Json search = {{"judged_by", by_folds ? "folds" : "holdout"}};
  search["candidates"] = report::Json::array();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    report::Json one = {{"parameters", parameters(c)}};
    one.update(score(verdicts[c]));
    search["candidates"].push_back(one);
  }
  search["best"] = parameters(winner);
  search["lead"] = nullptr;
  if (const auto lead = choice_->ahead())
    search["lead"] = {{"over", parameters(next)}, {"by", lead->by}, {"standard_error", lead->standard_error}};
  result["search"] = search;
}

std::vector<Row> selection_rows(SelectionFlags& flags) {
  return {
      folds_option(flags.folds),
      {"--search", "NAME=VALUES",
       "try NAME=LO..HI (7 values, logarithmic; LO..HI:N has N) or NAME=A,B,C; scored by --folds, else by --holdout; "
       "the best then trains on all rows. Several make a grid. NAME: " +
           searchable(),
       &flags.search},
      calibrate_option(flags.calibrate)};
}

}  // namespace halfspace::cli
