// The orders, each a short loop over pieces of rows; clock, interrupt and passes are checked between pieces.
#include "halfspace/game/game.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "game/gathered_rows.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

// Rounds between two checks of the clock, for random orders.
constexpr std::size_t kChunk = 4096;

// Enables the margin cache of searches while it lives.
class MarginCaching {
 public:
  MarginCaching(Learner& learner, const Rows& rows) : learner_(learner) { learner_.cache_margins(&rows); }
  ~MarginCaching() { learner_.cache_margins(nullptr); }
  MarginCaching(const MarginCaching&) = delete;
  MarginCaching& operator=(const MarginCaching&) = delete;

 private:
  Learner& learner_;
};

// Detects that a deterministic walk has returned to an earlier state, and so will repeat forever (Brent 1980): stores
// the state after step 1, 2, 4, 8 ..., and compares it after later steps with the same mark.
class Cycle {
 public:
  // Called after each step; `mark` is what two steps from the same state have in common.
  bool closed(const Learner& learner, std::uint64_t step, std::uint64_t mark) {
    if (kept_ && mark == mark_ && same(learner.save(), *kept_)) return true;
    if (std::has_single_bit(step)) {
      kept_ = learner.save();
      mark_ = mark;
    }
    return false;
  }

 private:
  // The keeper does not influence later rounds.
  static bool same(const LearnerState& a, const LearnerState& b) {
    return a.weights == b.weights && a.numbers == b.numbers && a.moments == b.moments && a.kernel == b.kernel;
  }

  std::optional<LearnerState> kept_;
  std::uint64_t mark_ = 0;
};

class Session {
 public:
  Session(Learner& learner, const Rows& rows, const Game& game, Draws& draws, Ledger& ledger, const GameNotes& notes)
      : learner_(learner),
        rows_(rows),
        game_(game),
        draws_(draws),
        ledger_(ledger),
        generator_(dynamic_cast<Generator*>(&draws)),
        state_(notes.order),
        visits_(notes.visits) {
    limits_.updates = game.until.updates.value_or(UINT64_MAX);
    if (game.until.clean == Clean::cycle && walks() && rows.size() > 0) limits_.clean_run = rows.size();
    if (visits_ != nullptr && visits_->size() < rows.size()) visits_->resize(rows.size(), 0);
  }

  void run() {
    broken_off_ = ledger_.stopped == Stopped::interrupted || ledger_.stopped == Stopped::time;
    ledger_.stopped = Stopped::running;
    if (ledger_.pass.empty()) ledger_.pass.emplace_back();
    switch (game_.order) {
      case OrderName::first_mistake:
      case OrderName::random_mistake:
        return by_mistakes();
      case OrderName::random:
        return by_passes([&] { random_pass(); });
      case OrderName::shuffled:
        return by_passes([&] { shuffled_pass(); });
      case OrderName::stream:
      case OrderName::cyclic:
        return by_passes([&] { cyclic_pass(); });
    }
  }

 private:
  bool walks() const { return game_.order == OrderName::cyclic || game_.order == OrderName::stream; }
  bool stopped() const { return ledger_.stopped != Stopped::running; }
  void stop(Stopped why) { ledger_.stopped = why; }

  // Checks everything that may end the run between two pieces.
  void pause() {
    if (stopped()) return;
    if (game_.on_pause) game_.on_pause(ledger_);
    if (ledger_.updates >= limits_.updates) return stop(done(Stopped::updates));
    if (ledger_.rounds - ledger_.last_update_round >= limits_.clean_run) return stop(Stopped::clean);
    if (game_.interrupt != nullptr && game_.interrupt->load(std::memory_order_relaxed)) {
      return stop(Stopped::interrupted);
    }
    if (game_.until.seconds) {
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - game_.began;
      if (since.count() >= *game_.until.seconds) stop(Stopped::time);
    }
  }

