// Candidates by the size of the data.
#include "halfspace/train/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/coin.h"
#include "halfspace/detail/rules/hedge_mixture.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/detail/rules/scw.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/detail/train/new_rows.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "train/run/objective.h"
#include "train/run/second_reading.h"
#include "train/run/split.h"

namespace halfspace {
namespace {

ReadOptions quietly(const TrainOptions& options) {
  ReadOptions read = options.read;
  read.rejects.clear();
  read.on_reject = nullptr;
  read.on_note = nullptr;
  read.progress = nullptr;
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  return read;
}

// Returns the size of the files, compressed or not; 0 for rows in memory.
std::uint64_t bytes_of(const ReadOptions& read) {
  std::vector<std::string> paths = read.more;
  paths.push_back(read.path);
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code unknown;
    const std::uint64_t size = std::filesystem::file_size(path, unknown);
    if (!unknown) bytes += size;
  }
  return bytes;
}

struct Part {
  RuleName rule;
  KeepName keep;
  std::uint64_t passes;
  bool normalize;
  double cost;  // nanoseconds a value and pass, about, for rows of 30 values
  std::vector<std::pair<const Parameter*, double>> parameters{};
};

Composition composition_of(const Part& part, const Composition& asked) {
  const Preset preset = default_preset(part.rule);
  Composition c = asked;
  c.parameters.clear();
  c.rule = part.rule;
  c.order = OrderName::shuffled;
  c.keep = part.keep;
  c.tie = preset.tie;
  for (const auto& [parameter, value] : part.parameters) c.set(*parameter, value);
  return c;
}

NamedCandidate candidate_of(const Part& part, const TrainOptions& options) {
  NamedCandidate named;
  Candidate& candidate = named.candidate;
  candidate.composition = composition_of(part, options.composition);
  candidate.until.passes = options.until.passes.value_or(part.passes);
  // Rows that are normalised or rounded are not scaled by columns as well, unless requested.
  const bool may = !options.read.row_normalised && !options.read.single;
  candidate.normalize_columns = (part.normalize && may) || options.normalize_columns;
  named.label = std::string(name_of(part.rule));
  if (part.keep == KeepName::average) named.label += " averaged";
  for (const auto& [parameter, value] : part.parameters) {
    if (parameter != &parameter::validation_share) named.label += fmt::format(" {} {}", parameter->name, value);
  }
  named.label += *candidate.until.passes == 1 ? ", 1 pass" : fmt::format(", {} passes", *candidate.until.passes);
  if (candidate.normalize_columns) named.label += ", columns scaled";
  return named;
}

// Compositions of different character, the most often successful first: ties go to the first.
std::vector<Part> parts_for_a_small_table(const TableSize& size) {
  constexpr std::uint32_t few = 200;  // features, for rules with a number per pair of features
  const auto average = KeepName::average, last = KeepName::last;
  const bool several = size.classes > 2;
  // With many classes a row updates few of the vectors: passes are cheaper, and more of them help.
  const std::uint64_t passes = several ? 50 : 10;
  const double cheap = several ? 1 : 4;
  std::vector<Part> parts{{rule::tournament,
                           last,
                           several ? 30U : 10U,
                           false,
                           several ? 10.0 : 25.0,
                           {{&parameter::validation_share, 0.1}}},
                          {rule::pa1, average, passes, true, cheap, {{&parameter::aggressiveness, 0.1}}},
                          {rule::nag, average, 50, false, several ? 20.0 : 8.0},
                          {rule::scw1, last, 10, true, 6},
                          {rule::perceptron, average, passes, true, cheap},
                          {rule::pa1, average, passes, true, cheap, {{&parameter::aggressiveness, 0.01}}}};
  if (size.features <= few) {
    const double features = size.features, rows = static_cast<double>(size.rows);
    const double pairs = 2 + features * features * rows / static_cast<double>(std::max<std::uint64_t>(1, size.values));
    parts.push_back({rule::arow, last, 10, true, pairs});
    parts.push_back({rule::arow, last, 1, true, pairs});
    // With so weak a prior, columns far from 0 are as easy as others.
    parts.push_back({rule::arow, last, 10, true, pairs, {{&parameter::regularization, 1e-5}}});
  } else {
    parts.push_back({rule::coin, average, 10, true, 10});
    parts.push_back({rule::arow_diagonal, last, 3, true, 6});
  }
  return parts;
}

// Budget of all candidates: 0.05 seconds, plus five microseconds for each value beyond 20,000, up to 0.9 seconds; with
// K > 2 classes K / 2 times that, at most 16 times and 3.6 seconds. Each candidate may use an equal share plus what
// cheaper ones leave; those that need more get fewer passes. `share`: of this budget.
void shorten(std::vector<Part>& parts, const TableSize& size, double share) {
  constexpr double trainings = 3;  // mean trainings per candidate, with folds and races
  const double values = static_cast<double>(size.values);
  const double worked = 0.5 * values + 15 * static_cast<double>(size.rows);  // a row costs as much as 30 of its values
  const double pass = trainings * worked * (size.classes > 2 ? static_cast<double>(size.classes) : 1);
  const double times = std::clamp(static_cast<double>(size.classes) / 2, 1.0, 16.0);
  const double one = std::min(5e7 + 5e3 * std::max(0.0, values - 20'000), 9e8);
  double left = share * std::min(times * one, 3.6e9);
  std::vector<Part*> cheapest_first;
  for (Part& part : parts) cheapest_first.push_back(&part);
  const auto needs = [](const Part* part) { return part->cost * static_cast<double>(part->passes); };
  std::stable_sort(cheapest_first.begin(), cheapest_first.end(),
                   [&](const Part* a, const Part* b) { return needs(a) < needs(b); });
  for (std::size_t k = 0; k < cheapest_first.size(); ++k) {
    Part& part = *cheapest_first[k];
    const double most = left / static_cast<double>(cheapest_first.size() - k) / (pass * part.cost);
    if (most < static_cast<double>(part.passes))
      part.passes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most));
    left = std::max(0.0, left - needs(&part) * pass);
  }
}

constexpr std::uint64_t most_work = 20'000'000;  // of a minimum: values times vectors
std::uint64_t vectors_of(const TableSize& size) { return size.classes > 2 ? size.classes : 1; }

// Returns ", log columns of income, capital_gain".
std::string words_of(const std::vector<LogarithmOf>& logarithms) {
  constexpr std::size_t most = 3;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, logarithms.size()); ++i)
    words += (i == 0 ? ", log columns of " : ", ") + logarithms[i].column;
  if (logarithms.size() > most) words += fmt::format(" and {} more", logarithms.size() - most);
  return words;
}

