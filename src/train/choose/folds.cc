// Deals rows into folds and validates each fold with weights trained on the others.
#include "halfspace/train/folds.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>

#include "base/clock.h"
#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/survey.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/threshold.h"
#include "train/choose/fold_score.h"
#include "train/choose/paths.h"
#include "train/metrics/row_counts.h"
#include "train/run/first_look.h"
#include "train/run/objective.h"
#include "train/run/split.h"

namespace halfspace {
namespace {

// Separates the draws that deal rows from those of an order with the same seed.
constexpr std::uint64_t kDealing = 0x5f01d5;

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

// Kept rows as a source, for a candidate that trains by itself. Numbers the rows from 1, as a file of them would:
// tournaments choose validation rows by number.
class KeptSource final : public RowSource {
 public:
  KeptSource(const Rows& rows, const Schema& schema) : rows_(rows), schema_(schema) {}
  const Schema& schema() const override { return schema_; }
  std::uint64_t rows() const override { return rows_.size(); }
  std::size_t blocks() const override { return rows_.blocks(); }
  Block block(std::size_t i, SourceBuffer& buffer) const override {
    Block block = rows_.block(i);
    buffer.row.resize(block.rows);
    std::iota(buffer.row.begin(), buffer.row.end(), std::uint64_t{i} * Rows::block_rows + 1);
    block.row = buffer.row.data();
    return block;
  }

 private:
  const Rows& rows_;
  const Schema& schema_;
};

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
  const TrainOptions& options;
  Schema schema;
  Survey label_runs{{.rows = 0}};  // of all rows
  Rows rows;
  bool racing = false;              // tolerates small classes and failing candidates
  std::vector<std::uint32_t> fold;  // of every row
  std::vector<std::uint64_t> sizes;
  std::string fingerprint;  // of the data
  training::RowCounts counts;

  explicit Impl(const TrainOptions& given) : options(given), rows(given.memory) {}

