// Training: reads a file of examples, returns a model and its ledger.
//
//   TrainOptions options;
//   options.read.path = "credit.csv";  // or options.read.rows: rows in memory
//   options.composition = ...;            // rule x order x keep
//   const TrainResult result = train(options);
//   save_model(result.model, "credit.model");
//
// One pass (order `stream`) trains on rows as they are read, in constant memory. Every other order keeps the rows: in
// memory within the budget, else in a temporary file; `cyclic` runs its first pass while reading.
//
// Determinism: the model depends only on the data, the options and the seed; not on threads, block sizes, or on
// interrupting and resuming.
//
// Throws Error, before anything is written. Thread-safety: concurrent calls are independent.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/detail/bounds/least_loss.h"
#include "halfspace/detail/train/new_rows.h"
#include "halfspace/detail/train/objective.h"
#include "halfspace/detail/train/recording.h"
#include "halfspace/game/learner.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/metrics.h"
#include "halfspace/train/model.h"
#include "halfspace/train/threshold.h"

namespace halfspace {

// How often to save a model, checked between blocks of rows. A run resumed from the last checkpoint repeats at most
// this many rounds, or the work of this many seconds plus one block.
struct Checkpoint {
  std::optional<std::uint64_t> rounds{};
  std::optional<double> seconds{};
};

struct TrainOptions {
  ReadOptions read;
  Composition composition;
  Until until;
  // Minimizes this, in place of rounds: the composition then gives the bias, the tie and the seed alone, and `until` the
  // most passes and seconds.
  std::optional<Objective> objective{};
  // Divides each column by the power of two that brings its largest value into (1/2, 1]: exact, needs the rows kept.
  bool normalize_columns = false;
  // Of a rule: it learns from columns standardised (train/run/standard.h), and its weights are then given for the
  // data's own values. Needs the rows kept, twice. Error(usage) for kernels, votes and checkpoints, and where such a
  // model is resumed: its rule's state is of other values.
  bool standard_columns = false;
  // Row r (1-based) is held out if floor(r * holdout) > floor((r - 1) * holdout): evenly spaced, 0.2 is every fifth
  // row.
  double holdout = 0;
  // The watch that the ledger keeps on the first pass. Needs rows in file order: orders `stream` and `cyclic` only. A
  // resumed run continues its model's watch.
  std::optional<Watch> watch;
  // Shuffles the rows of a stream whose first rows are sorted by class, or whose class frequencies differ between parts
  // of the file, and reports it in a note. Needs a number of passes.
  bool shuffle_sorted = false;
  // The plan may add logarithms of columns; train() itself adds none.
  bool logarithms = true;
  // Replaces the final weights of a stream by better ones, if they are much worse on a sample of it (Guarded).
  bool guard_stream = true;
  // Also sums what bounds the loss of every linear model on the rounds of this run (detail/bounds/least_loss.h); needs a rule
  // with a convex loss. A resumed run continues its model's sums. `least_loss_norm`: the norm of the models that the
  // bound covers; empty: that of the returned weights, rounded up to three digits.
  bool least_loss = false;
  std::optional<double> least_loss_norm;
  // The method to fit at the end on the held-out rows, of which there must be some. Empty: none for a new run, the
  // model's method for a resumed one. Curves fitted by folds describe the rows of those folds: resuming an interrupted
  // run keeps them, resuming a finished run is Error(usage). `none` drops the calibration.
  std::optional<CalibrationMethod> calibrate;
  // Curves that choose() fitted by folds. The model and its checkpoints store them, and nothing is fitted at the end.
  std::optional<Calibration> calibration;
  // Places the decision threshold of two classes at the end (threshold.h): on the held-out rows, of which there must be
  // some, unless choose() has placed it. A resumed run does not keep its model's threshold.
  std::optional<ThresholdChoice> threshold;
  // Keeps the nonconformities of the held-out rows, of which there must be some, for prediction sets
  // (prediction_sets.h). A resumed run does so if its model does, with the rows that it holds out itself; it drops them,
  // with a note, if it reads a file again: rows held out there may have been trained on.
  bool conformal = false;
  // Issues an adaptive prediction set with this coverage for each row of the first pass before its label is learned:
  // TrainResult::sets. Needs rows in file order: orders `stream` and `cyclic` only. A resumed run begins anew.
  std::optional<double> sets;
  // Also sums how much each feature varies (feature_spread.h), unless there are too many. A resumed run continues its
  // model's sums.
  bool spread = false;
  RowsOptions memory;
  // One pass: bytes of rows to keep, so that a small stream can be evaluated as a whole at its end. Of a longer stream
  // only the rows that changed the weights are kept, within `memory`, for the bound. 0: keeps no row and computes
  // neither the training error nor the bound.
  std::uint64_t stream_memory = std::uint64_t{8} << 20;
  // The model to resume: composition, labels, columns, normalisation and position in the data are the model's. If a
  // stream was interrupted within a file, the same file must be given: its processed rows are skipped, and held-out
  // rows count as before. If the run finished, training continues with all given rows, and on_note is called; a
  // finished run over kept rows does so, as a stream, unless `until` is set. Not owned.
  const Model* resume = nullptr;

