// What a policy is worth, from rounds that another policy chose: bounds that hold at any time.
//
//   PolicyValue value(0.05 / 4);                 // four bounds are printed of it: each fails with a quarter of 5 %
//   value.add({.policy = 1, .propensity = 0.2, .reward = 1});
//   const Interval worth = value.value();        // of the mean reward that the policy would have had in these rounds
//   const Interval gain = value.gain();          // and of that less the logger's: above 0, it is better
//
// A round: the logger drew its action with the propensity h > 0, the policy would have drawn it with probability pi,
// fixed before the reward was seen; w = pi / h. The distributions and the rewards' may depend on all that came before.
//
// Theorem. Let E[x | past] = v, l in (0, 1), and m be known before the round, with 1 + l (x - m) > 0. Then
// E[1 + l (x - m) | past] <= exp(l (v - m)), so that for p_1 + p_2 + ... <= 1
//   sum over k of p_k prod over rounds of (1 + l_k (x - m)) exp(-l_k (v - m))
// is a non-negative supermartingale from at most 1. With probability at least 1 - delta, at all times, V = sum of v is
// above the one root of  sum of p_k exp(s_k - l_k (V - M)) = 1 / delta,  s_k = sum of ln(1 + l_k (x - m)), M = sum of m.
//   value    x = w (r - b_k) + b_k, whose mean is the policy's; m: the mean so far
//   gain     x = (w - 1) (r - b_k), whose mean is the policy's less the logger's; m = 0
// with r for the lower bound, 1 - r for the upper. b_k = 0 needs no more than w >= 0. A centre b_k > 0, which narrows
// the bounds by 5 to 18 % in the worlds of the tests, needs to know before the draw the largest ratio w of the round,
// and that the policy gives nothing to an action of propensity 0: then it is the mean so far, or as much of it as keeps
// the factor well above 0.
//
// The bounds are of means over the rounds so far, whatever drifts: a lower bound of some rounds above an upper one of
// others proves that the value has changed. Everything is rounded so that the theorem holds of what is returned.
// Shares l_k = 0.99 * 2^-k, k = 1 .. 12, p_k = 1/12. Cost: about 100 products a round, 1 kB.
//
// Source: Dudik, Langford and Li 2011 (doubly robust); Karampatziakis, Mineiro and Ramdas 2021; Waudby-Smith, Wu, Ramdas,
// Karampatziakis and Mineiro 2022.
//
// Thread-safety: a value type; it changes the thread's rounding mode during a call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "halfspace/bandits/off_policy.h"

namespace halfspace {

// The least sum of means, at any time, of one sequence x.
class LeastSum {
 public:
  static constexpr std::size_t shares = 12;
  // Returns l_k, k from 0.
  static double share(std::size_t k) noexcept;

  // Adds a round; within rounding_up(). `minus_x`: of each share, at least -x; `guess`: m.
  void add(const std::array<double, shares>& minus_x, double guess) noexcept;
  // Returns what the sum of means is above, with probability 1 - delta at all times; from `least` on, `most` at most.
  double above(double delta, double least, double most) const;

  // Returns the largest logarithm of a product at V = 0, nearly.
  double most_grown() const;

  // Describes the state to an archive (base/fields/archive.h).
  template <class Self, class Archive, class Check>
  static void fields(Self& self, Archive& archive, const Check& check) {
    for (auto& product : self.minus_product_) archive.value("product", product, check);
    for (auto& log : self.minus_log_) archive.value("logarithm", log, check);
    archive.value("guesses", self.minus_guesses_, check);
  }

 private:
  // Of each share: minus the product of the latest factors, at least; minus the logarithm of those before, at least.
  std::array<double, shares> minus_product_ = ones(), minus_log_{};
  double minus_guesses_ = 0;  // at least -M

  static constexpr std::array<double, shares> ones() {
    std::array<double, shares> all{};
    for (double& one : all) one = -1;
    return all;
  }
};

struct PolicyRound {
  double policy = 0;      // the probability with which the policy would have drawn the action
  double propensity = 1;  // with which the logger drew it
  double reward = 0;      // in [0, 1]
  // At least the ratio of the two for every action of the round, known before the draw; infinity: not known.
  double largest_ratio = std::numeric_limits<double>::infinity();
  // A model's estimates before the draw: the policy's mean reward in this round, and that of the drawn action.
  double model_value = 0, model_reward = 0;
};

class PolicyValue {
 public:
  // `delta`: the probability that one bound ever fails.
  explicit PolicyValue(double delta = 0.0125) : delta_(delta) {}

  // Throws Error(usage) for numbers out of range, or a ratio above the largest.
  void add(const PolicyRound& round);

  // Return the policy's mean value, and its mean gain over the logger, with bounds; before the first round 0 to 1, and
  // -1 to 1. The values are unbiased, and may be outside their bounds.
  Interval value() const;
  Interval gain() const;
  // Returns the mean of model value + w (r - model reward): unbiased, whatever the model, and nearer the better it is.
  double doubly_robust() const noexcept;
  // Returns about how many more rounds like those so far prove a gain; 0: it is proved, or none is seen.
  std::uint64_t rounds_to_prove_a_gain() const;

  // A proof that the value has changed: over the first rounds up to `low_at` the mean was at most `low`, up to
  // `high_at` at least `high`, and low < high.
  struct Change {
    double low = 1, high = 0;
    std::uint64_t low_at = 0, high_at = 0;
    bool proved() const noexcept { return low < high; }
  };
  // The tightest bounds so far; looked at 1, 2, 3 ... 16, 18 ..., 32, 36 ... rounds.
  const Change& change() const noexcept { return change_; }

  // Describes the state to an archive, but for delta.
  template <class Self, class Archive, class Check>
  static void fields(Self& self, Archive& archive, const Check& check) {
    OffPolicyEstimate::fields(self.estimate_, archive, check);
    for (auto* const sum : {&self.value_, &self.loss_, &self.gain_, &self.opposite_})
      LeastSum::fields(*sum, archive, check);
    for (auto* const sum :
         {&self.values_, &self.losses_, &self.rewards_, &self.gains_, &self.gain_squares_, &self.doubly_robust_})
      archive.value("sum", *sum, check);
    archive.value("next look", self.next_look_, [](std::uint64_t) { return ""; });
    archive.value("low", self.change_.low, check);
    archive.value("high", self.change_.high, check);
    archive.value("low at", self.change_.low_at, [](std::uint64_t) { return ""; });
    archive.value("high at", self.change_.high_at, [](std::uint64_t) { return ""; });
  }

  const OffPolicyEstimate& estimate() const noexcept { return estimate_; }
  std::uint64_t rounds() const noexcept { return estimate_.rows(); }
  double delta() const noexcept { return delta_; }

 private:
  struct Ratio {
    double least, most;  // of the action's probabilities, rounded
    double known;        // the largest of the round
  };
  struct Guesses {
    double value, loss, reward;  // the means so far
  };
  void add_value(const Ratio& ratio, double reward, const Guesses& guess);
  void add_gain(const Ratio& ratio, double reward, const Guesses& guess);
  void look();

  double delta_;
  OffPolicyEstimate estimate_;
  LeastSum value_, loss_, gain_, opposite_;  // of w r, w (1 - r), (w - 1) r, (w - 1) (1 - r)
  double values_ = 0, losses_ = 0;           // sums of w r and w (1 - r), each at most 3, for the guesses
  double rewards_ = 0;
  double gains_ = 0, gain_squares_ = 0;  // of (w - 1) r
  double doubly_robust_ = 0;
  std::uint64_t next_look_ = 1;
  Change change_;
};

}  // namespace halfspace
