// A training run, for any source of rows: its reader, learner, model so far and clock; and the rows it keeps for the
// final report.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/detail/train/recording.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/train.h"
#include "train/metrics/row_counts.h"
#include "train/run/checkpoints.h"
#include "train/run/guard.h"
#include "train/run/standard.h"

namespace halfspace::training {

struct Run {
  // Checks the options and opens the data: starts anew, or resumes a model. Keeps a reference to the options.
  explicit Run(const TrainOptions& given);
  // Does the same for rows of the caller, without a reader.
  Run(const TrainOptions& given, Schema schema);

  const TrainOptions& options;
  Clock::time_point began = Clock::now();
  Model model;
  std::optional<Reader> reader;  // empty if the caller gives the rows
  std::unique_ptr<Learner> learner;
  Generator generator;
  Ledger ledger;
  Recorder recorder;                   // used if the run is recorded
  std::optional<Beginning> beginning;  // the state before the kept rows, if rows came earlier
  Checkpoints checkpoints;
  ReadReport report;
  double reading = 0, learning = 0;       // seconds
  std::uint64_t width = 0;                // weights that memory was checked for
  std::uint64_t memory_reported = 0;      // bytes that the last note reported
  bool checked_first_block = false;       // checked the first block
  bool reads_again = false;               // a file that the model, or this run, has read before
  RowCounts counts;                       // of the training rows
  std::optional<IssuedSets> sets;         // if requested
  std::optional<MinimumReached> minimum;  // of an objective

  const RuleEntry& rule() const { return entry_of(model.composition.rule); }
  bool held_out(std::uint64_t row) const;
  Limits limits() const;
  // Returns the reason to stop now, if there is one; called between blocks.
  Stopped pressed() const;
  // Reads the data once, measuring the time spent waiting; then updates schema and report. Returns false if the
  // interrupt flag ended a wait.
  bool read(const std::function<bool(const Block&)>& consume);
  // Passes a block to `consume` after checking its memory needs and, for the first block, its values.
  bool take(const Block& block, const std::function<bool(const Block&)>& consume);
  // Copies what the source has learned: a schema that may have grown, and its report.
  void note_source(const Schema& schema, const ReadReport& report);
  const Schema& schema_of_source() const { return reader ? reader->schema() : model.schema; }
  bool rewindable() const { return reader && reader->rewindable(); }
  // Returns whether a bound can come from the margins of the rows, read a second time.
  bool bounded_by_margins() const {
    return rule().bound_from_margins && !model.composition.by_learners_of_two() && rewindable();
  }
  // Returns how to read the data again: as the run does, but without notes and rejects.
  ReadOptions read_again() const;
  // Returns whether default parameters are still to be tuned to the rows: until the first round.
  bool untuned() const { return needs_tuning(model.composition) && ledger.rounds == 0; }
  // Tunes them to the training rows, before the first round.
  void tune_defaults(const Rows& rows);
  // Adds the first rows of a block of training rows to the spread of features.
  void add_to_spread(const Block& block, std::size_t rows);
  // Trains on a block; counts the time.
  std::size_t play(const Block& block);
  // Returns about how many bytes the learner and everything made of its weights take at most.
  std::uint64_t memory_for(std::uint64_t features) const;
  // Reports the memory of the weights if it is large. Throws Error(data) with the row whose features are too many for
  // weights in memory.
  void check_width(const Block& block);
  // Starts anew, or resumes a model.
  void begin(const Schema& schema);
  void make();
  // Issues the set of a row before its label, and learns the truth.
  void issue_set(const RoundView& round);
  void show_progress() const {
    if (options.on_progress) options.on_progress(ledger);
  }
};

// Tunes default parameters to rows that are trained on as they come, by reading the data twice; a pipe keeps the
// defaults.
void tune_defaults_beforehand(Run& run);
// Switches to random order, with a note, if the first rows are sorted by class.
void shuffle_sorted(Run& run);

// Rows are kept packed.
RowsOptions packed(const TrainOptions& options);

// The rows that a stream took from its source: numbers first + 1 to last; rows of earlier sources come before.
struct RowsTaken {
  std::uint64_t first = 0, last = UINT64_MAX, offset = 0;
};

// Rows of a stream of any length at even distances, in so many bytes.
class EvenSample {
 public:
  EvenSample(std::uint64_t most_bytes, std::string folder)
      : most_bytes_(most_bytes), memory_{UINT64_MAX, std::move(folder)} {}

  // To be called for each row in order.
  void see(const Block& block, std::size_t i) {
    if (seen_++ % distance_ != 0) return;
    rows_.append(block, i);
    if (rows_.size() > most_rows || rows_.bytes() > most_bytes_) thin_out();
  }
  // Returns the rows. No more are seen then.
  const Rows& rows() {
    rows_.seal();
    return rows_;
  }

 private:
  static constexpr std::uint64_t most_rows = 16'384;

  void thin_out();

  std::uint64_t most_bytes_;
  RowsOptions memory_;
  Rows rows_{memory_};
  std::uint64_t seen_ = 0, distance_ = 1;
};

struct KeptRows {
  explicit KeptRows(const TrainOptions& options) : rows(packed(options)), held(packed(options)) {}

  // Training rows, as the rule learns from them, and held-out rows.
  Rows rows, held;
  std::optional<StandardColumns> standard;  // then `given` are the training rows by the data's own values
  std::optional<Rows> given;
  bool whole = true;                   // `rows` holds all training rows, not only those that changed the weights
  bool visits_known = true;            // the number of visits of each row
  bool unbounded = false;              // a segment of the run had no bound
  std::optional<Beginning> beginning;  // of the first of several segments, if rows came before it
  bool segmented = false;
  RowsTaken taken;                    // of a stream
  std::uint64_t learned = 0;          // distinct training rows
  std::vector<std::uint64_t> moved;   // of a stream: indices in `rows` of those that changed the weights, while whole
  std::vector<std::uint32_t> visits;  // for orders that jump
  std::optional<Guard> guard;         // of a stream whose learner has alternative results
  std::optional<EvenSample> sample;   // of a stream that is not kept, and that may be read again
};

// Returns the digest of a row: label, indices and values. Detects whether a resumed run gets the data it was
// interrupted in.
std::string row_digest(const Block& block, std::size_t i);

}  // namespace halfspace::training
