// The advice of experts, and its loss.
//
// A round of advice is one number an expert: its probability of the outcome 1, so that a label is 0 or 1. NaN means
// that the expert sleeps in this round. Rounded to a label, advice of 1/2 or more is 1.
//
// Thread-safety, of every player of experts and bandits: a value type; one thread plays.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {

using Advice = std::span<const double>;

inline bool awake(double advice) noexcept { return !std::isnan(advice); }
inline int label_of(double advice) noexcept { return advice >= 0.5 ? 1 : 0; }

// zero_one: labels differ (convex in a probability only in expectation over a random label). absolute: |f - y|.
// squared: (f - y)^2, the Brier score. logarithmic: -ln of the outcome's probability; may be infinite.
enum class Loss : std::uint8_t { zero_one, absolute, squared, logarithmic };

// Returns the loss of forecast f in [0, 1] at outcome y: 0 or 1, for absolute and squared also any number in [0, 1].
inline double loss_of(Loss loss, double f, double y) noexcept {
  switch (loss) {
    case Loss::zero_one:
      return label_of(f) == label_of(y) ? 0.0 : 1.0;
    case Loss::absolute:
      return std::abs(f - y);
    case Loss::squared:
      return (f - y) * (f - y);
    case Loss::logarithmic:
      break;
  }
  const double given = label_of(y) == 1 ? f : 1 - f;
  return given > 0 ? -elementary::log(given) : std::numeric_limits<double>::infinity();
}

// A player that predicts labels: predict(), then reveal() the outcome (0 or 1). predict() may be repeated before
// reveal().
template <class P>
concept LabelPlayer = requires(P player, Advice advice, int outcome) {
  { player.predict(advice) } -> std::same_as<int>;
  player.reveal(advice, outcome);
};

}  // namespace halfspace
