// Runs the competitors set by set, then tests their differences.
#include "halfspace/train/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "halfspace/train/evaluate.h"
#include "train/choose/fold_score.h"

namespace halfspace {

double comparison_score(const FoldScore& fold) { return fold.accuracy(); }

namespace {

void reject_if(bool wrong, const std::string& why, const std::string& fix) {
  if (wrong) throw Error(ErrorKind::usage, why).fix(fix);
}

bool set_and_true(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Returns bounds on the score on new rows: where comparison_score() is the accuracy, those of the error.
void set_interval(const Validation& v, double confidence, CompetitorResult& result) {
  const auto expected = v.expected_error(confidence);
  if (!expected) return;
  result.lower = 1 - expected->bounds.upper;
  result.upper = 1 - expected->bounds.lower;
}

// Scores a trained model on the rows of a test set.
Validation evaluate_on(const Model& model, const ReadOptions& data, const std::atomic<bool>* interrupt) {
  Validation v;
  FoldScore score;
  const double began = thread_seconds();
  ReadOptions read = read_for(model, data, true);
  if (read.interrupt == nullptr) read.interrupt = interrupt;
  Reader reader(read);
  Predictor predictor(model);
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  reader.read([&](const Block& block) {
    predictor.score_all(block, classes, scores);
    training::add_to_score(block, classes, {}, score, v.wrong, v.count);
    return !set_and_true(interrupt);
  });
  if (set_and_true(interrupt)) throw Error(ErrorKind::input_output, "interrupted");
  const std::vector<std::string>& learned = model.provenance.fingerprints;
  const std::string& digest = reader.report().fingerprint;
  if (!digest.empty() && std::find(learned.begin(), learned.end(), digest) != learned.end()) {
    v.why_not_run = "the model was trained on these rows: its score would be too good";
    return v;
  }
  score.seconds = thread_seconds() - began;
  v.fold = {score};
  return v;
}

// The share of all work that is done, by the sizes of the files.
class Share {
 public:
  explicit Share(const CompareOptions& options) : options_(options) {
    for (const TrainOptions& set : options.sets) {
      std::error_code unknown;
      const auto bytes = std::filesystem::file_size(set.read.path, unknown);
      sizes_.push_back(unknown || set.read.rows != nullptr ? 1 : 1 + static_cast<double>(bytes));
      all_ += sizes_.back();
    }
  }
  void begin(std::size_t set, std::size_t tasks) {
    set_ = set;
    tasks_ = tasks;
    done_ = 0;
    report();
  }
  void finish_one() {
    ++done_;
    report();
  }
  void end() { before_ += sizes_[set_]; }

 private:
  void report() const {
    if (!options_.on_progress) return;
    const double part = static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(1, tasks_));
    options_.on_progress({set_, sizes_.size(), (before_ + part * sizes_[set_]) / all_});
  }

  const CompareOptions& options_;
  std::vector<double> sizes_;
  double all_ = 0, before_ = 0;
  std::size_t set_ = 0, tasks_ = 0, done_ = 0;
};

// Returns why a test of this pair would mislead; empty: it does not.
std::string why_not_tested(const CompareOptions& options, const SetResult& set, std::size_t first, std::size_t second,
                           bool counts_rows) {
  for (const std::size_t c : {first, second}) {
    if (set.results[c].unfinished)
      return "the passes ended before the minimum of '" + options.competitors[c].name + "'";
  }
  if (!options.folds && !counts_rows) return "the weights of rows are not whole numbers, and count no rows";
  return "";
}

void adjust(std::vector<PairResult>& pairs) {
  std::vector<double> p_values;
  for (const PairResult& pair : pairs) p_values.push_back(pair.test.p_value);
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].adjusted_p = adjusted[i];
}

PairResult pair_over_sets(const Comparison& found, std::size_t first, std::size_t second) {
  std::vector<double> differences, distances;
  for (const std::size_t s : found.common) {
    const double d = found.sets[s].results[first].score - found.sets[s].results[second].score;
    differences.push_back(std::abs(d) <= 1e-12 ? 0 : d);
    distances.push_back(-std::abs(differences.back()));
  }
  // The sum of signed ranks: of two competitors it decides which is better, as Wilcoxon's test does.
  const std::vector<double> ranks = average_ranks(distances);
  double by_ranks = 0;
  PairResult pair;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    by_ranks += differences[i] > 0 ? ranks[i] : differences[i] < 0 ? -ranks[i] : 0;
    pair.wins += differences[i] > 0;
    pair.losses += differences[i] < 0;
    pair.ties += differences[i] == 0;
  }
  const double lead = found.mean_scores[first] - found.mean_scores[second];
  const double by = found.friedman ? found.mean_ranks[second] - found.mean_ranks[first] : by_ranks;
  const bool in_order = std::abs(by) > 1e-12 ? by > 0 : lead >= 0;
  pair.better = in_order ? first : second;
  pair.worse = in_order ? second : first;
  pair.lead = in_order ? lead : -lead;
  if (!in_order) std::swap(pair.wins, pair.losses);
  pair.test = wilcoxon_signed_rank(differences);
  if (found.friedman)
    pair.nemenyi_p = nemenyi_p_value(by, static_cast<unsigned>(found.compared.size()), found.common.size());
  return pair;
}

