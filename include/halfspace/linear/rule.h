// What a rule is: how one round changes the weights.
//
// An additive rule sees the sign y of the truth, the score s = <w, x>, the squared norm of x (bias coordinate included)
// and the weight of the example, and answers how far to step along y x; 0 leaves the weights alone. Everything else
// (storage, keepers, orders, stopping, the ledger) is common to all rules, so a new rule is one small struct:
//
//   struct MyRule {
//     Tie tie = Tie::mistake;
//     double step(double sign, double score, double squared_norm, double weight) const;
//   };
//
// With Weights the step is w <- w + step * y * x; with ExponentialWeights it is taken in the logarithm.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace halfspace {

// What a score of 0 means (rules A, B and N). In all three a mistake implies y * score <= 0, which is all that the
// mistake bounds use.
enum class Tie : std::uint8_t {
  positive = 0,  // A: predicts +1
  mistake = 1,   // B: predicts neither, always a mistake
  negative = 2,  // N: predicts -1
};

inline bool is_mistake(Tie tie, double sign, double score) noexcept {
  const double signed_score = sign * score;
  if (signed_score != 0) return signed_score < 0;
  return tie == Tie::mistake || (tie == Tie::positive) == (sign < 0);
}

// +1, -1, or 0 for a tie under Tie::mistake.
inline int predicted_sign(Tie tie, double score) noexcept {
  if (score != 0) return score > 0 ? 1 : -1;
  return tie == Tie::mistake ? 0 : tie == Tie::positive ? 1 : -1;
}

template <class R>
concept AdditiveRule = requires(const R rule, double number) {
  { rule.tie } -> std::convertible_to<Tie>;
  { rule.step(number, number, number, number) } -> std::same_as<double>;
};

}  // namespace halfspace
