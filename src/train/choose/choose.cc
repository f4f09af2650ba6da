// Compares candidates and picks the best.
#include "halfspace/train/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "train/run/second_reading.h"

namespace halfspace {
namespace {

void refuse(bool wrong, const std::string& why, const std::string& fix) {
  if (wrong) throw Error(ErrorKind::usage, why).fix(fix);
}

bool places_threshold(const TrainOptions& options) { return options.threshold && options.threshold->by_metric(); }

// Returns the standard error of an area under the ROC curve (Hanley and McNeil 1982) over the rows that validated.
double error_of_area(double area, const Validation& v) {
  double positive = 0, all = 0;
  for (std::size_t i = 0; i < v.label.size(); ++i) {
    const double count = v.count.empty() ? 1 : v.count[i];
    all += count;
    if (v.label[i] == 1) positive += count;
  }
  const double negative = all - positive, square = area * area;
  const double two_positive = area / (2 - area) - square, two_negative = 2 * square / (1 + area) - square;
  const double sum = area * (1 - area) + (positive - 1) * two_positive + (negative - 1) * two_negative;
  return std::sqrt(std::max(0.0, sum / (positive * negative)));
}

// Of candidates whose rank is at least `least`, a minimum has the largest area under the ROC curve, or a rule one that is
// larger by a standard error: by chance alone they differ by that.
void decide_by_areas(Choice& choice, const std::vector<std::size_t>& left, double least) {
  const auto take_largest = [&](bool minima, double most) {
    for (const std::size_t c : left) {
      if (minima != choice.candidates[c].candidate.objective.has_value() || choice.verdicts[c].rank() < least) continue;
      const auto area = choice.area_where_rare(c);
      if (!area || *area <= most) continue;
      choice.best = c;
      most = *area;
    }
  };
  take_largest(true, 0);
  const double area = choice.area_where_rare(choice.best).value_or(0);
  take_largest(false, area + error_of_area(area, choice.verdict()));
}

}  // namespace

std::string NamedCandidate::name() const {
  if (!label.empty()) return label;
  std::string text;
  for (const auto& [parameter, value] : values)
    text += fmt::format("{}{} {:.6g}", text.empty() ? "" : ", ", parameter, value);
  return text;
}

Candidate candidate_of(const TrainOptions& options) {
  return {.composition = options.composition, .until = options.until, .objective = options.objective};
}

std::vector<double> logarithmic_grid(double low, double high, std::size_t count) {
  refuse(!(low > 0), "a logarithmic grid begins above 0", "give a smallest value above 0");
  refuse(!(high > low), "the grid ends where it begins, or before", "give a largest value above the smallest");
  refuse(count < 2, "a grid has at least 2 values", "give both ends, or a single value as a list");
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double exact = elementary::exp((1 - share) * elementary::log(low) + share * elementary::log(high));
    values.push_back(std::strtod(fmt::format("{:.3g}", exact).c_str(), nullptr));
  }
  values.front() = low;
  values.back() = high;
  return values;
}

std::vector<NamedCandidate> spread(const std::vector<NamedCandidate>& candidates, const std::string& name,
                                   const std::vector<double>& values,
                                   const std::function<void(Candidate&, double)>& set) {
  std::vector<NamedCandidate> all;
  for (const NamedCandidate& before : candidates) {
    for (const double value : values) {
      all.push_back(before);
      all.back().values.emplace_back(name, value);
      set(all.back().candidate, value);
    }
  }
  return all;
}

std::optional<double> Choice::area_where_rare(std::size_t candidate) const {
  constexpr double rare = 0.1;
  const Validation& v = verdicts[candidate];
  if (labels.names.size() != 2 || v.scores.empty() || v.scores.size() != v.label.size()) return std::nullopt;
  PredictedRows validated(2);
  double positive = 0;
  for (std::size_t i = 0; i < v.label.size(); ++i) {
    const double count = v.count.empty() ? 1 : v.count[i];
    validated.add({.truth = v.label[i], .weight = count, .scores = {&v.scores[i], 1}});
    if (v.label[i] == 1) positive += count;
  }
  if (std::min(positive, validated.count() - positive) >= rare * validated.count()) return std::nullopt;
  const double area = value_of(Metric::auc, validated, {});
  return std::isnan(area) ? std::nullopt : std::optional(area);
}