// The pairs order the competitors: none is better than the best.
void choose_best(Comparison& found) {
  const auto wins = [&](std::size_t c) {
    return std::count_if(found.pairs.begin(), found.pairs.end(), [&](const auto& pair) { return pair.better == c; });
  };
  found.best = *std::max_element(found.compared.begin(), found.compared.end(),
                                 [&](std::size_t a, std::size_t b) { return wins(a) < wins(b); });
  for (const std::size_t c : found.compared) {
    if (c == *found.best) continue;
    const auto pair = std::find_if(found.pairs.begin(), found.pairs.end(),
                                   [&](const PairResult& one) { return one.better == *found.best && one.worse == c; });
    (pair != found.pairs.end() && pair->significant ? found.beaten : found.not_beaten).push_back(c);
  }
}

void test_over_sets(const CompareOptions& options, Comparison& found) {
  const double level = 1 - options.confidence;
  const std::vector<std::size_t>& compared = found.compared;
  const auto k = static_cast<unsigned>(compared.size());
  if (k > 2) {
    std::vector<std::vector<double>> scores;
    for (const std::size_t s : found.common) {
      scores.emplace_back();
      for (const std::size_t c : compared) scores.back().push_back(found.sets[s].results[c].score);
    }
    found.friedman = friedman(scores);
    found.critical_difference = nemenyi_critical_difference(k, found.common.size(), options.confidence);
  }
  found.test = k > 2 ? ComparisonTest::nemenyi : ComparisonTest::wilcoxon;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) found.pairs.push_back(pair_over_sets(found, compared[i], compared[j]));
  }
  adjust(found.pairs);
  for (PairResult& pair : found.pairs) {
    pair.significant =
        found.friedman ? found.friedman->p_value < level && *pair.nemenyi_p < level : pair.adjusted_p < level;
    for (const std::size_t s : found.common) {
      if (pair.why_not_tested.empty())
        pair.why_not_tested = why_not_tested(options, found.sets[s], pair.better, pair.worse, true);
    }
    pair.significant = pair.significant && pair.why_not_tested.empty();
  }
}

// Tests over the sets on which all ran that ran anywhere.
void compare_over_sets(const CompareOptions& options, Comparison& found) {
  const auto ran = [&](std::size_t c, std::size_t s) { return found.sets[s].results[c].why_not_run.empty(); };
  for (std::size_t c = 0; c < found.names.size(); ++c) {
    for (std::size_t s = 0; s < found.sets.size(); ++s) {
      if (!ran(c, s)) continue;
      found.compared.push_back(c);
      break;
    }
  }
  for (std::size_t s = 0; s < found.sets.size(); ++s) {
    if (std::all_of(found.compared.begin(), found.compared.end(), [&](std::size_t c) { return ran(c, s); }))
      found.common.push_back(s);
  }
  found.mean_scores.assign(found.names.size(), 0);
  found.mean_ranks.assign(found.names.size(), 0);
  if (found.compared.empty() || found.common.empty()) return;
  for (const std::size_t c : found.compared) {
    std::vector<double> scores, ranks;
    for (const std::size_t s : found.common) {
      scores.push_back(found.sets[s].results[c].score);
      ranks.push_back(found.sets[s].results[c].rank);
    }
    found.mean_scores[c] = mean_of(scores);
    found.mean_ranks[c] = mean_of(ranks);
  }
  if (found.common.size() == 1) {
    found.pairs = found.sets[found.common[0]].pairs;
    if (found.compared.size() > 1) found.test = options.folds ? ComparisonTest::corrected_t : ComparisonTest::mcnemar;
  } else if (found.compared.size() > 1) {
    test_over_sets(options, found);
  }
  choose_best(found);
}

class Comparing {
 public:
  explicit Comparing(const CompareOptions& options) : options_(options), share_(options) {
    for (std::size_t c = 0; c < options.competitors.size(); ++c)
      (options.competitors[c].model ? models_ : learners_).push_back(c);
    check();
  }

