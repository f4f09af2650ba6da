// The bookkeeping after a round, the same for all learners: the ledger, the hooks and the limits.
//
// Thread-safety: one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "halfspace/detail/game/keep_ledger.h"
#include "halfspace/game/learner.h"

namespace halfspace::game {

class RoundBook {
 public:
  // Prepares for rounds with this ledger and the hooks as they are now.
  void begin(const RoundHooks& hooks, std::uint32_t classes, Ledger& ledger) {
    if (ledger.class_weight.size() < classes) ledger.class_weight.resize(classes, 0);
    notify_at_ = next_notification(hooks, ledger);
  }

  // Records a round of the learner and calls its hooks. `squared_norm`: of the row as the rule sees it; `position`: of the
  // row in its block. Returns false if a limit is met.
  template <class Row>
  [[gnu::always_inline]] bool finish(const Learner& learner, const Outcome& outcome, double squared_norm, const Row& x,
                                     std::size_t position, const Limits& limits, Ledger& ledger) {
    keep_ledger(ledger, outcome, squared_norm, x);
    if (outcome.updated && learner.moved != nullptr) learner.moved->push_back(static_cast<std::uint32_t>(position));
    if (learner.observer) learner.observer({outcome, ledger.rounds, x.row, x.label, x.values(), learner});
    if (ledger.rounds >= notify_at_) [[unlikely]]
      notify(learner, ledger);
    return ledger.updates < limits.updates && ledger.rounds - ledger.last_update_round < limits.clean_run;
  }

 private:
  // Returns the next round with a notification, so that a round costs one comparison.
  static std::uint64_t next_notification(const RoundHooks& hooks, const Ledger& ledger) {
    return hooks.recorder == nullptr ? ledger.next_row : std::min(ledger.next_row, hooks.recorder->due);
  }
  [[gnu::noinline]] void notify(const Learner& learner, Ledger& ledger) {
    if (ledger.rounds == ledger.next_row) {
      ledger.next_row *= 2;
      if (learner.on_ledger_row) learner.on_ledger_row(ledger);
    }
    if (learner.recorder != nullptr && ledger.rounds >= learner.recorder->due)
      learner.recorder->record(learner, ledger);
    notify_at_ = next_notification(learner, ledger);
  }

  std::uint64_t notify_at_ = 0;
};

}  // namespace halfspace::game
