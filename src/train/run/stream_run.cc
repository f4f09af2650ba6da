// Feeds blocks from the reader to the learner, and keeps some of their rows.
#include "train/run/stream_run.h"

#include <algorithm>
#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/rules/hedge_mixture.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/source/raw_file.h"
#include "train/run/verdict.h"

namespace halfspace::training {

StreamRun::StreamRun(Run& run, KeptRows& kept)
    : run_(run),
      kept_(kept),
      skip_(run.model.position.unfinished),
      offset_(run.model.position.rows - skip_),
      last_(skip_),
      found_(skip_ == 0),
      seen_(run.beginning ? run.model.schema.features : 0) {}

void StreamRun::play() {
  begin();
  end(run_.read([this](const Block& block) { return take(block); }));
}

void StreamRun::begin() {
  note_ended_run();
  tune_defaults_beforehand(run_);
  if (run_.options.stream_memory == 0) {
    kept_.whole = false;
    kept_.unbounded = true;
  }
  run_.learner->moved = &moved_;
  if (run_.options.guard_stream && run_.learner->alternatives() > 0) kept_.guard.emplace();
  if (run_.ledger.pass.empty()) run_.ledger.pass.emplace_back();
}

void StreamRun::end(bool whole) {
  if (!whole && stopped_ == Stopped::end) {
    stopped_ = Stopped::interrupted;
    if (!last_row_.empty()) run_.model.position.last_row = last_row_;
  }
  run_.learner->moved = nullptr;
  finish();
}

// Notes that a finished run continues: rows trained on before would count twice.
void StreamRun::note_ended_run() const {
  if (run_.options.resume == nullptr || skip_ != 0 || run_.ledger.rounds == 0 || !run_.options.read.on_note) return;
  const std::size_t more = run_.options.read.more.size();
  const std::string files =
      stream::shown_name(run_.options.read.path) + (more == 0 ? "" : " and " + std::to_string(more) + " more");
  run_.options.read.on_note({"this model's run ended after " + std::to_string(run_.ledger.rounds) +
                                 (run_.ledger.rounds == 1 ? " round" : " rounds") +
                                 ": training continues with all rows of " + files,
                             "leave out rows the model was trained on: they would count twice"});
}

// Skips the rows taken before the run was interrupted, but keeps held-out ones. Returns how many rows of the block were
// skipped.
std::size_t StreamRun::skip_taken(const Block& whole) {
  std::size_t from = 0;
  for (; from < whole.rows && whole.row[from] <= skip_; ++from) {
    if (run_.held_out(offset_ + whole.row[from])) {
      if (whole.weight == nullptr || whole.weight[from] > 0) kept_.held.append(whole, from);
    } else if (kept_.guard) {
      kept_.guard->see(whole, from);
    }
    if (whole.row[from] == skip_) found_ = row_digest(whole, from) == run_.model.position.last_row;
    if (whole.row[from] == skip_ && !found_) break;
  }
  if (found_ || from == whole.rows) return from;
  throw Error(ErrorKind::data,
              "row " + std::to_string(skip_) + " differs from the row at which this model's run was interrupted")
      .at(run_.options.read.path)
      .fix("give the same data as before, or train a new model");
}

bool StreamRun::take(const Block& whole) {
  if (stopped_ != Stopped::end) return false;
  const std::size_t from = skip_taken(whole);
  if (from == whole.rows) return true;
  const Block block = split(whole, from);
  if (run_.options.on_rows) run_.options.on_rows(block);
  const std::size_t played = play(block);
  last_ = played < block.rows ? block.row[played - 1] : whole.row[whole.rows - 1];
  if (run_.model.holdout > 0) {
    const Block held = held_.finish();
    for (std::size_t i = 0; i < held.rows && held.row[i] <= last_; ++i) kept_.held.append(held, i);
  }
  const Stopped why = run_.pressed();
  run_.show_progress();
  if (why == Stopped::running) {
    seen_ = std::max(seen_, whole.features);
    last_row_ = row_digest(whole, whole.rows - 1);
    if (run_.checkpoints.due(run_.ledger)) emit_checkpoint();
    return true;
  }
  stop(why, whole, block, played);
  return false;
}

// Returns the training rows; the held-out ones wait in held_. Rows of weight 0 are neither.
Block StreamRun::split(const Block& whole, std::size_t from) {
  if (run_.model.holdout == 0 && from == 0) return rows_that_count(whole, learned_);
  learned_.clear();
  held_.clear();
  for (std::size_t i = from; i < whole.rows; ++i) {
    if (whole.weight != nullptr && !(whole.weight[i] > 0)) continue;
    (run_.held_out(offset_ + whole.row[i]) ? held_ : learned_).append(whole, i);
  }
  return learned_.finish();
}

// Returns the block with row numbers that go on from the sources before, by which a rule chooses its validation rows: a
// resumed run is the run that was never stopped.
Block StreamRun::numbered(const Block& block) {
  const Composition& c = run_.model.composition;
  if (offset_ == 0 || find_use(c.rule, parameter::validation_share.name) == nullptr ||
      !(c.value(parameter::validation_share) > 0))
    return block;
  numbers_.resize(block.rows);
  for (std::size_t i = 0; i < block.rows; ++i) numbers_[i] = offset_ + block.row[i];
  Block result = block;
  result.row = numbers_.data();
  return result;
}

std::size_t StreamRun::play(const Block& block) {
  moved_.clear();
  const std::size_t played = run_.play(numbered(block));
  const auto begin = Clock::now();
  for (std::size_t i = 0; kept_.guard && i < played; ++i) kept_.guard->see(block, i);
  kept_.learned += played;
  keep(block, played);
  run_.add_to_spread(block, played);
  run_.learning += seconds_since(begin);
  return played;
}

void StreamRun::keep(const Block& block, std::size_t played) {
  Rows& rows = kept_.rows;
  const std::uint64_t most = run_.options.stream_memory;
  for (std::size_t i = 0; kept_.sample && i < played; ++i) kept_.sample->see(block, i);
  if (kept_.whole) {
    for (const std::uint32_t i : moved_) kept_.moved.push_back(rows.size() + i);
    if (played == block.rows) {
      rows.append(block);
    } else {
      for (std::size_t i = 0; i < played; ++i) rows.append(block, i);
    }
    if (rows.bytes() > most) keep_only_moved();
  } else if (!kept_.unbounded) {
    for (const std::uint32_t i : moved_) rows.append(block, i);
    if (rows.bytes() > longest_segment(block.features)) close_segment();
  }
}

// The stream is too long to keep: from now on only rows that changed the weights are kept.
void StreamRun::keep_only_moved() {
  kept_.whole = false;
  if (run_.rule().bounds == nullptr || run_.model.composition.by_learners_of_two()) {  // nobody needs them
    kept_.rows.clear();
    kept_.moved = {};
    kept_.unbounded = true;
    return;
  }
  kept_.rows.seal();
  constexpr std::uint64_t enough_to_judge = 1'000'000;  // bytes
  if (run_.bounded_by_margins())
    kept_.sample.emplace(std::max(run_.options.stream_memory, enough_to_judge), run_.options.memory.folder);
  Rows moved = few_rows();
  UnpackBuffer room;
  auto next = kept_.moved.begin();  // ascending
  for (std::size_t b = 0; b < kept_.rows.blocks(); ++b) {
    const Block block = kept_.rows.block(b).plain(room);
    for (std::size_t i = 0; kept_.sample && i < block.rows; ++i) kept_.sample->see(block, i);
    for (; next != kept_.moved.end() && *next / Rows::block_rows == b; ++next)
      moved.append(block, *next % Rows::block_rows);
  }
  kept_.rows = std::move(moved);
  kept_.moved = {};
}

// Even the rows that changed the weights are too many to keep: computes the bound on the mistakes so far, and starts
// another one from the current weights. Their sum covers the run.
void StreamRun::close_segment() {
  if (!kept_.segmented) kept_.beginning = run_.beginning;
  kept_.segmented = true;
  if (!run_.rule().bound_from_any_start) {
    kept_.unbounded = true;
    return;
  }
  kept_.rows.seal();
  run_.model.ledger = run_.ledger;
  run_.model.weights = run_.learner->result();
  run_.model.learner = run_.learner->save();
  const std::optional<MistakeBound> so_far = Verdict(run_, kept_).bound();
  // Where that is above the rounds, a second reading may find more than further rows kept.
  const bool says_nothing = so_far && whole_mistakes(so_far->value) >= run_.ledger.rounds;
  kept_.unbounded = !so_far || (says_nothing && run_.bounded_by_margins());
  run_.model.weights = {};  // until the end of the run
  run_.beginning = Beginning{run_.learner->present(), std::exchange(run_.model.learner, {}), run_.ledger,
                             so_far ? so_far->value : 0};
  kept_.rows.clear();
}

// Returns how many bytes of rows a segment takes at most. Closing it takes a few passes over all weights: the more of
// these there are, the longer it is, so that all segments together cost a small share of the rows they were made from.
std::uint64_t StreamRun::longest_segment(std::uint32_t features) const {
  const std::uint64_t worth_closing = run_.memory_for(std::max(seen_, features)) / 2;
  return std::min(std::max(run_.options.stream_memory, worth_closing), run_.options.memory.memory);
}

// Always in memory: a segment ends before it grows too large. Rows that arrive one by one are not packed.
Rows StreamRun::few_rows() const { return Rows(RowsOptions{UINT64_MAX, run_.options.memory.folder}); }

// Records where the run was interrupted.
void StreamRun::stop(Stopped why, const Block& whole, const Block& block, std::size_t played) {
  stopped_ = why;
  run_.model.position.last_row =
      played < block.rows ? row_digest(block, played - 1) : row_digest(whole, whole.rows - 1);
  for (std::size_t i = 0; i < whole.rows && whole.row[i] <= last_; ++i) {
    whole.with_example(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) seen_ = std::max(seen_, x.index[k] + 1);
    });
  }
}

