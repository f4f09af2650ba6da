// Candidates judged, told, and the best one learned.
#include "cli/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::string share(double value) {
  return percent(value, 1);
}

void refuse(bool wrong, const std::string& why, const std::string& fix) {
  if (wrong) throw Error(ErrorKind::usage, why).fix(fix);
}

report::Json score(const Validation& v) {
  return {{"accuracy", v.accuracy()}, {"spread", v.spread()}, {"standard_error", v.standard_error()}};
}

}  // namespace

Selection::Selection(const SelectionFlags& flags, const TrainOptions& options)
    : flags_(flags), holdout_(options.holdout) {
  if (flags.calibrate == "platt") method_ = CalibrationMethod::platt;
  if (flags.calibrate == "isotonic") method_ = CalibrationMethod::isotonic;
  const bool judges = flags.folds || !flags.search.empty();
  if (judges) {
    const std::string which = flags.search.empty() ? "--folds" : "--search";
    const std::string& path = options.read.path;
    std::error_code none;
    const auto status = std::filesystem::status(path, none);
    refuse(
        path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)),
        which + " reads the data more than once, and " + (path == "-" ? "standard input" : path) + " is gone after one",
        "save the data to a file first");
    refuse(options.resume != nullptr, which + " judges runs from the start, not a resumed one",
           "leave out --resume or " + which);
    refuse(options.until.seconds.has_value(), which + " with --seconds would depend on the clock",
           "use --passes or --updates");
    refuse(flags.folds && *flags.folds < 2, "--folds takes at least 2", "5 and 10 are usual");
    refuse(!flags.folds && holdout_ == 0, "--search needs rows to judge by that were not learned from",
           "add --folds 5, or --holdout 0.2");
    candidates_ = candidates(flags.search, {options.composition, options.until});
  }
  if (method_ != CalibrationMethod::none) {
    refuse(!flags.folds && holdout_ == 0, "--calibrate needs rows that were not learned from",
           "add --holdout 0.2, or --folds 5 for the scores that each fold gets from the others");
    refuse(!flags.folds && judges,
           "--calibrate after --search --holdout: the winner learns from all rows, and none is left to calibrate on",
           "use --folds 5 instead of --holdout");
  }
}

void Selection::run(TrainOptions& options, Progress& progress) {
  if (candidates_.empty()) {
    options.calibrate = method_;
    return;
  }
  const bool by_folds = flags_.folds.has_value();
  if (progress.due())
    progress.show(fmt::format("judging {} candidates {}", candidates_.size(),
                              by_folds ? fmt::format("by {} folds", *flags_.folds) : "by held-out rows"));
  const Folds folds(options, by_folds ? *flags_.folds : 0);
  rows_ = folds.rows();
  std::vector<Candidate> plain;
  for (const Named& one : candidates_) plain.push_back(one.candidate);
  verdicts_ = folds.cross_validate(plain, method_ != CalibrationMethod::none);
  progress.clear();
  // Of equals the first.
  const auto better = [this](std::size_t a, std::size_t b) {
    return verdicts_[a].accuracy() > verdicts_[b].accuracy();
  };
  for (std::size_t c = 1; c < verdicts_.size(); ++c) {
    if (better(c, best_)) best_ = c;
  }
  next_ = best_ == 0 ? verdicts_.size() - 1 : 0;
  for (std::size_t c = 0; c < verdicts_.size(); ++c) {
    if (c != best_ && better(c, next_)) next_ = c;
  }
  options.composition = candidates_[best_].candidate.composition;
  options.until = candidates_[best_].candidate.until;
  if (!by_folds) options.holdout = 0;
}

void Selection::calibrate(Model& model) const {
  if (method_ == CalibrationMethod::none || verdicts_.empty()) return;
  const Validation& v = verdicts_[best_];
  model.calibration = halfspace::calibrate(method_, v.vectors, v.scores, v.label, model.schema.labels.names);
}

