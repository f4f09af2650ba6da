// Updates the ledger after a round, for every learner.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "halfspace/detail/linear/state.h"
#include "halfspace/game/ledger.h"

namespace halfspace::game {

// Records the baselines on the first pass: the most frequent class so far, and the previous label. `Row` is an Example,
// or has its label, weight and row. A row of weight 0 is no row.
template <class Row>
void compare_with_guesses(Ledger& ledger, const Row& x, const Outcome& outcome) {
  ++ledger.first_pass_rounds;
  ledger.first_pass_mistakes += outcome.mistake;
  if (!(x.weight > 0)) return;
  double& now = ledger.class_weight[static_cast<std::size_t>(x.label)];
  const double most = *std::max_element(ledger.class_weight.begin(), ledger.class_weight.end());
  if (most > 0) {
    if (now != most) ledger.constant_errors += x.weight;
    if (ledger.previous_label != x.label) ledger.previous_errors += x.weight;
  }
  now += x.weight;
  ledger.previous_label = x.label;
  if (x.weight != 1) ledger.no_new_rows(NewRows::weighted);
  if (ledger.watch) ledger.watch->see(outcome.error, ledger.rounds, x.row);
}

// Returns infinity for what is no number because a part of it was beyond the doubles.
inline double beyond_doubles(double positive) noexcept {
  return std::isnan(positive) ? std::numeric_limits<double>::infinity() : positive;
}

// Records a round. `squared_norm`: of the row as the rule sees it.
template <class Row>
[[gnu::always_inline]] inline void keep_ledger(Ledger& ledger, const Outcome& outcome, double squared_norm,
                                               const Row& x) {
  PassRecord& pass = ledger.pass.back();
  ++ledger.rounds;
  ++pass.rounds;
  pass.weight += x.weight;
  ledger.largest_squared_norm = std::max(ledger.largest_squared_norm, squared_norm);
  ledger.largest_row = std::max(ledger.largest_row, x.size);
  if (outcome.mistake) {
    ++ledger.mistakes;
    ++pass.mistakes;
    if (outcome.error) pass.errors += x.weight;  // every error is a mistake
    pass.criterion += beyond_doubles(-outcome.margin);
    ledger.smallest_mistake_weight = std::min(ledger.smallest_mistake_weight, x.weight);
  }
  if (outcome.updated) {
    ++ledger.updates;
    ++pass.updates;
    ledger.update_steps += outcome.step;
    ledger.update_squares += beyond_doubles(outcome.step * outcome.step * squared_norm);
    ledger.last_update_round = ledger.rounds;
  }
  if (ledger.pass.size() == 1) compare_with_guesses(ledger, x, outcome);
}

}  // namespace halfspace::game