std::optional<Lead> Choice::ahead() const {
  if (candidates.size() < 2) return std::nullopt;
  return lead(verdicts[best], verdicts[next]);
}

std::optional<ExpectedError> Choice::expected_error(double confidence, std::optional<double> threshold) const {
  check_confidence(confidence);
  const std::vector<FoldScore>& folds = verdict().fold;
  const auto candidates_tried = static_cast<double>(candidates.size());
  if (threshold) {
    const Validation& v = verdict();
    if (v.scores.empty()) return std::nullopt;
    if (!v.counts_rows()) return std::nullopt;
    const double counted =
        v.count.empty() ? static_cast<double>(v.label.size()) : std::accumulate(v.count.begin(), v.count.end(), 0.0);
    return expected_error_of_threshold(static_cast<std::uint64_t>(counted),
                                       static_cast<std::uint64_t>(errors_at(*threshold, v.scores, v.label, v.count)),
                                       confidence, candidates_tried);
  }
  if (candidates.size() == 1) return verdict().expected_error(confidence);
  if (!verdict().counts_rows()) return std::nullopt;
  std::uint64_t validated = 0, errors = 0;
  for (const FoldScore& fold : folds) {
    validated += static_cast<std::uint64_t>(fold.rows);
    errors += static_cast<std::uint64_t>(fold.errors);
  }
  std::optional<ExpectedError> expected = expected_error_of_held_out(validated, errors, confidence, candidates_tried);
  if (!expected) return std::nullopt;
  expected->from = folds.size() > 1 ? ExpectedFrom::folds : ExpectedFrom::validation;
  return expected;
}

Calibration Choice::calibrate(CalibrationMethod method) const {
  const Validation& v = verdict();
  return halfspace::calibrate(method, v.vectors, v.scores, v.label, labels.names, v.count);
}

void check_choosable(const TrainOptions& options, std::optional<unsigned> folds, bool searched) {
  const std::string which = searched ? option("search") : option("folds");
  std::vector<std::string> paths = options.read.more;
  paths.insert(paths.begin(), options.read.path);
  for (const std::string& path : paths) {
    refuse(training::gone_after_one_reading(path),
           which + " reads the data more than once, and " + (path == "-" ? "standard input" : path) +
               " can be read only once",
           "save the data to a file first");
  }
  refuse(options.resume != nullptr, which + " evaluates new runs, not a resumed one",
         "leave out " + option("resume") + " or " + which);
  refuse(options.until.seconds.has_value(), which + " with " + option("seconds") + " would depend on the clock",
         "use " + option("passes") + " or " + option("updates"));
  refuse(folds && *folds < 2, option("folds") + " takes at least 2", "5 and 10 are usual");
  refuse(!folds && options.holdout == 0, which + " needs validation rows",
         "add " + option("folds", "5") + ", or " + option("holdout", "0.2"));
}

Choice choose(const TrainOptions& options, std::vector<NamedCandidate> candidates, std::optional<unsigned> folds,
              bool keep_scores) {
  refuse(candidates.empty(), "there is nothing to choose from", "give at least one candidate");
  check_choosable(options, folds, !candidates.front().values.empty());
  keep_scores = keep_scores || places_threshold(options);
  Choice choice{.candidates = std::move(candidates), .verdicts = {}, .by_folds = folds.has_value()};
  const Folds folded(options, folds.value_or(0));
  choice.rows = folded.rows();
  choice.labels = folded.labels();
  std::vector<Candidate> plain;
  for (const NamedCandidate& one : choice.candidates) plain.push_back(one.candidate);
  choice.verdicts =
      folded.cross_validate(plain, {.keep_scores = keep_scores, .at_threshold = places_threshold(options)});
  const auto better = [&](std::size_t a, std::size_t b) {
    return choice.verdicts[a].rank() > choice.verdicts[b].rank();
  };
  for (std::size_t c = 1; c < plain.size(); ++c) {
    if (better(c, choice.best)) choice.best = c;
  }
  // Of folds every row is validated, and counts by its weight.
  if (folds && choice.verdict().counts_rows()) {
    double rows = 0;
    for (const FoldScore& fold : choice.verdict().fold) rows += fold.rows;
    choice.rows = rounded_rows(rows);
  }
  choice.next = choice.best == 0 ? plain.size() - 1 : 0;
  for (std::size_t c = 0; c < plain.size(); ++c) {
    if (c != choice.best && better(c, choice.next)) choice.next = c;
  }
  return choice;
}