  // Setting it ends the run soon, even while waiting for a pipe. The result is the model so far; before the first row
  // train() throws Interrupted.
  const std::atomic<bool>* interrupt = nullptr;
  double confidence = 0.95;  // of the bounds on new rows
  // What ranks candidates (choose.h). Rows count by their weights; the accuracy weighs them by their classes, too.
  Metric metric = Metric::accuracy;
  MetricOptions metric_options;
  // These rows also chose the composition (choose.h), so their mistakes yield no bound on new rows.
  bool searched = false;
  std::function<void(const RoundView&)> observer;  // after every round
  std::function<void(const Block&)> on_rows;       // the training rows, once, in file order, as the rule receives them
  std::function<void(const Ledger&)> on_ledger_row;  // after 1, 2, 4, 8 ... rounds
  std::function<void(const Ledger&)> on_progress;    // every few thousand rounds
  std::function<void(double)> on_errors;             // as Game::on_errors
  // Of an objective and two classes: between passes.
  std::function<void(const OptimumProgress&)> on_minimizing{};
  // Receives checkpoints: the model as if the run were interrupted now. Resuming from one gives the same bits as an
  // uninterrupted run. An exception thrown here ends the run.
  std::function<void(const Model&)> on_checkpoint;
  Checkpoint checkpoint;  // when; empty: never
  bool record = false;    // for figures: TrainResult::recording
};

struct Holdout {
  double rows = 0, errors = 0;    // a row of weight k counts as k rows
  std::vector<double> confusion;  // classes x classes: [truth * classes + predicted]
  bool whole = true;              // all weights are whole numbers
};

struct Seconds {
  double total = 0, read = 0, learn = 0;  // read: waiting for data with nothing to train on
};

// What replaces the final weights of a stream: one member's average, the most frequent class, or weights learned from a
// sample of the stream in random order.
enum class Substitute : std::uint8_t { average, constant, sample };

template <>
struct NamesOf<Substitute> {
  static constexpr Name<Substitute> table[] = {
      {Substitute::average, "average", "one member's average"},
      {Substitute::constant, "constant", "always the most frequent class"},
      {Substitute::sample, "sample", "learned from a sample of the stream in random order"},
  };
};

// The replacement for the final weights of a stream if they were much worse on a sample of the stream (guard.h).
struct Guarded {
  std::uint64_t rows = 0;                       // sample rows
  std::uint64_t errors = 0, errors_before = 0;  // of the model's weights, and of the final weights
  Substitute by = Substitute::average;
};

// The adaptive prediction sets of a run's first pass.
struct IssuedSets {
  AdaptiveSets sets;
  SetCounts counts;  // of more than two classes only `rows` and `covered` are known
};

struct TrainResult {
  Model model;
  ReadReport report;
  std::uint64_t learned_rows = 0;  // distinct training rows, without held-out ones
  std::optional<Evaluation>
      evaluation;  // of the returned weights on them; empty if the rows were not kept, or for a vote
  std::optional<double> training_errors;  // of the model's predictions on them; a row of weight k counts as k rows
  double training_rows = 0;               // what they are a share of
  std::optional<MistakeBound> bound;
  std::string why_no_bound;               // reason as text, if there is none
  std::optional<RegretOfExperts> regret;  // of a rule that mixes experts
  // No unit vector has a larger margin on the training rows: |w| / (sum of steps), for perceptrons from 0; else empty.
  std::optional<double> margin_ceiling;
  double weight_norm = 0;               // of the returned weights, bias included
  std::optional<LeastLoss> least_loss;  // if requested
  std::optional<Holdout> holdout;
  // Expected error on new rows: from the held-out rows if there are any, else from the run's own mistakes.
  std::optional<ExpectedError> expected_error;
  std::string why_no_expected_error;  // reason as text, if there is none
  std::string threshold_by;  // what placed the model's threshold: the name of a metric, or "probability"; empty: none
  std::optional<Guarded> guarded;
  std::optional<MinimumReached> minimum;  // of an objective
  std::optional<IssuedSets> sets;         // if requested
  std::vector<MixtureMember> followed;    // at the end, of a rule that mixes experts
  std::optional<Recording> recording;     // if requested
  Seconds seconds;
};

// Returns the composition adapted to the labels: with more than two classes a perceptron, pa, pa1 or pa2 becomes the
// multiclass rule with that update.
Composition fit_to_labels(Composition composition, const Labels& labels);

// Returns whether resuming this model treats the given rows as new ones, each once and in order: the run has finished,
// and `until` does not extend it over its old rows.
bool goes_on_as_a_stream(const Model& before, const Until& until);

// Replaces balanced class weights by numbers, so that every class weighs the same in all: rows / (classes * rows of the
// class), over the rows that the holdout leaves, each counted by its weight. Reads the data once; does nothing unless
// options.read.labels.balanced. Throws Error(usage) for data that can be read only once, or a resumed run; else as
// Reader does.
void balance_classes(TrainOptions& options);

TrainResult train(const TrainOptions& options);

}  // namespace halfspace