// Adds the minima with logarithms of skewed columns, after those without. Those that would take longer than all others
// are left out.
void add_logarithms(const Folds& rows, const TableSize& size, std::vector<NamedCandidate>& minima) {
  if (minima.empty() || !minima.front().candidate.objective->standard) return;
  const std::vector<LogarithmOf> logarithms = rows.logarithms();
  if (logarithms.empty() || logarithms.size() * size.rows + size.values > most_work / vectors_of(size)) return;
  for (std::size_t c = 0, count = minima.size(); c < count; ++c) {
    NamedCandidate with = minima[c];
    with.candidate.logarithms = logarithms;
    with.label += words_of(logarithms);
    minima.push_back(std::move(with));
  }
}

// Minima of the logistic losses at four prices of an error, that which is best most often first. Those that would take
// longer than all others are left out, and so are all of them where rounds are asked for.
std::vector<NamedCandidate> minima_of(const Folds& rows, const TableSize& size, const TrainOptions& options) {
  const bool rounds = options.until.passes || options.least_loss || options.observer || options.checkpoint.rounds ||
                      options.checkpoint.seconds;
  if (rounds || size.values > most_work / vectors_of(size)) return {};
  std::vector<NamedCandidate> all;
  for (const double cost : {1.0, 0.1, 10.0, 100.0}) {
    NamedCandidate named;
    named.candidate.composition = options.composition;
    Composition& c = named.candidate.composition;
    c.parameters.clear();
    c.rule = rule::perceptron;
    c.order = OrderName::shuffled;
    c.keep = KeepName::last;
    c.tie = Tie::positive;
    named.candidate.objective =
        Objective{.loss = MarginLoss::logistic,
                  .cost = cost,
                  .penalize_bias = false,
                  .standard = !options.read.row_normalised && !options.read.single && !options.normalize_columns,
                  .jointly = true,
                  .gap = 1e-4};
    named.label = fmt::format("{}logistic regression, C {}", size.classes > 2 ? "multinomial " : "", cost);
    if (named.candidate.objective->standard) named.label += ", columns standardised";
    all.push_back(std::move(named));
  }
  add_logarithms(rows, size, all);
  return all;
}