  template <class Pass>
  void by_passes(Pass&& pass) {
    const bool once = game_.order == OrderName::stream;
    most_passes_ = once ? 1 : game_.until.passes.value_or(UINT64_MAX);
    at_most_ = once ? Stopped::end : done(Stopped::passes);
    // A pass that ended earlier: makes the checks of that time now, unless the run was only interrupted there.
    const bool between_passes = ledger_.passes == ledger_.begun_passes();
    if (between_passes && !broken_off_ && clean_after_pass()) return stop(Stopped::clean);
    if (ledger_.passes >= most_passes_) return stop(at_most_);
    // A pass that was played while the rows were read is over before anything else is asked.
    const bool over = !between_passes && played() == rows_.size();
    if (!over) pause();
    if (stopped()) return;
    if (between_passes) ledger_.begin_pass();  // an interrupted one continues
    while (true) {
      const bool whole = played() == rows_.size();
      if (whole) finish_pass();
      if (!stopped()) pause();
      if (stopped()) return;
      if (whole) ledger_.begin_pass();  // one that is played: the record of the last is never empty
      pass();
      if (stopped()) return;
    }
  }

  void finish_pass() {
    ++ledger_.passes;
    if (rows_.size() == 0) return stop(game_.until.clean == Clean::no ? Stopped::end : Stopped::clean);
    if (clean_after_pass()) return stop(Stopped::clean);
    if (ledger_.updates >= limits_.updates) return stop(done(Stopped::updates));
    if (ledger_.passes >= most_passes_) return stop(at_most_);
    if (walks() && endless() && cycle_.closed(learner_, ledger_.passes, ledger_.pass.back().updates))
      stop(Stopped::cycling);
  }

  // Only a clean state, the clock or an interrupt would end it.
  bool endless() const { return game_.until.by_default || (!game_.until.passes && !game_.until.updates); }
  Stopped done(Stopped limit) const { return game_.until.by_default ? Stopped::budget : limit; }

  bool clean_after_pass() {
    const bool saw_every_row = game_.order != OrderName::random;
    const bool idle = ledger_.pass.back().updates == 0;
    // A run without a clean condition waits for updates, or for the clock; after a clean pass there are no more
    // updates.
    if (game_.until.clean == Clean::no) return idle && !game_.until.passes && (saw_every_row || !any_left());
    if (saw_every_row && idle) return true;
    if (ledger_.rounds - ledger_.last_update_round >= limits_.clean_run) return true;
    // Needs no further pass: checks at once whether a row is left that the rule would update on.
    return !walks() && !any_left();
  }

  bool any_left() {
    double errors = 0;
    for (std::size_t b = 0; b < rows_.blocks(); ++b) {
      const Block block = rows_.block(b);
      std::vector<std::uint32_t> found;
      learner_.find_updates(block, &found, errors, true);
      ledger_.inspections += found.empty() ? block.rows : found.front() + 1;
      if (!found.empty()) return true;
    }
    return false;
  }

  std::uint64_t played() const { return ledger_.pass.back().rounds; }

  void cyclic_pass() {
    while (!stopped() && played() < rows_.size()) {
      learner_.play(rows_.block(played() / Rows::block_rows), played() % Rows::block_rows, limits_, ledger_);
      if (played() < rows_.size()) pause();
    }
  }

  void shuffled_pass() {
    order_.resize(rows_.size());
    if (generator_ != nullptr && state_ != nullptr) {
      if (played() == 0) {
        state_->pass_start = generator_->state();
      } else {
        generator_->restore(state_->pass_start);
      }
    }
    shuffle(draws_, order_);
    if (game::GatheredRows::pays(rows_)) return play_gathered();
    while (!stopped() && played() < rows_.size()) {
      play_positions(std::span(order_).subspan(played(), std::min<std::size_t>(kChunk, rows_.size() - played())));
      if (played() < rows_.size()) pause();
    }
  }

  // Plays the rest of a shuffled pass from blocks that another thread gathers.
  void play_gathered() {
    game::GatheredRows gathered(rows_, std::span(order_).subspan(played()));
    std::uint64_t looked = ledger_.rounds;  // rounds at the last check of the clock
    while (!stopped() && played() < rows_.size()) {
      const std::uint64_t from = played();
      const std::optional<Block> block = gathered.next();
      const std::size_t count = learner_.play(*block, 0, limits_, ledger_);
      count_visits(std::span(order_).subspan(from, count));
      const bool broken_off = count < block->rows;
      if (played() < rows_.size() && (broken_off || ledger_.rounds - looked >= kChunk)) {
        looked = ledger_.rounds;
        pause();
      }
    }
  }

