// A rule: how one round changes the weights.
//
// An additive rule receives the sign y of the truth, the score s = <w, x>, the squared norm of x (bias coordinate
// included) and the weight of the example, and returns the length of the step along y x; 0 leaves the weights
// unchanged. Everything else (storage, keepers, orders, stopping, the ledger) is common to all rules, so a new rule is
// one small struct:
//
//   struct MyRule {
//     Tie tie = Tie::mistake;
//     double step(double sign, double score, double squared_norm, double weight) const;
//   };
//
// With Weights the step is w <- w + step * y * x; with ExponentialWeights it is taken in the logarithm.
//
// Thread-safety, of every rule and of its weights: value types; one thread learns, const members may run concurrently.
#pragma once

#include <concepts>

#include "halfspace/detail/linear/names.h"

namespace halfspace {

inline bool is_mistake(Tie tie, double sign, double score) noexcept {
  const double signed_score = sign * score;
  if (signed_score != 0) return signed_score < 0;
  return tie == Tie::mistake || (tie == Tie::positive) == (sign < 0);
}

// Returns whether a score predicts the positive class, as a model does: at a tie unless the rule is Tie::negative.
inline bool predicts_positive(Tie tie, double score) noexcept {
  return score > 0 || (score == 0 && tie != Tie::negative);
}

// A rule whose step needs more from the weights than the score, such as a variance or a norm: step(sign, score,
// weights, x), x being the row that was scored last. Declared by `looks_at_weights = true`.
template <class R>
concept LooksAtWeights = requires {
  requires R::looks_at_weights;
};

template <class R>
concept AdditiveRule = requires(const R rule, double number) {
  { rule.tie } -> std::convertible_to<Tie>;
  requires LooksAtWeights<R> || requires {
    { rule.step(number, number, number, number) } -> std::same_as<double>;
  };
};

// A rule may adjust a nonzero step: amount(weights, x, step) returns the amount to add, or 0 after it has reset the
// weights to their start. MinnowGuess counts phases there, Alma its corrections.
template <class R, class W, class X>
concept AdjustsAmount = requires(R rule, W& weights, const X& x, double step) {
  { rule.amount(weights, x, step) } -> std::same_as<double>;
};

// A rule that updates on mistakes only, along the row, by `rate` times the weight of the row: over Weights, the sign of
// a row's margin is known until the weights have moved far enough (known_margins.h). Declared by `moves_by_sign =
// true`.
template <class R>
concept MovesBySign = requires(const R rule) {
  requires R::moves_by_sign;
  { rule.rate } -> std::convertible_to<double>;
};

// A rule that may reset the weights to their start. Declared by `restarts = true`.
template <class R>
concept Restarts = requires {
  requires R::restarts;
};

}  // namespace halfspace