// Beside minima, one of each character is enough.
std::vector<Part> parts_beside_minima(const std::vector<Part>& all) {
  std::vector<Part> few;
  for (const Part& part : all) {
    const bool known = std::any_of(few.begin(), few.end(), [&](const Part& other) { return other.rule == part.rule; });
    if (part.rule != rule::perceptron && !known) few.push_back(part);
  }
  return few;
}

// A single pass needs no validation rows.
std::vector<Part> parts_for_a_larger_table(std::uint64_t given_passes) {
  std::vector<Part> parts{{rule::tournament, KeepName::last, 3, false, 25, {{&parameter::validation_share, 0.1}}},
                          {rule::pa1, KeepName::average, 3, true, 4}};
  if (given_passes <= 1) parts.insert(parts.begin(), {rule::tournament, KeepName::last, 1, false, 25});
  return parts;
}

std::vector<NamedCandidate> candidates_for(const Folds& rows, const TableSize& size, const TrainOptions& options) {
  const bool small = size.values <= small_table;
  const std::uint64_t given = options.until.passes.value_or(0);
  std::vector<NamedCandidate> candidates = small ? minima_of(rows, size, options) : std::vector<NamedCandidate>();
  std::vector<Part> parts = small ? parts_for_a_small_table(size) : parts_for_a_larger_table(given);
  if (!candidates.empty()) parts = parts_beside_minima(parts);
  for (Part& part : parts) part.passes = given > 0 ? given : part.passes;
  if (small) shorten(parts, size, candidates.empty() ? 1 : 0.5);
  // Given passes are kept: candidates too slow for them are dropped, except the first.
  if (given > 0) {
    const auto slow = [&](const Part& part) { return part.passes < given; };
    parts.erase(std::remove_if(parts.begin() + 1, parts.end(), slow), parts.end());
  }
  for (const Part& part : parts) candidates.push_back(candidate_of(part, options));
  return candidates;
}

// Returns what was chosen and why, in one line. `rows`: those that validated.
std::string words_of(const Choice& choice, const TrainOptions& options, const std::string& rows) {
  const double wrong = 100 * (1 - choice.verdict().accuracy());
  const bool by_accuracy = options.metric == Metric::accuracy;
  std::string score = by_accuracy ? "" : fmt::format(", {} {:.4f}", name_of(options.metric), choice.verdict().value());
  if (const auto area = choice.area_where_rare(choice.best); area && by_accuracy && choice.candidates.size() > 1)
    score = fmt::format(", the largest AUC ({:.4f}) of those hardly less accurate, as a class is rare", *area);
  return choice.candidates.size() == 1
             ? fmt::format("{}: {:.2f} % wrong{} on {}", choice.winner().name(), wrong, score, rows)
             : fmt::format("{}: best of {} by {}, {:.2f} % wrong{}", choice.winner().name(), choice.candidates.size(),
                           rows, wrong, score);
}

// Returns the mean log loss of these curves on the rows that validated.
double log_loss_of(const Calibration& curves, const Validation& v) {
  std::vector<double> probabilities(std::max<std::size_t>(2, v.vectors));
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < v.label.size(); ++i) {
    const double count = v.count.empty() ? 1 : v.count[i];
    curves.probabilities(std::span(v.scores).subspan(i * v.vectors, v.vectors), probabilities);
    const double p = probabilities[static_cast<std::size_t>(v.label[i])];
    if (!(p > 0)) return std::numeric_limits<double>::infinity();
    sum -= count * elementary::log(p);
    all += count;
  }
  return sum / all;
}