  void random_pass() {
    while (!stopped() && played() < rows_.size()) {
      // Draws only for rounds that are played, so that a resumed run makes the same draws.
      const std::uint32_t position = static_cast<std::uint32_t>(pick(draws_, rows_.size()));
      play_positions(std::span(&position, 1));
      if (played() < rows_.size() && (ledger_.updates >= limits_.updates || ledger_.rounds % kChunk == 0)) pause();
    }
  }

  std::size_t play_positions(std::span<const std::uint32_t> positions) {
    const std::size_t played = learner_.play(rows_, positions, limits_, ledger_);
    count_visits(positions.first(played));
    return played;
  }

  void count_visits(std::span<const std::uint32_t> positions) {
    if (visits_ == nullptr) return;
    for (const std::uint32_t position : positions) ++(*visits_)[position];
  }

  // PLA: finds rows that the rule would update on, trains on the first or on one of them, and repeats.
  void by_mistakes() {
    const bool first = game_.order == OrderName::first_mistake;
    if (!first) learner_.enable_ratchet();
    // A search for all mistakes skips about every other row. That pays if rows come from the cache; from memory,
    // consecutive rows load as fast as every other one.
    constexpr std::uint64_t cache = (std::uint64_t{8} << 20) / (sizeof(double) + sizeof(std::uint32_t));  // values
    std::uint64_t values = 0;
    for (std::size_t b = 0; b < rows_.blocks(); ++b) values += rows_.block(b).stored();
    std::optional<MarginCaching> searches;
    if (first || values <= cache) searches.emplace(learner_, rows_);
    // An interrupted run stops after a search, which a resumed run repeats; it is counted once.
    bool counted = ledger_.inspections > 0;
    double weight = 0;
    for (std::size_t b = 0; b < rows_.blocks(); ++b) weight += weight_of(rows_.block(b));
    while (true) {
      double errors = 0;
      found_.clear();
      learner_.find_updates(rows_, first, found_, errors);
      if (!std::exchange(counted, false))
        ledger_.inspections += first && !found_.empty() ? found_.front() + 1 : rows_.size();
      if (!first) learner_.offer_to_pocket(errors);
      if (game_.on_errors && (!first || ledger_.rounds + 1 == ledger_.next_row))
        game_.on_errors((first ? all_errors() : errors) / weight);
      if (found_.empty()) return stop(Stopped::clean);
      pause();
      if (stopped()) return;
      if (first && endless() && cycle_.closed(learner_, ledger_.updates, found_.front())) return stop(Stopped::cycling);
      const std::uint32_t position = first ? found_.front() : found_[pick(draws_, found_.size())];
      play_positions(std::span(&position, 1));
    }
  }

  static double weight_of(const Block& block) {
    return block.weight == nullptr ? static_cast<double>(block.rows)
                                   : std::accumulate(block.weight, block.weight + block.rows, 0.0);
  }

  double all_errors() {
    std::vector<std::uint32_t> found;
    double errors = 0;
    learner_.find_updates(rows_, false, found, errors);
    return errors;
  }

  Learner& learner_;
  const Rows& rows_;
  const Game& game_;
  Draws& draws_;
  Ledger& ledger_;
  Generator* generator_;  // the draws, if they can be resumed
  OrderState* state_;
  std::vector<std::uint32_t>* visits_;
  Limits limits_;
  bool broken_off_ = false;  // the run was interrupted earlier
  std::uint64_t most_passes_ = UINT64_MAX;
  Stopped at_most_ = Stopped::passes;
  std::vector<std::uint32_t> order_, found_;
  Cycle cycle_;
};

}  // namespace

void play(Learner& learner, const Rows& rows, const Game& game, Draws& draws, Ledger& ledger, const GameNotes& notes) {
  if (rows.size() > UINT32_MAX)
    throw Error(ErrorKind::usage, "more than 4294967295 rows fit only one pass in file order")
        .fix("use " + option("order", "stream") + ", or a part of the rows");
  Session(learner, rows, game, draws, ledger, notes).run();
  learner.finish();
}

}  // namespace halfspace