  Comparison run() {
    const auto began = Clock::now();
    Comparison found;
    for (const Competitor& one : options_.competitors) found.names.push_back(one.name);
    found.folds = options_.folds;
    found.confidence = options_.confidence;
    for (std::size_t s = 0; s < options_.sets.size() && !found.interrupted; ++s) {
      try {
        found.sets.push_back(on_set(s));
      } catch (const Error&) {
        if (!set_and_true(options_.interrupt)) throw;
        if (found.sets.empty()) throw Error(ErrorKind::input_output, "interrupted: nothing was compared");
        found.interrupted = true;
      }
    }
    compare_over_sets(options_, found);
    for (const SetResult& set : found.sets) {
      for (const CompetitorResult& result : set.results) {
        for (const FoldScore& fold : result.fold) found.trained_seconds += fold.seconds;
      }
    }
    found.seconds = seconds_since(began);
    return found;
  }

 private:
  bool by_folds() const { return options_.folds.has_value(); }
  double level() const { return 1 - options_.confidence; }

  void check() const {
    check_confidence(options_.confidence);
    reject_if(options_.competitors.empty(), "there is nothing to compare",
              "name two or more: " + option("rules", "averaged,pa1"));
    reject_if(options_.sets.empty(), "there are no data to compare on", "give a file");
    reject_if(by_folds() && *options_.folds < 2, option("folds") + " takes at least 2", "5 and 10 are usual");
    reject_if(by_folds() && options_.test.has_value(),
              option("folds") + " and " + option("test") + " exclude each other", "give one of them");
    reject_if(options_.test && options_.sets.size() > 1,
              option("test") + " belongs to one data set, and there are " + std::to_string(options_.sets.size()),
              "compare on one at a time, or use " + option("folds"));
    reject_if(!models_.empty() && !learners_.empty() && !options_.test,
              "models are evaluated as they are, and need rows that the rules do not learn",
              "add " + option("test", "FILE") + ", or compare models alone");
    reject_if(learners_.empty() && (by_folds() || options_.test),
              "models are not trained: every data set is a test set",
              "leave out " + option("folds") + " and " + option("test"));
  }

  SetResult on_set(std::size_t s) {
    TrainOptions set = options_.sets[s];
    set.read.labels.scan_all = true;
    set.interrupt = options_.interrupt;
    balance_classes(set);
    SetResult result;
    result.path = path_of(set);
    result.name = name_of_set(s);
    std::vector<Validation> validations(options_.competitors.size());
    share_.begin(s, learners_.size() * (by_folds() ? *options_.folds : 1) + models_.size());
    if (!learners_.empty()) learn(set, result, validations);
    for (const std::size_t c : models_) {
      validations[c] = evaluated(*options_.competitors[c].model, learners_.empty() ? set.read : *options_.test);
      if (learners_.empty() && validations[c].why_not_run.empty())
        result.classes = std::max<std::size_t>(result.classes, options_.competitors[c].model->classes());
      share_.finish_one();
    }
    share_.end();
    summarize(validations, result);
    return result;
  }

  static std::string path_of(const TrainOptions& set) {
    return set.read.rows != nullptr || set.read.table_text != nullptr ? "<memory>" : set.read.path;
  }