  void stop_if_interrupted() const {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed))
      throw Error(ErrorKind::input_output, "interrupted during validation: nothing was learned");
  }

  // `keeps`: keeps the rows to hold out, which are evaluated at the end otherwise.
  void read_rows(bool keeps) {
    ReadOptions read = options.read;
    read.labels.scan_all = read.labels.scan_all || entry_of(options.composition.rule).several_classes;
    read.rejects.clear();  // the training pass writes them
    if (read.interrupt == nullptr) read.interrupt = options.interrupt;
    Reader reader(read);
    bool weightless = false;  // a row has weight 0
    reader.read([&](const Block& block) {
      if (rows.size() == 0) training::survey_first_rows(block, reader.schema(), read);
      label_runs.add(block);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const bool held = training::held_out(block.row[i], options.holdout);
        const bool counts_as_none = block.weight != nullptr && block.weight[i] == 0;
        weightless = weightless || (counts_as_none && !held);
        if ((held && !keeps) || counts_as_none) continue;
        rows.append(block, i);
        fold.push_back(held ? 0 : kNeverValidated);
      }
      stop_if_interrupted();
      return true;
    });
    rows.seal();
    if (rows.size() == 0 && weightless) training::refuse_no_weight(options.read.path);
    schema = reader.schema();
    counts = training::RowCounts(options.read.labels.class_weights, schema.labels);
    fingerprint = reader.report().fingerprint;
    if (rows.size() >= kNeverValidated)
      throw Error(ErrorKind::usage, "more than 4294967294 rows are too many to validate")
          .fix("use a part of them, or evaluate one file's model on another with halfspace evaluate");
  }

  void read(unsigned count) {
    read_rows(count == 0);
    if (count != 0) return deal(count);
    const auto held = static_cast<std::uint64_t>(std::count(fold.begin(), fold.end(), 0U));
    if (held == 0 || held == rows.size()) {
      throw Error(ErrorKind::usage, "of " + std::to_string(rows.size()) + " rows " + std::to_string(held) +
                                        " are held out: there must be rows to train on and rows to validate on")
          .at(options.read.path)
          .fix("give another " + option("holdout") + ", or " + option("folds"));
    }
    sizes = {held};
  }

  void read_with_test(const ReadOptions& test) {
    read_rows(true);
    const std::uint64_t trained = rows.size();
    Model shape;
    shape.schema = schema;
    ReadOptions read = read_for(shape, test, true);
    if (read.interrupt == nullptr) read.interrupt = options.interrupt;
    Reader reader(read);
    reader.read([&](const Block& block) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        if (block.weight == nullptr || block.weight[i] != 0) rows.append(block, i);
      }
      stop_if_interrupted();
      return true;
    });
    rows.seal();
    if (!fingerprint.empty() && reader.report().fingerprint == fingerprint) {
      throw Error(ErrorKind::usage, "the test rows are the rows to learn: every score would be too good")
          .at(test.path)
          .fix("give rows that are not learned, or " + option("folds"));
    }
    fold.resize(rows.size(), 0);
    sizes = {rows.size() - trained};
  }

  void deal(unsigned count) {
    std::vector<std::vector<std::uint32_t>> of_class(std::max<std::size_t>(2, schema.labels.names.size()));
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i)
        of_class[static_cast<std::size_t>(block.label[i])].push_back(position++);
    }
    if (!racing) refuse_small_classes(of_class, count);
    Generator draws(options.composition.seed ^ kDealing);
    std::vector<std::uint32_t> order;
    std::uint32_t next = 0;
    sizes.assign(count, 0);
    for (const std::vector<std::uint32_t>& members : of_class) {
      order.resize(members.size());
      if (!order.empty()) shuffle(draws, order);
      for (const std::uint32_t place : order) {
        fold[members[place]] = next;
        ++sizes[next];
        next = (next + 1) % count;
      }
    }
  }

  void refuse_small_classes(const std::vector<std::vector<std::uint32_t>>& of_class, unsigned count) const {
    const std::vector<std::string>& names = schema.labels.names;
    std::size_t smallest = 0;
    std::size_t present = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      present += !of_class[k].empty();
      if (of_class[k].size() < of_class[smallest].size()) smallest = k;
    }
    if (present < 2) {
      throw Error(ErrorKind::data, "the data have one class only: cross-validation needs two")
          .at(options.read.path)
          .fix("give rows of another class too, or train without " + option("folds"));
    }
    const std::size_t least = of_class[smallest].size();
    if (least >= count) return;
    throw Error(ErrorKind::usage, "the class '" + names[smallest] + "' has " + std::to_string(least) +
                                      (least == 1 ? " row" : " rows") + ", and every one of the " +
                                      std::to_string(count) + " folds needs one")
        .at(options.read.path)
        .fix(least >= 2 ? "give " + option("folds", std::to_string(least)) + ", or more rows of this class"
                        : "give more rows of this class, or leave it out");
  }

  // Returns a hook that appends the errors, as a share of the rounds, after 1, 2, 4, 8 ... rounds of the first pass.
  static std::function<void(const Ledger&)> hook_of(std::vector<LearningPoint>& curve) {
    return [&curve](const Ledger& ledger) {
      if (ledger.rounds != ledger.first_pass_rounds) return;
      const double share = ledger.weight() > 0 ? ledger.errors() / ledger.weight() : 0;
      curve.push_back(
          {ledger.rounds, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(ledger.rounds)))});
    };
  }

  struct FoldResult {
    FoldScore score;
    std::vector<std::uint8_t> wrong;
    std::vector<double> count, scores;
    std::uint32_t vectors = 1;
    std::vector<LearningPoint> curve;
    std::string why_not_run;
    training::DualSolution solution;  // of a minimum: that to start from, then its own
  };

  // Trains by the candidate's own function.
  Model learn_by_itself(const Rows& from, const Candidate& candidate, const RowsOptions& memory,
                        std::vector<LearningPoint>& curve) const {
    const KeptSource source(from, schema);
    TrainOptions own;
    own.read.rows = &source;
    own.read.threads = 1;
    own.read.row_normalised = options.read.row_normalised;
    own.read.single = options.read.single;
    own.composition = candidate.composition;
    own.until = candidate.until;
    own.normalize_columns = options.normalize_columns || candidate.normalize_columns;
    own.metric = options.metric;
    own.metric_options = options.metric_options;
    own.memory = memory;
    own.interrupt = options.interrupt;
    own.on_ledger_row = hook_of(curve);
    const OneThread one;
    Model model = candidate.train(own);
    stop_if_interrupted();
    return model;
  }

  void reach_minimum(const Rows& from, const Candidate& candidate, Learner& learner, FoldResult& result) const {
    std::optional<OneThread> one;
    if (sizes.size() > 1) one.emplace();  // folds run in parallel
    OptimumOptions own = training::optimum_options(*candidate.objective, candidate.composition, candidate.until);
    own.interrupt = options.interrupt;
    const MinimumReached minimum =
        training::minimize_objective(*candidate.objective, own, from, learner, &result.solution);
    stop_if_interrupted();
    FoldMinimum& of_fold = result.score.minimum.emplace();
    of_fold.gap = minimum.widest().gap;
    for (const ProvedMinimum& of : minimum.of_vector) {
      of_fold.primal += of.primal;
      of_fold.passes += of.passes;
      of_fold.unfinished = of_fold.unfinished || of.stopped == OptimumStop::passes || of.stopped == OptimumStop::time;
    }
  }

  // Trains as train() does on a file of these rows.
  Model learn(const Rows& from, const std::vector<std::int16_t>& exponents, const Candidate& candidate,
              FoldResult& result) const {
    Model model;
    model.schema = schema;
    model.schema.exponents = exponents;
    model.composition = tune_defaults(fit_to_labels(candidate.composition, schema.labels), from);
    const auto learner = make_learner(model.composition, std::max(2U, model.classes()));
    if (candidate.objective) {
      reach_minimum(from, candidate, *learner, result);
      training::take_scores_as_odds(candidate.objective->loss, learner->result().classes, model.calibration);
      model.weights = learner->result();
      model.learner = learner->save();
      return model;
    }
    const OrderName order = model.composition.order;
    if (order != OrderName::cyclic && order != OrderName::stream) learner->grow(from.features());
    if (!plays_mistakes_only(order)) learner->on_ledger_row = hook_of(result.curve);
    Game game;
    game.order = order;
    game.until = candidate.until;
    game.interrupt = options.interrupt;
    Generator draws(model.composition.seed);
    play(*learner, from, game, draws, model.ledger);
    stop_if_interrupted();
    model.weights = learner->result();
    model.learner = learner->save();
    return model;
  }

  void validate(const Rows& by, const Model& model, bool keep_scores, FoldResult& result) const {
    Predictor predictor(model);
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    training::Measured measured(options, counts, model);
    for (std::size_t b = 0; b < by.blocks(); ++b) {
      const Block block = by.block(b);
      result.vectors = predictor.score_all(block, classes, scores);
      measured.add(block, classes, scores);
      training::add_to_score(block, classes, counts, result.score, result.wrong, result.count);
      if (keep_scores) result.scores.insert(result.scores.end(), scores.begin(), scores.end());
      by.release(b);
    }
    if (!measured.wanted()) return;
    result.score.value = measured.value();
    if (sizes.size() == 1) result.score.value_error = measured.standard_error();
  }

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

  // The rows of one fold, `own`, and of the others; scaled too if a candidate needs that.
  struct Part {
    explicit Part(RowsOptions its_memory)
        : memory(std::move(its_memory)), rest(memory), own(memory), scaled_rest(memory), scaled_own(memory) {}
    RowsOptions memory;
    Rows rest, own, scaled_rest, scaled_own;
    std::vector<std::int16_t> exponents;
  };

  bool scales(const Candidate& candidate) const {
    return !candidate.train && (options.normalize_columns || candidate.normalize_columns);
  }

  Part part_of(std::uint32_t k, std::span<const Candidate> candidates) const {
    Part part({options.memory.memory / (2 * std::min<std::size_t>(sizes.size(), 64)), options.memory.folder});
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) (fold[position++] == k ? part.own : part.rest).append(block, i);
      rows.release(b);
    }
    part.rest.seal();
    part.own.seal();
    if (std::any_of(candidates.begin(), candidates.end(), [this](const Candidate& c) { return scales(c); })) {
      part.exponents = training::column_exponents(part.rest);
      part.scaled_rest = training::scaled(part.rest, part.exponents, part.memory);
      part.scaled_own = training::scaled(part.own, part.exponents, part.memory);
    }
    return part;
  }

  void validate_on(const Part& part, const Candidate& candidate, bool keep_scores, FoldResult& result) const {
    if (candidate.train) {
      const Model model = learn_by_itself(part.rest, candidate, part.memory, result.curve);
      const std::vector<std::int16_t>& exponents = model.schema.exponents;
      if (exponents.empty()) return validate(part.own, model, keep_scores, result);
      validate(training::scaled(part.own, exponents, part.memory), model, keep_scores, result);
    } else if (scales(candidate)) {
      validate(part.scaled_own, learn(part.scaled_rest, part.exponents, candidate, result), keep_scores, result);
    } else {
      validate(part.own, learn(part.rest, {}, candidate, result), keep_scores, result);
    }
  }

  FoldResult all_wrong(const Rows& of) const {
    FoldResult lost;
    for (std::size_t b = 0; b < of.blocks(); ++b) {
      const Block block = of.block(b);
      const std::vector<std::int32_t> none(block.rows, -1);
      training::add_to_score(block, none, counts, lost.score, lost.wrong, lost.count);
      of.release(b);
    }
    if (!higher_is_better(options.metric)) lost.score.value = std::numeric_limits<double>::infinity();
    return lost;
  }

  // Validates candidate c on fold k, as far as it can learn the rows. `solution`: as in FoldResult.
  FoldResult validate_one(const Part& part, const Candidate& candidate, std::size_t c, std::uint32_t k,
                          Sharing& sharing, training::DualSolution& solution) const {
    FoldResult result;
    result.solution = std::move(solution);
    if (sharing.failed[c] < k) return result;
    const double began = thread_seconds();
    try {
      validate_on(part, candidate, sharing.run.keep_scores, result);
    } catch (const Error& error) {
      stop_if_interrupted();
      result = {};
      if (sharing.run.tolerant && about_candidate(error)) {
        result.why_not_run = error.message();
        sharing.note_failure(c, k);
      } else if (racing && error.kind() == ErrorKind::data) {
        result = all_wrong(part.own);  // weights that overflowed
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
    const Part part = part_of(k, candidates);
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
    if (sizes.size() > 1) {
      for (const std::vector<std::size_t>& path : paths) run(path);
    } else {
      in_parallel(paths.size(), 1, [&](std::size_t p, std::size_t) { run(paths[p]); });
    }
    return results;
  }

  // Predicts the rows of folds `first` .. `last` - 1 anew, by the best threshold.
  void place_threshold(std::size_t first, std::size_t last, Validation& v) const {
    const double threshold =
        threshold_of(v.scores, v.label, options.metric, options.metric_options, schema.labels.names, v.count);
    const std::vector<double> costs = cost_matrix(options.metric_options.costs, schema.labels.names);
    std::vector<PredictedRows> of_fold(last - first, PredictedRows(2));
    for (FoldScore& score : v.fold) score.errors = score.wrong_weight = 0;
    std::uint32_t position = 0;
    std::size_t at = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t place = fold[position++];
        if (place == kNeverValidated || place < first || place >= last) continue;
        const std::int32_t predicted = v.scores[at] >= threshold ? 1 : 0;
        v.wrong[at] = predicted != block.label[i];
        of_fold[place - first].add({.truth = block.label[i],
                                    .predicted = predicted,
                                    .weight = v.count[at],
                                    .scores = std::span(v.scores).subspan(at, 1)});
        FoldScore& score = v.fold[place - first];
        score.errors += v.wrong[at] != 0 ? v.count[at] : 0;
        score.wrong_weight += v.wrong[at] == 0 ? 0 : block.weight == nullptr ? 1 : block.weight[i];
        ++at;
      }
      rows.release(b);
    }
    for (std::size_t k = 0; k < of_fold.size() && options.metric != Metric::accuracy; ++k) {
      const double value = value_of(options.metric, of_fold[k], options.metric_options, costs);
      v.fold[k].value = std::isnan(value) ? 0 : value;
      if (sizes.size() == 1)
        v.fold[k].value_error = bootstrap_error(options.metric, of_fold[k], options.metric_options, costs,
                                                {.seed = options.composition.seed});
    }
  }

  // Puts the results of folds `first` .. `last` - 1 together.
  std::vector<Validation> validate_folds(std::span<const Candidate> candidates, std::size_t first, std::size_t last,
                                         const FoldsRun& run) const;
};

