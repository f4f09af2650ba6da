// Validates every fold with weights trained on the others, and puts the folds together.
#include "halfspace/train/folds.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/threshold.h"
#include "train/choose/dealt_rows.h"
#include "train/choose/fold_training.h"
#include "train/choose/paths.h"
#include "train/choose/skewed.h"
#include "train/metrics/row_counts.h"

namespace halfspace {
namespace {

using training::FoldPart;
using training::FoldResult;

double variance(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// Returns the standard error of a mean over K folds, the root of (1/K + 1/(K - 1)) s^2.
double error_of_mean(const std::vector<double>& values) {
  const double k = static_cast<double>(values.size());
  return std::sqrt((1 / k + 1 / (k - 1)) * variance(values));
}

// Adds the mistakes of another fold; keeps the rounds that both have.
void add_curve(std::vector<LearningPoint>& sum, const std::vector<LearningPoint>& fold, bool is_first) {
  if (is_first) {
    sum = fold;
    return;
  }
  sum.resize(std::min(sum.size(), fold.size()));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i].rounds += fold[i].rounds;
    sum[i].mistakes += fold[i].mistakes;
  }
}

std::vector<double> values_of_folds(const Validation& v) {
  std::vector<double> values;
  for (const FoldScore& fold : v.fold) values.push_back(fold.by(v.metric));
  return values;
}

template <class Score>
double mean_of(const Validation& v, Score&& score) {
  double sum = 0;
  for (const FoldScore& one : v.fold) sum += score(one);
  return sum / static_cast<double>(v.fold.size());
}

}  // namespace

double Validation::accuracy() const {
  return mean_of(*this, [](const FoldScore& one) { return one.accuracy(); });
}

double Validation::value() const {
  return mean_of(*this, [this](const FoldScore& one) { return one.by(metric); });
}

double Validation::rank() const {
  if (metric == Metric::accuracy) return mean_of(*this, [](const FoldScore& one) { return one.weighted_accuracy(); });
  return higher_is_better(metric) ? value() : -value();
}

void Validation::drop_partial_scores() {
  if (scores.size() != label.size() * vectors) scores.clear();
}

double Validation::spread() const { return std::sqrt(variance(values_of_folds(*this))); }

double Validation::standard_error() const {
  if (fold.size() > 1) return error_of_mean(values_of_folds(*this));
  if (metric != Metric::accuracy) return fold[0].value_error;
  const double right = fold[0].accuracy();
  return std::sqrt(right * (1 - right) / fold[0].rows);
}

bool Validation::counts_rows() const {
  double rows = 0;
  for (const FoldScore& one : fold) rows += one.rows;
  return std::all_of(fold.begin(), fold.end(), [](const FoldScore& one) { return one.whole; }) &&
         halfspace::counts_rows(rows);
}

std::optional<ExpectedError> Validation::expected_error(double confidence) const {
  if (!counts_rows()) return std::nullopt;
  std::uint64_t rows = 0, errors = 0;
  std::vector<double> shares;
  for (const FoldScore& one : fold) {
    if (one.rows == 0) return std::nullopt;
    rows += static_cast<std::uint64_t>(one.rows);
    errors += static_cast<std::uint64_t>(one.errors);
    shares.push_back(one.errors / one.rows);
  }
  if (fold.size() < 2) return expected_error_of_held_out(rows, errors, confidence);
  check_confidence(confidence);
  // Folds that happen to agree say nothing about rows never drawn: not narrower than for one fixed classifier.
  const ErrorBounds between = folds_error(shares, confidence), within = kept_out_error(rows, errors, confidence);
  const ErrorBounds bounds{std::min(between.lower, within.lower), std::max(between.upper, within.upper)};
  return ExpectedError{bounds, confidence, ExpectedFrom::folds, rows, errors};
}

Lead lead(const Validation& first, const Validation& second) {
  const double sign = higher_is_better(first.metric) ? 1 : -1;
  if (first.fold.size() > 1) {
    std::vector<double> differences;
    for (std::size_t k = 0; k < first.fold.size(); ++k)
      differences.push_back(sign * (first.fold[k].by(first.metric) - second.fold[k].by(first.metric)));
    return {sign * (first.value() - second.value()), error_of_mean(differences)};
  }
  if (first.metric != Metric::accuracy)
    return {sign * (first.value() - second.value()),
            elementary::hypot(first.standard_error(), second.standard_error())};
  double only_first = 0;  // rows that the first alone got wrong
  double only_second = 0;
  double n = 0;
  for (std::size_t i = 0; i < first.wrong.size(); ++i) {
    const double rows = first.count.empty() ? 1 : first.count[i];
    only_first += first.wrong[i] > second.wrong[i] ? rows : 0;
    only_second += second.wrong[i] > first.wrong[i] ? rows : 0;
    n += rows;
  }
  const double by = (only_second - only_first) / n;
  return {by, std::sqrt(std::max(0.0, (only_first + only_second) / n - by * by) / n)};
}