// Fits curves on the rows that validated. A minimum has its own, which are kept unless these are clearly better: where the
// classes are nearly separable and losses weigh much, its scores are too large.
void calibrate(const Choice& choice, TrainOptions& options) {
  constexpr double clearly = 0.98;
  try {
    const std::uint32_t vectors = choice.verdict().vectors;
    Calibration fitted = choice.calibrate(CalibrationMethod::platt);
    if (vectors > 1) {
      Calibration tempered = choice.calibrate(CalibrationMethod::temperature);
      if (log_loss_of(tempered, choice.verdict()) < clearly * log_loss_of(fitted, choice.verdict()))
        fitted = std::move(tempered);
    }
    if (options.objective) {
      Calibration own;
      training::take_scores_as_odds(*options.objective, vectors, own);
      if (!(log_loss_of(fitted, choice.verdict()) < clearly * log_loss_of(own, choice.verdict()))) return;
    }
    options.calibration = std::move(fitted);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;  // else a class has no row among those that validated
  }
}

const Part tournament_once{rule::tournament, KeepName::last, 1, false, 25, {}};

// Returns whether the rows change with time: the tournament, which takes them in their order, errs on clearly fewer of
// the last eighth or 32nd, each before it learns it, than the best candidate did as validated by folds, which know no
// order.
bool changes_with_time(const TrainOptions& options, const Choice& choice) {
  const Validation& v = choice.verdict();
  if (std::any_of(v.count.begin(), v.count.end(), [](double count) { return count != 1; })) return false;
  const Composition composition = fit_to_labels(composition_of(tournament_once, options.composition), choice.labels);
  const auto learner = make_learner(composition, static_cast<std::uint32_t>(choice.labels.names.size()));
  struct End {
    std::size_t begin;
    double errors;      // standard errors that are clear
    double before = 0;  // errors of the tournament
  };
  const std::size_t all = v.wrong.size();
  std::array<End, 2> ends{End{all - all / 8, 2}, End{all - all / 32, 3}};
  Ledger ledger;
  std::size_t rows = 0;
  Reader(quietly(options)).read([&](const Block& block) {
    Block part = block;
    for (std::size_t from = 0; from < block.rows;) {
      std::size_t to = block.rows;
      for (End& end : ends) {
        if (rows + from == end.begin) end.before = ledger.errors();
        if (rows + from < end.begin) to = std::min(to, end.begin - rows);
      }
      part.rows = to;
      learner->play(part, from, {}, ledger);
      from = to;
    }
    rows += block.rows;
    return true;
  });
  if (rows != all || labels_in_runs(ledger)) return false;
  return std::any_of(ends.begin(), ends.end(), [&](const End& end) {
    const auto begin = v.wrong.begin() + static_cast<std::ptrdiff_t>(end.begin);
    const auto by_folds = static_cast<double>(std::count(begin, v.wrong.end(), 1));
    const double in_order = ledger.errors() - end.before;
    return by_folds - in_order > end.errors * std::sqrt(by_folds + in_order);
  });
}

TrainPlan one_pass(TrainOptions options, const std::string& why) {
  options.composition = composition_of(tournament_once, options.composition);
  options.composition.order = OrderName::stream;
  options.shuffle_sorted = true;
  if (!options.until.passes) options.until.passes = 1;
  if (options.normalize_columns) options.composition.order = OrderName::cyclic;  // scales are known after the last row
  if (options.until.passes.value_or(1) > 1) options.composition = for_several_passes(options.composition);
  const std::uint64_t passes = *options.until.passes;
  const std::string words = passes == 1 ? "tournament, one pass: " : fmt::format("tournament, {} passes: ", passes);
  return {std::move(options), std::nullopt, words + why};
}

TrainPlan planned(TrainOptions options, Choice choice, bool calibrates) {
  take(choice, options);
  if (options.objective) options.objective->gap = Objective().gap;  // as of one that is asked for
  if (calibrates && !choice.verdict().scores.empty()) calibrate(choice, options);
  options.shuffle_sorted = false;
  const std::size_t folds = choice.verdict().fold.size();
  std::string words = words_of(choice, options, folds > 1 ? fmt::format("{} folds", folds) : "every tenth row");
  return {std::move(options), std::move(choice), std::move(words)};
}

}  // namespace

