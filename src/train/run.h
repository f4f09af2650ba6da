// A run of training, whichever way it takes its rows: its reader, learner, model so far, and clock; and the rows that it
// leaves to be looked at again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/bound_search.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/recording.h"
#include "halfspace/train/train.h"
#include "train/checkpoints.h"
#include "train/guard.h"

namespace halfspace::training {

struct Run {
  // Checks the options and opens the data: everything is new, or that of the model to go on with. Keeps a reference to
  // the options.
  explicit Run(const TrainOptions& given);
  // The same for rows that the caller gives, without a reader.
  Run(const TrainOptions& given, Schema schema);

  const TrainOptions& options;
  Clock::time_point began = Clock::now();
  Model model;
  std::optional<Reader> reader;  // none where the caller gives the rows
  std::unique_ptr<Learner> learner;
  Generator generator;
  Ledger ledger;
  Recorder recorder;                   // used when the run is to be recorded
  std::optional<Beginning> beginning;  // of the rows at hand, where rows came before them
  Checkpoints checkpoints;
  ReadReport report;
  double reading = 0, learning = 0;  // seconds
  std::uint64_t width = 0;           // weights for which there is room
  std::uint64_t memory_told = 0;     // bytes that were said to be taken
  bool looked = false;               // at the first block

  const RuleEntry& rule() const { return entry_of(model.composition.rule); }
  bool held_out(std::uint64_t row) const;
  Limits limits() const;
  // Tells why to stop now, if at all; looked at between blocks.
  Stopped pressed() const;
  // Reads the data once, and measures the time spent waiting; schema and report are then those of the rows read. Returns
  // false if the interrupt flag ended a wait for more.
  bool read(const std::function<bool(const Block&)>& consume);
  // Gives a block to `consume`, after a look at what it asks of memory and, the first, at its values.
  bool take(const Block& block, const std::function<bool(const Block&)>& consume);
  // Takes over what a source has found on the way: a schema that may have grown, and its report.
  void note_source(const Schema& schema, const ReadReport& report);
  const Schema& schema_of_source() const { return reader ? reader->schema() : model.schema; }
  bool rewindable() const { return reader && reader->rewindable(); }
  // How to read the data once more: as the run itself reads them, but for what it says on the way.
  ReadOptions read_again() const;
  // Tells whether parameters wait for rows to be suited to: until a round is played.
  bool unsuited() const { return needs_tuning(model.composition) && ledger.rounds == 0; }
  // Suits them to the rows to learn from, before any is played.
  void suit_to(const Rows& rows);
  // The same for rows that are played as they come, which are read twice; those of a pipe keep the default.
  void suit_beforehand();
  // Plays rows that are sorted by class in random order, once the first rows show it, and says so.
  void shuffle_sorted();
  // Lets the learner take a block; counts the time.
  std::size_t play(const Block& block);
  // Returns about how many bytes the learner and all that is made of its weights take at most.
  std::uint64_t memory_for(std::uint64_t features) const;
  // Says what the weights take when that is much. Throws Error(data) that names the row whose features are too many for
  // weights in memory.
  void check_width(const Block& block);
  // Makes everything new, or that of the model to go on with.
  void begin(const Schema& schema);
  void make();
  // Gives such parameters their defaults for good: the model, and runs that go on with it, know no others.
  void keep_unsuited();
  void show_progress() const {
    if (options.on_progress) options.on_progress(ledger);
  }
};

// Rows are kept packed.
RowsOptions packed(const TrainOptions& options);

// Which rows of its source a stream took: those of number first + 1 to last; rows of earlier sources came before them.
struct RowsTaken {
  std::uint64_t first = 0, last = UINT64_MAX, offset = 0;
};

struct PlayedRows {
  explicit PlayedRows(const TrainOptions& options) : rows(packed(options)), held(packed(options)) {}

  Rows rows, held;                     // played and held out
  bool whole = true;                   // `rows` are all that were played, not only those that moved the weights
  bool visits_known = true;            // how often each was played
  bool unbounded = false;              // a segment of the run had no bound
  std::optional<Beginning> beginning;  // of the first of several segments, where rows came before it
  bool segmented = false;
  RowsTaken taken;                    // of a stream
  std::uint64_t learned = 0;          // distinct rows played
  std::vector<std::uint64_t> moved;   // a stream's: positions in `rows` that moved the weights, while whole
  std::vector<std::uint32_t> visits;  // orders that jump about
  std::optional<Guard> guard;         // a stream's, of a learner that could hand out others
};

// Returns the digest of a row: its label, indices and values. Tells whether data gone on with are those that were
// broken off.
std::string row_digest(const Block& block, std::size_t i);

}  // namespace halfspace::training