Folds::Folds(const TrainOptions& options, unsigned count, bool racing) : impl_(std::make_unique<Impl>(options)) {
  if (count == 1)
    throw Error(ErrorKind::usage, "one fold leaves no rows to train on")
        .fix("give " + option("folds", "2") + " or more");
  impl_->racing = racing;
  impl_->read(count);
}
Folds::Folds(const TrainOptions& options, const ReadOptions& test) : impl_(std::make_unique<Impl>(options)) {
  impl_->read_with_test(test);
}
Folds::~Folds() = default;

const Labels& Folds::labels() const { return impl_->schema.labels; }
bool Folds::sorted_by_class() const { return impl_->label_runs.sorted_by_class(); }
std::uint64_t Folds::rows() const { return impl_->rows.size(); }
const std::vector<std::uint32_t>& Folds::fold_of_row() const { return impl_->fold; }

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, bool keep_scores) const {
  return cross_validate(candidates, {.keep_scores = keep_scores});
}

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, const FoldsRun& run) const {
  return impl_->validate_folds(candidates, 0, impl_->sizes.size(), run);
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
    v.metric = options.metric;
    for (std::size_t k = 0; k < by_fold.size(); ++k) {
      v.fold.push_back(by_fold[k][c].score);
      add_curve(v.curve, by_fold[k][c].curve, k == 0);
    }
    // Puts the rows of the folds back into file order.
    std::vector<std::size_t> next(by_fold.size(), 0);
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t place = fold[position++];
        if (place == kNeverValidated || place < first || place >= last) continue;
        const std::size_t k = place - first;
        const FoldResult& own = by_fold[k][c];
        const std::size_t at = next[k]++;
        v.wrong.push_back(own.wrong[at]);
        v.count.push_back(own.count[at]);
        v.label.push_back(block.label[i]);
        if (own.scores.empty()) continue;
        v.scores.insert(v.scores.end(), own.scores.begin() + static_cast<std::ptrdiff_t>(at * v.vectors),
                        own.scores.begin() + static_cast<std::ptrdiff_t>((at + 1) * v.vectors));
      }
    }
    v.drop_partial_scores();
    if (run.at_threshold && schema.labels.names.size() == 2 && v.scores.size() == v.label.size())
      place_threshold(first, last, v);
  }
  return results;
}

}  // namespace halfspace