Choice race(Folds& dealt, const TrainOptions& options, std::vector<NamedCandidate> candidates, unsigned folds,
            unsigned used, bool keep_scores) {
  refuse(candidates.empty(), "there is nothing to choose from", "give at least one candidate");
  refuse(used == 0 || used > folds, "a race uses at least one fold, and at most all", "give fewer");
  keep_scores = keep_scores || places_threshold(options);
  Choice choice{.candidates = std::move(candidates), .verdicts = {}, .by_folds = true};
  dealt.deal(folds);
  choice.labels = dealt.labels();
  std::vector<Candidate> plain;
  for (const NamedCandidate& one : choice.candidates) plain.push_back(one.candidate);
  const std::size_t heat = std::min(2U, used);
  const FoldsRun run{.keep_scores = keep_scores, .at_threshold = places_threshold(options)};
  choice.verdicts = dealt.cross_validate(plain, 0, heat, run);
  const auto rank = [&](std::size_t c) { return choice.verdicts[c].rank(); };
  std::vector<std::size_t> left(plain.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  if (used > heat) {
    std::stable_sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    left.resize((left.size() + 1) / 2);
    std::sort(left.begin(), left.end());
    std::vector<Candidate> finalists;
    for (const std::size_t c : left) finalists.push_back(plain[c]);
    const std::vector<Validation> more = dealt.cross_validate(finalists, heat, used, run);
    for (std::size_t k = 0; k < left.size(); ++k) {
      Validation& verdict = choice.verdicts[left[k]];
      const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
      append(verdict.fold, more[k].fold);
      append(verdict.wrong, more[k].wrong);
      append(verdict.label, more[k].label);
      append(verdict.count, more[k].count);
      append(verdict.scores, more[k].scores);
      verdict.drop_partial_scores();
    }
  }
  const std::size_t top =
      *std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  for (const FoldScore& fold : choice.verdicts[top].fold) choice.rows += rounded_rows(fold.rows);
  const double right = rank(top);
  const bool by_accuracy = options.metric == Metric::accuracy;
  const double error =
      by_accuracy ? std::sqrt(std::max(0.0, right * (1 - right)) / static_cast<double>(choice.rows)) : 0;
  choice.best = *std::find_if(left.begin(), left.end(), [&](std::size_t c) { return rank(c) >= right - 0.25 * error; });
  if (by_accuracy && choice.area_where_rare(choice.best)) decide_by_areas(choice, left, right - error);
  choice.next = choice.best;
  for (const std::size_t c : left) {
    if (c != choice.best && (choice.next == choice.best || rank(c) > rank(choice.next))) choice.next = c;
  }
  return choice;
}

void take(const Choice& choice, TrainOptions& options) {
  options.composition = choice.winner().candidate.composition;
  options.until = choice.winner().candidate.until;
  options.objective = choice.winner().candidate.objective;
  options.normalize_columns = options.normalize_columns || choice.winner().candidate.normalize_columns;
  options.standard_columns = options.standard_columns || choice.winner().candidate.standard_columns;
  if (!choice.winner().candidate.logarithms.empty())
    options.read.columns.logarithms = choice.winner().candidate.logarithms;
  options.searched = choice.candidates.size() > 1;
  if (!choice.by_folds) options.holdout = 0;
  if (!places_threshold(options)) return;
  const Validation& v = choice.verdict();
  check_two_classes(choice.labels.names.size());
  if (v.scores.empty())
    throw Error(ErrorKind::data, "no learner's weights stayed finite, so there are no scores to place a threshold on")
        .at(options.read.path)
        .fix("scale the columns by " + option("normalize", "column") + ", or give smaller weights of rows");
  options.threshold->score =
      threshold_of(v.scores, v.label, options.metric, options.metric_options, choice.labels.names, v.count);
}

}  // namespace halfspace