struct Folds::Impl {
  Impl(const TrainOptions& options, bool racing) : dealt(options, racing) {}

  training::DealtRows dealt;

  // What the folds of one validation share: for each candidate, the first fold that it failed on.
  struct Sharing {
    Sharing(const FoldsRun& its_run, std::size_t candidates) : run(its_run), failed(candidates) {
      for (auto& one : failed) one = kNeverValidated;
    }
    const FoldsRun& run;
    std::vector<std::atomic<std::uint32_t>> failed;
    std::mutex mutex;

    void note_failure(std::size_t c, std::uint32_t k) {
      std::uint32_t first = failed[c];
      while (k < first && !failed[c].compare_exchange_weak(first, k)) {
      }
    }
    void note_done(std::size_t c) {
      if (run.on_done == nullptr) return;
      const std::lock_guard lock(mutex);
      run.on_done(c);
    }
  };

  // Returns whether the error is about the candidate and these rows, not about the machine or the caller's wish.
  static bool about_candidate(const Error& error) {
    return error.kind() == ErrorKind::data || error.kind() == ErrorKind::usage;
  }

  // Validates candidate c on fold k, as far as it can learn the rows. `solution`: as in FoldResult.
  FoldResult validate_one(const FoldPart& part, const Candidate& candidate, std::size_t c, std::uint32_t k,
                          Sharing& sharing, training::DualSolution& solution) const {
    FoldResult result;
    result.solution = std::move(solution);
    if (sharing.failed[c] < k) return result;
    const double began = thread_seconds();
    try {
      training::validate_on(dealt, part, candidate, sharing.run.keep_scores, result);
    } catch (const Error& error) {
      dealt.stop_if_interrupted();
      result = {};
      if (sharing.run.tolerant && about_candidate(error)) {
        result.why_not_run = error.message();
        sharing.note_failure(c, k);
      } else if (dealt.racing && error.kind() == ErrorKind::data) {
        result = training::all_wrong(dealt, part.own);  // weights that overflowed
      } else {
        throw;
      }
    }
    result.score.seconds = thread_seconds() - began;
    solution = std::move(result.solution);
    return result;
  }

  // Validates all candidates on fold k.
  std::vector<FoldResult> validate_fold(std::uint32_t k, std::span<const Candidate> candidates,
                                        Sharing& sharing) const {
    const FoldPart part = training::fold_part(dealt, k, candidates);
    std::vector<FoldResult> results(candidates.size());
    const auto run = [&](const std::vector<std::size_t>& path) {
      training::DualSolution solution;
      for (const std::size_t c : path) {
        results[c] = validate_one(part, candidates[c], c, k, sharing, solution);
        sharing.note_done(c);
      }
    };
    // Competitors are on their own: none starts from the solution of another.
    std::vector<std::vector<std::size_t>> paths;
    for (std::size_t c = 0; sharing.run.tolerant && c < candidates.size(); ++c) paths.push_back({c});
    if (!sharing.run.tolerant) paths = training::paths_of(candidates);
    // Folds run in parallel; a single fold runs its candidates in parallel, but for those that start one another.
    if (dealt.sizes.size() > 1) {
      for (const std::vector<std::size_t>& path : paths) run(path);
    } else {
      in_parallel(paths.size(), 1, [&](std::size_t p, std::size_t) { run(paths[p]); });
    }
    return results;
  }

  // Visits the rows of folds `first` .. `last` - 1 in file order, as a row of a block and which of these folds it is in.
  template <class Visit>
  void for_each_row_of(std::size_t first, std::size_t last, Visit&& visit) const {
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < dealt.rows.blocks(); ++b) {
      const Block block = dealt.rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t k = dealt.fold[position++];
        if (k != kNeverValidated && k >= first && k < last) visit(block, i, k - first);
      }
      dealt.rows.release(b);
    }
  }

  // Predicts the rows of folds `first` .. `last` - 1 anew, by the best threshold.
  void place_threshold(std::size_t first, std::size_t last, Validation& v) const {
    const double threshold = threshold_of(v.scores, v.label, dealt.options.metric, dealt.options.metric_options,
                                          dealt.schema.labels.names, v.count);
    const std::vector<double> costs = cost_matrix(dealt.options.metric_options.costs, dealt.schema.labels.names);
    std::vector<PredictedRows> of_fold(last - first, PredictedRows(2));
    for (FoldScore& score : v.fold) score.errors = score.wrong_weight = 0;
    std::size_t at = 0;
    for_each_row_of(first, last, [&](const Block& block, std::size_t i, std::size_t k) {
      const std::int32_t predicted = v.scores[at] >= threshold ? 1 : 0;
      v.wrong[at] = predicted != block.label[i];
      of_fold[k].add({.truth = block.label[i],
                      .predicted = predicted,
                      .weight = v.count[at],
                      .scores = std::span(v.scores).subspan(at, 1)});
      FoldScore& score = v.fold[k];
      score.errors += v.wrong[at] != 0 ? v.count[at] : 0;
      score.wrong_weight += v.wrong[at] == 0 ? 0 : block.weight == nullptr ? 1 : block.weight[i];
      ++at;
    });
    for (std::size_t k = 0; k < of_fold.size() && dealt.options.metric != Metric::accuracy; ++k) {
      const double value = value_of(dealt.options.metric, of_fold[k], dealt.options.metric_options, costs);
      v.fold[k].value = std::isnan(value) ? 0 : value;
      if (dealt.sizes.size() == 1)
        v.fold[k].value_error = bootstrap_error(dealt.options.metric, of_fold[k], dealt.options.metric_options, costs,
                                                {.seed = dealt.options.composition.seed});
    }
  }

  // Puts the results of folds `first` .. `last` - 1 together.
  std::vector<Validation> validate_folds(std::span<const Candidate> candidates, std::size_t first, std::size_t last,
                                         const FoldsRun& run) const;
};