void StreamRun::emit_checkpoint() {
  Position position = run_.model.position;
  position.rows = offset_ + last_;
  position.unfinished = last_;
  position.last_row = last_row_;
  run_.checkpoints.emit(run_, schema_so_far(), std::move(position));
}

Schema StreamRun::schema_so_far() const {
  Schema schema = run_.schema_of_source();
  schema.exponents = run_.model.schema.exponents;
  schema.trim(seen_);
  return schema;
}

Model StreamRun::model() const {
  Position position = run_.model.position;
  position.rows = offset_ + last_;
  position.unfinished = 0;
  position.last_row.clear();
  Model model = model_so_far(run_, schema_so_far(), std::move(position));
  model.ledger.stopped = Stopped::end;
  ++model.ledger.passes;
  return model;
}

void StreamRun::finish() {
  if (!found_ && stopped_ == Stopped::end) {
    throw Error(ErrorKind::data,
                "the data end before row " + std::to_string(skip_) + ", at which this model's run was interrupted")
        .at(run_.options.read.path)
        .fix("give the same data as before, or train a new model");
  }
  kept_.taken = {skip_, stopped_ == Stopped::end ? UINT64_MAX : last_, offset_};
  Position& position = run_.model.position;
  position.rows = offset_ + last_;
  position.unfinished = last_;
  if (stopped_ == Stopped::end) {
    position.unfinished = 0;
    position.last_row.clear();
    // Rejected rows at the very end count as taken.
    position.rows = offset_ + std::max(last_, run_.report.rows + run_.report.rejected);
    ++run_.ledger.passes;
  } else {
    // Rows after the last one taken have been read already; what only they contain is not part of the model.
    run_.model.schema.trim(seen_);
  }
  run_.ledger.stopped = stopped_;
  kept_.rows.seal();
}

}  // namespace halfspace::training
