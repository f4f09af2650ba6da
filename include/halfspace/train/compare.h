// Compares competitors on one data set or many: rules, presets, the default of `train`, and trained models.
//
//   CompareSettings settings;
//   settings.common.data.paths = {"credit.csv", "wdbc.csv"};      // one data set each
//   settings.rules = {"averaged", "pa1:passes=3", "default"};
//   const Comparison found = compare(settings);
//   found.best, found.significant, found.sets[0].results[1].score
//
// Every competitor learns and predicts the same rows. By default: ten stratified folds, the same for all (folds.h). With
// `holdout`: every n-th row is predicted. With a test set: they learn the data and predict the test rows. Models are
// never trained: they need a test set, or, without rules, every data set is one.
//
// Tests (comparison_tests.h), at the level 1 - confidence:
//   - two competitors on one set: with folds the corrected resampled t; if all folds differ by the same amount, where t
//     has no value, McNemar's exact test on all rows; on a test set McNemar's exact test. Holm's correction for all
//     pairs.
//   - over several sets two competitors: Wilcoxon's signed-rank test; more: Friedman's, then Nemenyi's (Demsar 2006).
// A competitor that cannot learn a set is not run on it, with the reason; tests over sets use those on which all
// competitors ran that ran anywhere.
//
// Results do not depend on the number of threads. Each set is read once (a test set once more for each model), and its
// rows are shared by all competitors. Cost: that of all trainings, spread over the processors. Memory: as Folds.
//
// Thread-safety: concurrent calls are independent. Throws Error(usage) for settings that contradict each other; else as
// Folds and evaluate() do, naming the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/bounds/expected_error.h"
#include "halfspace/detail/train/comparison_tests.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/settings.h"

namespace halfspace {

// Returns the score that competitors are compared by, higher is better: of a fold its accuracy, each row alike.
double comparison_score(const FoldScore& fold);

struct Competitor {
  std::string name;
  Candidate candidate;                           // trained on the rows of each fold
  std::shared_ptr<const Model> model = nullptr;  // if set, evaluated instead
};

// How far a comparison is.
struct CompareProgress {
  std::size_t set = 0, sets = 0;  // the current one, from 0
  double share = 0;               // of all trainings
};

struct CompareOptions {
  std::vector<TrainOptions> sets;  // how to read each; also their holdout, memory and seed
  std::vector<Competitor> competitors;
  std::optional<unsigned> folds;    // empty: the test set, or the rows that the sets hold out
  std::optional<ReadOptions> test;  // of one set
  double confidence = 0.95;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const CompareProgress&)> on_progress;  // from any thread, one call at a time
};

struct CompetitorResult {
  std::string why_not_run;  // empty if it ran; else nothing below is set
  std::vector<FoldScore> fold;
  std::vector<LearningPoint> curve;
  double score = 0;             // mean over the folds
  double lower = 0, upper = 1;  // of the score on new rows, at the confidence
  double rank = 0;              // among those that ran on this set; ties share a rank
  double seconds = 0;           // processor time of training and predicting, mean of the folds
  // Of an objective whose limit came before its gap: the widest gap of the folds. Its score says little of the minimum.
  std::optional<double> unfinished{};
};

// Two competitors: `better` has the higher score, or over sets the lower mean rank; of equals the first.
struct PairResult {
  std::size_t better = 0, worse = 0;  // positions among the competitors
  double lead = 0;                    // of the mean scores
  TestResult test;
  double adjusted_p = 1;                 // by Holm, for all pairs
  std::optional<double> nemenyi_p = {};  // over at least two sets, of more than two competitors
  // Of `better`: rows that exactly one got right, each counted by its weight, or sets; both wrong.
  double wins = 0, losses = 0, ties = 0;
  bool significant = false;
  std::string why_not_tested{};  // then `test` says nothing
};

enum class ComparisonTest : std::uint8_t { none, corrected_t, mcnemar, wilcoxon, nemenyi };

template <>
struct NamesOf<ComparisonTest> {
  static constexpr Name<ComparisonTest> table[] = {
      {ComparisonTest::none, "none", "none: one competitor"},
      {ComparisonTest::corrected_t, "corrected-t", "corrected resampled t test (Nadeau and Bengio)"},
      {ComparisonTest::mcnemar, "mcnemar", "McNemar's exact test"},
      {ComparisonTest::wilcoxon, "wilcoxon", "Wilcoxon's signed-rank test"},
      {ComparisonTest::nemenyi, "nemenyi", "Friedman's test, then Nemenyi's"},
  };
};

struct SetResult {
  std::string name, path;                 // the name of the file, if no two sets share it; else the path
  std::uint64_t rows = 0, classes = 0;    // rows that were predicted
  std::vector<CompetitorResult> results;  // one a competitor
  std::vector<PairResult> pairs;          // of those that ran
};

struct Comparison {
  std::vector<std::string> names;  // of the competitors
  std::vector<SetResult> sets;     // as many as were finished
  std::optional<unsigned> folds;
  double confidence = 0.95;
  bool interrupted = false;  // there are more sets

  std::vector<std::size_t> compared;  // competitors that ran on a set
  std::vector<std::size_t> common;    // sets on which all of these ran
  ComparisonTest test = ComparisonTest::none;
  std::vector<double> mean_scores, mean_ranks;  // over the common sets, one a competitor; 0 if not compared
  std::optional<FriedmanTest> friedman;         // of several sets and more than two competitors
  std::optional<double> critical_difference;    // of mean ranks
  std::vector<PairResult> pairs;                // over the common sets; of a single one, its own
  // The competitor with the highest score or, over sets, the lowest mean rank; none if there is no common set.
  std::optional<std::size_t> best;
  std::vector<std::size_t> beaten, not_beaten;  // the others: whether `best` is significantly better
  double seconds = 0;                           // elapsed
  double trained_seconds = 0;                   // processor time of all trainings and predictions
};

Comparison compare(const CompareOptions& options);

// Compares by name.
struct CompareSettings {
  TrainSettings common;             // for all: the data sets, passes, normalization, folds, holdout, seed, confidence
  std::vector<std::string> rules;   // "averaged", "default", "pa1:aggressiveness=0.1:passes=3"
  std::vector<std::string> models;  // files
  std::string test;                 // a file
};
// Returns the options by name: of `halfspace compare`.
std::vector<Option> options_of(CompareSettings& settings);
// A model and the name it is compared by.
struct NamedModel {
  std::string name;
  std::shared_ptr<const Model> model;
};
// Returns what the settings amount to. `models`: those of settings.models, loaded, and others. Throws Error(usage).
CompareOptions compare_options(const CompareSettings& settings, const std::vector<NamedModel>& models = {});

}  // namespace halfspace
