// Reads and keeps rows, then trains on them in the order of the composition.
#include "train/run/kept_run.h"

#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/game/game.h"
#include "train/run/objective.h"
#include "train/run/split.h"

namespace halfspace::training {

void KeptRun::play() {
  const bool normalize = run_.options.normalize_columns, standard = run_.options.standard_columns;
  const OrderName order = run_.model.composition.order;
  if (run_.ledger.pass.empty()) run_.ledger.pass.emplace_back();
  kept_.rows.borrow(run_.reader->mapping());
  if (run_.model.spread) run_.model.spread.emplace();  // a resumed run reads its rows again
  const bool overlap = order == OrderName::cyclic && !run_.beginning && !normalize && !standard;
  if (overlap) tune_defaults_beforehand(run_);
  read(overlap);
  kept_.rows.seal();
  if (normalize && !run_.beginning) scale_columns();
  if (standard) standardize_columns();
  const bool plays = stopped_ == Stopped::running || stopped_ == Stopped::updates || stopped_ == Stopped::budget;
  if (!overlap && plays) run_.tune_defaults(kept_.rows);  // not on rows read before an interrupt
  if (normalize) show_rows();
  check_source();
  // Orders that jump need all weights at once; in file order the weights grow row by row, as before an interrupt.
  if (order != OrderName::cyclic) run_.learner->grow(kept_.rows.features());
  run_.model.position.rows = run_.report.rows + run_.report.rejected;
  if (!plays) {
    run_.ledger.stopped = stopped_;
    kept_.visits_known = complete_;
  } else if (run_.options.objective) {
    minimize_objective(run_, kept_.rows);
  } else {
    play_passes();
  }
  if (standard) run_.ledger.new_rows = NewRows::standard;  // whatever else holds
}

// `overlap`: run the first pass while reading.
void KeptRun::read(bool overlap) {
  const bool read = run_.read([&](const Block& whole) {
    const Block block = split(whole);
    kept_.rows.append(block);
    kept_.learned += block.rows;
    run_.add_to_spread(block, block.rows);
    if (run_.options.on_rows && !run_.options.normalize_columns) run_.options.on_rows(block);
    if (overlap && stopped_ == Stopped::running) {
      run_.play(block);
      stopped_ = run_.pressed();
      run_.show_progress();
      if (stopped_ == Stopped::running && run_.checkpoints.due(run_.ledger)) emit_checkpoint(whole);
    } else if (stopped_ == Stopped::running) {
      stopped_ = run_.pressed() == Stopped::interrupted ? Stopped::interrupted : Stopped::running;
    }
    // Out of time: stop reading. Out of updates: read on, to evaluate the result on all rows.
    complete_ = stopped_ != Stopped::interrupted && stopped_ != Stopped::time;
    return complete_;
  });
  if (read || !complete_) return;
  stopped_ = Stopped::interrupted;
  complete_ = false;
}

// While rows are still being read.
void KeptRun::emit_checkpoint(const Block& whole) {
  Position position = run_.model.position;
  position.rows = whole.row[whole.rows - 1];
  run_.checkpoints.emit(run_, run_.reader->schema(), std::move(position));
}

// Returns the training rows; stores the others as held out. Rows of weight 0 are neither.
Block KeptRun::split(const Block& whole) {
  if (run_.model.holdout == 0) return rows_that_count(whole, learned_);
  learned_.clear();
  for (std::size_t i = 0; i < whole.rows; ++i) {
    if (whole.weight != nullptr && !(whole.weight[i] > 0)) continue;
    if (run_.held_out(whole.row[i])) {
      kept_.held.append(whole, i);
    } else {
      learned_.append(whole, i);
    }
  }
  return learned_.finish();
}

void KeptRun::scale_columns() {
  const RowsOptions memory = packed(run_.options);
  std::vector<std::int16_t>& exponents = run_.model.schema.exponents;
  exponents = training::column_exponents(kept_.rows);
  if (run_.model.spread) run_.model.spread->scale(exponents);
  run_.ledger.no_new_rows(NewRows::scaled);
  kept_.rows = training::scaled(kept_.rows, exponents, memory);
  kept_.held.seal();
  kept_.held = training::scaled(kept_.held, exponents, memory);
}

void KeptRun::standardize_columns() {
  const bool biased = run_.model.composition.bias.position != Bias::none;
  kept_.given = std::move(kept_.rows);
  kept_.standard.emplace(*kept_.given, run_.model.schema, biased);
  kept_.rows = kept_.standard->applied(*kept_.given, packed(run_.options));
  run_.ledger.no_new_rows(NewRows::scaled);
}

void KeptRun::show_rows() const {
  if (!run_.options.on_rows) return;
  UnpackBuffer room;
  for (std::size_t b = 0; b < kept_.rows.blocks(); ++b) run_.options.on_rows(kept_.rows.block(b).plain(room));
}

// Rejects other rows when a run over kept rows is resumed.
void KeptRun::check_source() {
  if (!complete_) return;
  const std::string now = run_.report.fingerprint;
  std::string& source = run_.model.position.source;
  if (run_.beginning && !source.empty() && source != now) {
    throw Error(ErrorKind::data, "the data differ from those this model was trained on (text digest " + now +
                                     ", the model's " + source + ")")
        .at(run_.options.read.path)
        .fix("give the same data to continue passes over them, or use " + option("order", "stream") +
             " from the start to train on new rows");
  }
  source = now;
}

void KeptRun::play_passes() {
  Game game;
  game.order = run_.model.composition.order;
  game.until = run_.options.until;
  game.began = run_.began;
  game.interrupt = run_.options.interrupt;
  game.on_errors = run_.options.on_errors;
  game.on_pause = [this](const Ledger& ledger) {
    if (run_.options.on_progress) run_.options.on_progress(ledger);
    if (run_.checkpoints.due(ledger)) run_.checkpoints.emit(run_, run_.model.schema, run_.model.position);
  };
  const bool count = game.order != OrderName::cyclic;
  const auto begin = Clock::now();
  halfspace::play(*run_.learner, kept_.rows, game, run_.generator, run_.ledger,
                  {.order = &run_.model.position.order, .visits = count ? &kept_.visits : nullptr});
  run_.learning += seconds_since(begin);
}

}  // namespace halfspace::training