TrainPlan plan_training(TrainOptions options, std::optional<unsigned> asked_folds) {
  const auto or_interrupted = [interrupt = options.interrupt, path = options.read.path](const auto& work) {
    try {
      return work();
    } catch (const Error&) {
      if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw Interrupted(path);
      throw;
    }
  };
  if (options.resume != nullptr) return {std::move(options), std::nullopt, ""};
  if (asked_folds) check_choosable(options, asked_folds, false);
  if (!training::can_be_read_again(options.read)) return one_pass(std::move(options), "a pipe can be read only once");
  if (options.watch) return one_pass(std::move(options), "the rows are watched in their order");
  TrainOptions validation = options;
  validation.read = quietly(options);
  const bool once = options.until.passes == 1;
  const std::uint64_t most = asked_folds ? UINT64_MAX : once ? small_table : large_table;
  const std::string too_many = options.until.passes
                                   ? "of so many values it is compared with no other"
                                   : "more passes, such as " + option("passes", "5") + ", may win more";
  // A value takes more than 25 bytes there, or there are too many.
  if (!asked_folds && bytes_of(options.read) / 25 > most) return one_pass(std::move(options), too_many);
  Folds rows = or_interrupted([&] { return Folds::undealt(validation, most); });
  if (asked_folds) rows.check_fills(*asked_folds);
  const TableSize size = rows.size();
  if (!size.whole) return one_pass(std::move(options), too_many);
  constexpr std::uint64_t few = 10, most_scores = 2'000'000;
  if (size.rows < few && !asked_folds) return one_pass(std::move(options), "too few rows to validate on");
  if (size.classes < 2 && !asked_folds) return one_pass(std::move(options), "there is one class");
  const bool small = size.values <= small_table;
  const std::vector<NamedCandidate> candidates = candidates_for(rows, size, options);
  const bool by_folds = asked_folds || (small && candidates.size() > 1);
  const unsigned folds = asked_folds.value_or(by_folds ? 5 : 10);
  const unsigned used = by_folds ? folds : 1;
  const std::uint64_t scores = size.rows * candidates.size() * (size.classes > 2 ? size.classes : 1);
  const bool calibrates = !options.calibrate && !options.calibration && scores <= most_scores;
  Choice choice = or_interrupted([&] { return race(rows, validation, candidates, folds, used, calibrates); });
  if (once && by_folds && !asked_folds && changes_with_time(validation, choice)) {
    return one_pass(std::move(options),
                    "the rows change with their order, and of the last of them it errs on fewer, each "
                    "before learning it, than the best of " +
                        std::to_string(candidates.size()) + " by folds");
  }
  return planned(std::move(options), std::move(choice), calibrates);
}

bool contradicts(const TrainResult& result, const Choice& choice) {
  if (!result.training_errors) return false;
  double rows = 0, errors = 0;
  for (const FoldScore& fold : choice.verdict().fold) {
    rows += fold.rows;
    errors += fold.errors;
  }
  const double expected = result.training_rows * errors / rows;
  return *result.training_errors - expected > 5 * std::sqrt(*result.training_errors + expected);
}

std::optional<TrainPlan> next_plan(TrainOptions asked, Choice choice, const std::string& why) {
  std::size_t folds = 0;
  for (const Validation& v : choice.verdicts) folds = std::max(folds, v.fold.size());
  choice.verdicts[choice.best] = Validation();
  choice.verdicts[choice.best].why_not_run = why;
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < choice.verdicts.size(); ++c) {
    if (choice.verdicts[c].why_not_run.empty() && choice.verdicts[c].fold.size() == folds) left.push_back(c);
  }
  if (left.empty()) return std::nullopt;
  const auto rank = [&](std::size_t c) { return choice.verdicts[c].rank(); };
  std::stable_sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  choice.best = left[0];
  choice.next = left.size() > 1 ? left[1] : left[0];
  return planned(std::move(asked), std::move(choice), true);
}

}  // namespace halfspace
