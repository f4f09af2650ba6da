// Rows read and kept, then played in the order of the composition.
#include "train/kept_run.h"

#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/game/game.h"
#include "train/split.h"

namespace halfspace::training {

void KeptRun::play() {
  const bool normalize = run_.options.normalize_columns;
  const OrderName order = run_.model.composition.order;
  if (run_.ledger.pass.empty()) run_.ledger.pass.emplace_back();
  played_.rows.borrow(run_.reader->mapping());
  const bool overlap = order == OrderName::cyclic && !run_.beginning && !normalize;
  if (overlap) run_.suit_beforehand();
  read(overlap);
  played_.rows.seal();
  if (normalize && !run_.beginning) scale_columns();
  const bool plays = stopped_ == Stopped::running || stopped_ == Stopped::updates;
  if (!overlap && plays) run_.suit_to(played_.rows);  // not to those that were read before an interrupt
  if (normalize) show_rows();
  check_source();
  // Orders that jump about need all weights at once; walking in file order they grow row by row, as they did before a
  // run was broken off.
  if (order != OrderName::cyclic) run_.learner->grow(played_.rows.features());
  run_.model.position.rows = run_.report.rows + run_.report.rejected;
  if (!plays) {
    run_.ledger.stopped = stopped_;
    played_.visits_known = complete_;
  } else {
    play_passes();
  }
}

// `overlap`: the first pass is played on the way.
void KeptRun::read(bool overlap) {
  const bool read = run_.read([&](const Block& whole) {
    const Block block = split(whole);
    played_.rows.append(block);
    played_.learned += block.rows;
    if (run_.options.on_rows && !run_.options.normalize_columns) run_.options.on_rows(block);
    if (overlap && stopped_ == Stopped::running) {
      run_.play(block);
      stopped_ = run_.pressed();
      run_.show_progress();
      if (stopped_ == Stopped::running && run_.checkpoints.due(run_.ledger)) hand_out_checkpoint(whole);
    } else if (stopped_ == Stopped::running) {
      stopped_ = run_.pressed() == Stopped::interrupted ? Stopped::interrupted : Stopped::running;
    }
    // Out of time: the rest of the data is not needed to say so. Out of updates: it is, to judge the result.
    complete_ = stopped_ != Stopped::interrupted && stopped_ != Stopped::time;
    return complete_;
  });
  if (read || !complete_) return;
  stopped_ = Stopped::interrupted;
  complete_ = false;
}

// While the rows are still being read.
void KeptRun::hand_out_checkpoint(const Block& whole) {
  Position position = run_.model.position;
  position.rows = whole.row[whole.rows - 1];
  run_.checkpoints.hand_out(run_, run_.reader->schema(), std::move(position));
}

// The rows to learn from; the others go where rows held out are kept.
Block KeptRun::split(const Block& whole) {
  if (run_.model.holdout == 0) return whole;
  learned_.clear();
  for (std::size_t i = 0; i < whole.rows; ++i) {
    if (run_.held_out(whole.row[i])) {
      played_.held.append(whole, i);
    } else {
      learned_.append(whole, i);
    }
  }
  return learned_.finish();
}

void KeptRun::scale_columns() {
  const RowsOptions memory = packed(run_.options);
  std::vector<std::int16_t>& exponents = run_.model.schema.exponents;
  exponents = training::column_exponents(played_.rows);
  run_.ledger.no_new_rows(NewRows::scaled);
  played_.rows = training::scaled(played_.rows, exponents, memory);
  played_.held.seal();
  played_.held = training::scaled(played_.held, exponents, memory);
}

void KeptRun::show_rows() const {
  if (!run_.options.on_rows) return;
  UnpackBuffer room;
  for (std::size_t b = 0; b < played_.rows.blocks(); ++b) run_.options.on_rows(played_.rows.block(b).plain(room));
}

// A run over kept rows that goes on must go on over the same rows.
void KeptRun::check_source() {
  if (!complete_) return;
  const std::string now = run_.report.fingerprint;
  std::string& source = run_.model.position.source;
  if (run_.beginning && !source.empty() && source != now) {
    throw Error(ErrorKind::data, "these are not the data this model was trained on (text digest " + now +
                                     ", the model's " + source + ")")
        .at(run_.options.read.path)
        .fix("give the same data to go on with passes over them, or use " + option("order", "stream") +
             " from the start to learn from new rows");
  }
  source = now;
}

void KeptRun::play_passes() {
  Game game;
  game.order = run_.model.composition.order;
  game.until = run_.options.until;
  game.began = run_.began;
  game.interrupt = run_.options.interrupt;
  game.on_pause = [this](const Ledger& ledger) {
    if (run_.options.on_progress) run_.options.on_progress(ledger);
    if (run_.checkpoints.due(ledger)) run_.checkpoints.hand_out(run_, run_.model.schema, run_.model.position);
  };
  const bool count = game.order != OrderName::cyclic;
  const auto begin = Clock::now();
  halfspace::play(*run_.learner, played_.rows, game, run_.generator, run_.ledger,
                  {.order = &run_.model.position.order, .visits = count ? &played_.visits : nullptr});
  run_.learning += seconds_since(begin);
}

}  // namespace halfspace::training