  std::string name_of_set(std::size_t s) const {
    const auto file = [&](std::size_t i) {
      return std::filesystem::path(path_of(options_.sets[i])).filename().string();
    };
    for (std::size_t i = 0; i < options_.sets.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (file(i) == file(j)) return path_of(options_.sets[s]);
      }
    }
    return file(s);
  }

  void learn(const TrainOptions& set, SetResult& result, std::vector<Validation>& validations) {
    std::vector<Candidate> candidates;
    for (const std::size_t c : learners_) candidates.push_back(options_.competitors[c].candidate);
    const auto on = [&](const Folds& folds) {
      std::vector<Validation> some =
          folds.cross_validate(candidates, {.tolerant = true, .on_done = [this](std::size_t) { share_.finish_one(); }});
      for (std::size_t i = 0; i < some.size(); ++i) validations[learners_[i]] = std::move(some[i]);
      result.classes = folds.labels().names.size();
      note_order(set.read, folds);
    };
    options_.test ? on(Folds(set, *options_.test)) : on(Folds(set, options_.folds.value_or(0)));
  }

  // Rules that keep the order of rows sorted by class see one class after the other.
  void note_order(const ReadOptions& read, const Folds& folds) const {
    const auto keeps_order = [&](std::size_t c) {
      const Candidate& candidate = options_.competitors[c].candidate;
      const OrderName order = candidate.composition.order;
      return candidate.train == nullptr && (order == OrderName::stream || order == OrderName::cyclic);
    };
    if (!read.on_note || !folds.sorted_by_class() || std::none_of(learners_.begin(), learners_.end(), keeps_order))
      return;
    read.on_note(
        {read.path + ": the rows are sorted by class, or nearly so, and some competitors learn them in this order",
         "write NAME:order=shuffled:passes=10 for a rule"});
  }

  // Files that cannot be read end the comparison; one that does not fit the model is its own problem.
  Validation evaluated(const Model& model, const ReadOptions& read) const {
    try {
      return evaluate_on(model, read, options_.interrupt);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) throw;
      Validation v;
      v.why_not_run = error.message();
      return v;
    }
  }

  void summarize(const std::vector<Validation>& validations, SetResult& set) const {
    std::vector<std::size_t> ran;
    std::vector<double> scores;
    for (std::size_t c = 0; c < validations.size(); ++c) {
      const Validation& v = validations[c];
      CompetitorResult one;
      one.why_not_run = v.why_not_run;
      if (one.why_not_run.empty()) {
        one.fold = v.fold;
        set.rows = rounded_rows(std::accumulate(v.count.begin(), v.count.end(), 0.0));
        if (const double gap = unfinished_gap(v); gap > 0) one.unfinished = gap;
        one.curve = v.curve;
        std::vector<double> of_folds, seconds;
        for (const FoldScore& fold : v.fold) {
          of_folds.push_back(comparison_score(fold));
          seconds.push_back(fold.seconds);
        }
        one.score = mean_of(of_folds);
        one.seconds = mean_of(seconds);
        set_interval(v, options_.confidence, one);
        ran.push_back(c);
        scores.push_back(one.score);
      }
      set.results.push_back(std::move(one));
    }
    const std::vector<double> ranks = average_ranks(scores);
    for (std::size_t i = 0; i < ran.size(); ++i) set.results[ran[i]].rank = ranks[i];
    for (std::size_t i = 0; i < ran.size(); ++i) {
      for (std::size_t j = i + 1; j < ran.size(); ++j) set.pairs.push_back(pair_on(validations, set, ran[i], ran[j]));
    }
    adjust(set.pairs);
    for (PairResult& pair : set.pairs) pair.significant = pair.adjusted_p < level();
  }

  // Returns the widest gap of minima that a limit ended, if it is wider than what any score could show; else 0.
  static double unfinished_gap(const Validation& v) {
    constexpr double near_enough = 0.01;
    double widest = 0;
    for (const FoldScore& fold : v.fold) {
      if (fold.minimum && fold.minimum->unfinished) widest = std::max(widest, fold.minimum->gap);
    }
    return widest > near_enough ? widest : 0;
  }

  PairResult pair_on(const std::vector<Validation>& validations, const SetResult& set, std::size_t first,
                     std::size_t second) const {
    PairResult pair;
    const bool in_order = set.results[first].score >= set.results[second].score;
    pair.better = in_order ? first : second;
    pair.worse = in_order ? second : first;
    pair.lead = set.results[pair.better].score - set.results[pair.worse].score;
    const Validation &a = validations[pair.better], &b = validations[pair.worse];
    if (a.wrong.size() != b.wrong.size()) {
      throw Error(ErrorKind::data, "'" + options_.competitors[first].name + "' and '" +
                                       options_.competitors[second].name + "' read different rows of the test set")
          .at(set.path)
          .fix("correct the rows that one of them skips");
    }
    for (std::size_t i = 0; i < a.wrong.size(); ++i) {
      const double rows = a.count.empty() ? 1 : a.count[i];
      (a.wrong[i] < b.wrong[i] ? pair.wins : a.wrong[i] > b.wrong[i] ? pair.losses : pair.ties) += rows;
    }
    pair.why_not_tested = why_not_tested(options_, set, first, second, a.counts_rows());
    if (!pair.why_not_tested.empty()) return pair;
    const auto by_rows = [&] {
      return mcnemar_exact(static_cast<std::uint64_t>(pair.losses), static_cast<std::uint64_t>(pair.wins));
    };
    pair.test = by_folds() ? test_folds(a.fold, b.fold) : by_rows();
    // Folds that all differ alike have no variance to test with.
    if (std::isinf(pair.test.statistic)) pair.test = a.counts_rows() ? by_rows() : TestResult{};
    return pair;
  }

  static TestResult test_folds(const std::vector<FoldScore>& a, const std::vector<FoldScore>& b) {
    std::vector<double> differences;
    for (std::size_t k = 0; k < a.size(); ++k) differences.push_back(comparison_score(a[k]) - comparison_score(b[k]));
    return corrected_resampled_t(differences, 1 / (static_cast<double>(a.size()) - 1));
  }

  const CompareOptions& options_;
  Share share_;
  std::vector<std::size_t> learners_, models_;
};

}  // namespace

Comparison compare(const CompareOptions& options) { return Comparing(options).run(); }

}  // namespace halfspace