std::string Selection::text() const {
  if (verdicts_.empty()) return "";
  const Validation& best = verdicts_[best_];
  const bool by_folds = best.fold.size() > 1;
  std::string text;
  if (!flags_.search.empty()) {
    Table table(std::vector<bool>(candidates_[0].values.size() + 3, false));
    std::vector<std::string> head;
    for (const auto& [name, value] : candidates_[0].values) head.push_back(dim(name));
    for (const char* name : {"accuracy", "spread", "standard error"}) {
      if (by_folds || std::string_view(name) != "spread") head.push_back(dim(name));
    }
    table.add(head);
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      std::vector<std::string> cells;
      for (const auto& [name, value] : candidates_[c].values) cells.push_back(short_number(value));
      cells.push_back(c == best_ ? bold(share(verdicts_[c].accuracy())) : share(verdicts_[c].accuracy()));
      if (by_folds) cells.push_back(share(verdicts_[c].spread()));
      cells.push_back(share(verdicts_[c].standard_error()));
      table.add(cells);
    }
    text += table.text() + "\n";
    text += fmt::format("  {:<12} {}", "best", bold(candidates_[best_].name()));
    if (candidates_.size() > 1) {
      const Lead ahead = lead(best, verdicts_[next_]);
      text += fmt::format(", ahead of {} by {} with standard error {}{}", candidates_[next_].name(), share(ahead.by),
                          share(ahead.standard_error),
                          ahead.by > 2 * ahead.standard_error ? "" : ": chance could have chosen so");
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
                                   : fmt::format("of {} rows held out; standard error {}", grouped(best.fold[0].rows),
                                                 share(best.standard_error()))));
  if (candidates_.size() > 1)
    text += fmt::format("  {:<12} {}\n", "",
                        dim("the best of several on the rows it was chosen by: expect a little less on others"));
  return text + "\n";
}

void Selection::add_to(report::Json& result) const {
  if (verdicts_.empty()) return;
  const Validation& best = verdicts_[best_];
  if (best.fold.size() > 1) {
    report::Json folds = score(best);
    folds["rows"] = rows_;
    folds["fold"] = report::Json::array();
    for (const FoldScore& fold : best.fold)
      folds["fold"].push_back({{"rows", fold.rows}, {"errors", fold.errors}, {"accuracy", fold.accuracy()}});
    result["folds"] = folds;
  }
  if (flags_.search.empty()) return;
  const auto parameters = [this](std::size_t c) {
    report::Json j = report::Json::object();
    for (const auto& [name, value] : candidates_[c].values) j[name] = value;
    return j;
  };
  report::Json search = {{"judged_by", best.fold.size() > 1 ? "folds" : "holdout"}};
  search["candidates"] = report::Json::array();
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    report::Json one = {{"parameters", parameters(c)}};
    one.update(score(verdicts_[c]));
    search["candidates"].push_back(one);
  }
  search["best"] = parameters(best_);
  search["lead"] = nullptr;
  if (candidates_.size() > 1) {
    const Lead ahead = lead(best, verdicts_[next_]);
    search["lead"] = {{"over", parameters(next_)}, {"by", ahead.by}, {"standard_error", ahead.standard_error}};
  }
  result["search"] = search;
}

void add_selection_flags(CLI::App* command, SelectionFlags& flags) {
  const std::string group = "How good is it, and with which parameters";
  command
      ->add_option("--folds", flags.folds,
                   "cross-validate in K stratified folds, dealt by --seed; then learn from all rows")
      ->type_name("K")
      ->group(group);
  command
      ->add_option("--search", flags.search,
                   "try NAME=LO..HI (7 values, logarithmic; LO..HI:N has N) or NAME=A,B,C; judged by --folds, else by "
                   "--holdout; the best then learns from all rows. Several make a grid. NAME: " +
                       searchable())
      ->type_name("NAME=VALUES")
      ->take_all()
      ->expected(1)
      ->group(group);
  command
      ->add_option("--calibrate", flags.calibrate,
                   "platt or isotonic: probabilities for predict, fitted on rows that --holdout or --folds kept apart")
      ->check(one_of({"platt", "isotonic"}))
      ->type_name("HOW")
      ->group(group);
}

}  // namespace halfspace::cli
