// Training, whole: a file of examples in, a model and its ledger out.
//
//   TrainOptions options;
//   options.read.path = "credit.csv";  // or options.read.rows: rows in memory
//   options.composition = ...;            // rule x order x keep
//   const TrainResult result = train(options);
//   save_model(result.model, "credit.model");
//
// One pass (order `stream`) plays rows as they are read, in memory that does not grow with the rows. Every other order
// keeps the rows: in memory within the budget, else in a temporary file; `cyclic` plays its first pass while reading.
//
// Same bits: the model depends on the data, the options and the seed alone; not on threads, block sizes, or on whether
// the run was interrupted and resumed.
//
// Throws Error; then nothing has been written anywhere. Thread-safety: calls are independent of one another.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/bounds/bound_search.h"
#include "halfspace/bounds/least_loss.h"
#include "halfspace/game/learner.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"
#include "halfspace/train/new_rows.h"
#include "halfspace/train/recording.h"

namespace halfspace {

// How much of a run may be lost when its process dies. Looked at between blocks of rows: a run that goes on from the last
// model handed out repeats at most so many rounds, or what was done in so many seconds and a block.
struct Checkpoint {
  std::optional<std::uint64_t> rounds{};
  std::optional<double> seconds{};
};

struct TrainOptions {
  ReadOptions read;
  Composition composition;
  Until until;
  // Each column divided by the power of two that brings its largest value into (1/2, 1]: loses nothing, needs the rows
  // kept.
  bool normalize_columns = false;
  // Row r (1-based) is held out when floor(r * holdout) > floor((r - 1) * holdout): evenly spread, 0.2 is every fifth
  // row.
  double holdout = 0;
  // The watch that the ledger keeps on the first pass: rows in file order, so orders `stream` and `cyclic` alone.
  // A resumed run watches on as its model does.
  std::optional<Watch> watch;
  // Plays a stream from files whose first rows are sorted by class, or whose classes have other shares in other parts of
  // the file, in the order shuffled, and says so; give it a number of
  // passes.
  bool shuffle_sorted = false;
  // Sums up, beside a rule with a convex loss, what bounds the loss of every linear model on the rounds played
  // (bounds/least_loss.h). A resumed run sums on as its model does. `least_loss_norm`: of the models that the bound is
  // about; empty: that of the weights handed out, rounded up to three digits.
  bool least_loss = false;
  std::optional<double> least_loss_norm;
  // The method to fit at the end on the held-out rows, of which there must be some. Empty: none for a new run; the model's
  // method for a resumed one. Curves by folds describe the rows of those folds: resuming an interrupted run keeps them,
  // resuming a run that ended is Error(usage). `none` drops the calibration.
  std::optional<CalibrationMethod> calibrate;
  // Curves that choose() has fitted by folds. The model and its checkpoints take them, and nothing is fitted at the end.
  std::optional<Calibration> calibration;
  RowsOptions memory;
  // One pass: so many bytes of rows are kept, so that a small stream can be evaluated as a whole at its end. Of a longer
  // one only the rows that moved the weights are kept, within `memory`, for the bound. 0: no row is kept, and neither the
  // error on the rows nor the bound is computed.
  std::uint64_t stream_memory = std::uint64_t{8} << 20;
  // Goes on with this model: composition, labels, columns and normalisation are the model's, and so is its place in
  // the data. If a stream was interrupted within a file, the same file must be given: rows it has learned are skipped,
  // and held-out rows count as before. If it ended, learning goes on with all rows given, and on_note is called. So it
  // does, as a stream, after a run over kept rows that ended, where `until` says nothing. Not owned.
  const Model* resume = nullptr;

  // Setting it ends the run soon, even while waiting for a pipe. The result is the model of the rounds so far; before the
  // first row train() throws Interrupted.
  const std::atomic<bool>* interrupt = nullptr;
  double confidence = 0.95;  // of what is said of new rows
  // These rows chose the composition, too (choose.h): their mistakes tell nothing of new rows.
  bool searched = false;
  std::function<void(const RoundView&)> observer;  // after every round
  std::function<void(const Block&)> on_rows;  // the rows to learn from, once, in file order, as the rule will see them
  std::function<void(const Ledger&)> on_ledger_row;  // after 1, 2, 4, 8 ... rounds
  std::function<void(const Ledger&)> on_progress;    // every few thousand rounds
  // On the way, the model as it would be if the run were broken off now: gone on with by `resume`, it ends in the same
  // bits as if nothing had happened. Whatever this throws ends the run.
  std::function<void(const Model&)> on_checkpoint;
  Checkpoint checkpoint;  // when; empty: never
  bool record = false;    // for figures: TrainResult::recording
};

struct Holdout {
  std::uint64_t rows = 0, errors = 0;
  std::vector<std::uint64_t> confusion;  // classes x classes: [truth * classes + predicted]
};

struct Seconds {
  double total = 0, read = 0, learn = 0;  // read: waiting for data while nothing could be learned
};

// What replaces the final weights of a stream: the average of a member, the most frequent class, or what was learned from a
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

// The model of a stream when its final weights were much worse on a sample of the stream (train/plan.h's one pass).
struct Guarded {
  std::uint64_t rows = 0;                       // of the sample that judged
  std::uint64_t errors = 0, errors_before = 0;  // of the model's weights, and of the final ones
  Substitute by = Substitute::average;
};

struct TrainResult {
  Model model;
  ReadReport report;
  std::uint64_t learned_rows = 0;  // distinct rows played, held-out ones not among them
  std::optional<Evaluation>
      evaluation;  // of the handed-out weights on them; empty when they were not kept, or for a vote
  std::optional<std::uint64_t> training_errors;  // of what the model predicts on them
  std::optional<MistakeBound> bound;
  std::string why_no_bound;               // in words, where there is none
  std::optional<RegretOfExperts> regret;  // of a rule that follows experts
  // No unit vector has a larger margin on the rows played: |w| / (sum of steps), for perceptrons from 0, else empty.
  std::optional<double> margin_ceiling;
  double weight_norm = 0;               // of the handed-out weights, bias included
  std::optional<LeastLoss> least_loss;  // when it was asked for
  std::optional<Holdout> holdout;
  // What to expect of new rows: from the rows held out where there are some, else from the run's own mistakes.
  std::optional<ExpectedError> expected_error;
  std::string why_no_expected_error;  // in words, where there is none
  std::optional<Guarded> guarded;
  std::vector<FollowedMember> followed;  // at the end, by a rule that follows experts
  std::optional<Recording> recording;    // when it was asked for
  Seconds seconds;
};

// Returns the composition that the labels ask for: a perceptron, or pa, pa1, pa2, on more than two classes is the
// multiclass rule with that update.
Composition fit_to_labels(Composition composition, const Labels& labels);

// Tells whether a run that goes on with this model plays the rows given as new ones, each once and in their order: a run that
// ended, where nothing says how long to go on with the rows that it had.
bool goes_on_as_a_stream(const Model& before, const Until& until);

TrainResult train(const TrainOptions& options);

}  // namespace halfspace
