// The game over kept rows: chooses the next row, and decides when to stop.
//
//   Ledger ledger;
//   Game game{.order = OrderName::cyclic, .until = {.clean = Clean::pass}};
//   play(*learner, rows, game, draws, ledger);
//
// One pass over a stream needs no Game: Learner::play takes its blocks as they come (train.h supports both).
//
// Guarantee: on separable data every order makes at most (radius / margin)^2 perceptron updates, hence at most n (1 +
// (radius / margin)^2) inspections. On inseparable data only a budget stops it: set one. Without one, a deterministic
// walk (cyclic, first-mistake) stops when its weights repeat.
//
// Thread-safety: a learner belongs to one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "halfspace/base/random.h"
#include "halfspace/detail/game/orders.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

struct Game {
  OrderName order = OrderName::cyclic;  // `stream` plays one cyclic pass
  Until until{};
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();  // for until.seconds
  const std::atomic<bool>* interrupt = nullptr;   // set from elsewhere: stops soon, cleanly
  std::function<void(const Ledger&)> on_pause{};  // every few thousand rounds, and between passes: progress
  // Called with the share of the rows, by weight, that the current weights get wrong: by orders that search for
  // mistakes, at least before rounds 1, 2, 4, 8 ...
  std::function<void(double)> on_errors{};
};

// The state of the order that is needed to continue a run bit for bit.
struct OrderState {
  Generator::State pass_start{};  // shuffled: the generator's state when the current pass began
  bool operator==(const OrderState&) const = default;
};

// Optional outputs of a game, in addition to the ledger. Not owned.
struct GameNotes {
  OrderState* order = nullptr;  // allows resuming within a shuffled pass; needs a Generator for draws
  // Counts the rounds of each row (orders other than cyclic and stream).
  std::vector<std::uint32_t>* visits = nullptr;
};

// Plays until a limit is met; sets ledger.stopped. The ledger may come from an earlier, unfinished run over the same
// rows: the game then continues where it stopped. `draws` serve shuffled, random and random-mistake orders.
void play(Learner& learner, const Rows& rows, const Game& game, Draws& draws, Ledger& ledger,
          const GameNotes& notes = {});

}  // namespace halfspace
