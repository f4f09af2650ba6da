// The game over kept rows: which row is the next round, and when does it stop?
//
//   Ledger ledger;
//   Game game{.order = OrderName::cyclic, .until = {.clean = Clean::pass}};
//   play(*learner, rows, game, draws, ledger);
//
// One pass over a stream needs no Game: Learner::play takes its blocks as they come (train.h does both).
//
// Guarantee: where the data are separable, every order makes at most (radius / margin)^2 perceptron updates, hence at
// most n (1 + (radius / margin)^2) inspections. On inseparable data only a budget stops it: give one. Without one, a
// walk without draws (cyclic, first-mistake) stops when its weights are back where they were.
//
// Thread-safety: one thread plays a learner.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "halfspace/base/random.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/game/orders.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

struct Game {
  OrderName order = OrderName::cyclic;  // `stream` plays one cyclic pass
  Until until{};
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();  // for until.seconds
  const std::atomic<bool>* interrupt = nullptr;   // set from elsewhere: stop soon, cleanly
  std::function<void(const Ledger&)> on_pause{};  // every few thousand rounds, and between passes: progress
};

// All that the order must remember to continue a run bit for bit.
struct OrderState {
  Generator::State pass_start{};  // shuffled: the draws' state when the present pass began
  bool operator==(const OrderState&) const = default;
};

// Optional notes of a game, in addition to the ledger. Not owned.
struct GameNotes {
  OrderState* order = nullptr;  // lets a shuffled pass be taken up again in its middle; needs a Generator for draws
  // Counts for each row the rounds it was played in (orders other than cyclic and stream).
  std::vector<std::uint32_t>* visits = nullptr;
};

// Plays until the game's limits are met; sets ledger.stopped. The ledger may come from an earlier, unfinished run over
// the same rows: the game goes on where it stopped. `draws` serve shuffled, random and random-mistake orders.
void play(Learner& learner, const Rows& rows, const Game& game, Draws& draws, Ledger& ledger,
          const GameNotes& notes = {});

}  // namespace halfspace