Folds::Folds(const TrainOptions& options, unsigned count) : impl_(std::make_unique<Impl>(options, false)) {
  if (count == 1)
    throw Error(ErrorKind::usage, "one fold leaves no rows to train on")
        .fix("give " + option("folds", "2") + " or more");
  impl_->dealt.read(count);
}
Folds::Folds(const TrainOptions& options, const ReadOptions& test) : impl_(std::make_unique<Impl>(options, false)) {
  impl_->dealt.read_with_test(test);
}
Folds Folds::undealt(const TrainOptions& options, std::uint64_t most_values) {
  Folds folds(std::make_unique<Impl>(options, true));
  folds.impl_->dealt.read_some(most_values);
  return folds;
}
Folds::Folds(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Folds::Folds(Folds&&) noexcept = default;
Folds::~Folds() = default;

void Folds::deal(unsigned count) { impl_->dealt.deal(count); }
void Folds::check_fills(unsigned count) const { impl_->dealt.check_fills(count); }
std::vector<LogarithmOf> Folds::logarithms() const {
  return training::logarithms_of_skewed(impl_->dealt.rows, impl_->dealt.schema, impl_->dealt.options);
}
TableSize Folds::size() const {
  TableSize size = impl_->dealt.size;
  for (const auto& members : impl_->dealt.rows_of_classes()) size.classes += members.empty() ? 0 : 1;
  return size;
}

const Labels& Folds::labels() const { return impl_->dealt.schema.labels; }
bool Folds::sorted_by_class() const { return impl_->dealt.label_runs.sorted_by_class(); }
std::uint64_t Folds::rows() const { return impl_->dealt.rows.size(); }
const std::vector<std::uint32_t>& Folds::fold_of_row() const { return impl_->dealt.fold; }

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, bool keep_scores) const {
  return cross_validate(candidates, {.keep_scores = keep_scores});
}

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, const FoldsRun& run) const {
  return impl_->validate_folds(candidates, 0, impl_->dealt.sizes.size(), run);
}

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, std::size_t first,
                                              std::size_t last, const FoldsRun& run) const {
  return impl_->validate_folds(candidates, first, last, run);
}

std::vector<Validation> Folds::Impl::validate_folds(std::span<const Candidate> candidates, std::size_t first,
                                                    std::size_t last, const FoldsRun& run) const {
  std::vector<std::vector<FoldResult>> by_fold(last - first);
  Sharing sharing(run, candidates.size());
  in_parallel(by_fold.size(), 1, [&](std::size_t k, std::size_t) {
    by_fold[k] = validate_fold(static_cast<std::uint32_t>(first + k), candidates, sharing);
  });
  std::vector<Validation> results(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    Validation& v = results[c];
    if (sharing.failed[c] != kNeverValidated) {
      v.why_not_run = by_fold[sharing.failed[c] - first][c].why_not_run;
      continue;
    }
    v.vectors = by_fold[0][c].vectors;
    v.metric = dealt.options.metric;
    for (std::size_t k = 0; k < by_fold.size(); ++k) {
      v.fold.push_back(by_fold[k][c].score);
      add_curve(v.curve, by_fold[k][c].curve, k == 0);
    }
    // Puts the rows of the folds back into file order.
    std::vector<std::size_t> next(by_fold.size(), 0);
    for_each_row_of(first, last, [&](const Block& block, std::size_t i, std::size_t k) {
      const FoldResult& own = by_fold[k][c];
      const std::size_t at = next[k]++;
      v.wrong.push_back(own.wrong[at]);
      v.count.push_back(own.count[at]);
      v.label.push_back(block.label[i]);
      if (own.scores.empty()) return;
      v.scores.insert(v.scores.end(), own.scores.begin() + static_cast<std::ptrdiff_t>(at * v.vectors),
                      own.scores.begin() + static_cast<std::ptrdiff_t>((at + 1) * v.vectors));
    });
    v.drop_partial_scores();
    if (run.at_threshold && dealt.schema.labels.names.size() == 2 && v.scores.size() == v.label.size())
      place_threshold(first, last, v);
  }
  return results;
}

}  // namespace halfspace
