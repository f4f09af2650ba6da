// The kernel perceptron: the perceptron in the space of a kernel, in dual form, optionally with a budget.
//
//   f(x) = sum of coefficient_i k(x_i, x);   mistake (Tie)  =>  f <- f + weight * y * k(x, .)
//
// A mistake on a row that is a support vector already moves its coefficient. With a linear kernel the trace is that of
// Perceptron, mistake by mistake. Guarantee: that of the perceptron with radius^2 = max k(x, x) and every u in the
// kernel's space (perceptron.h, bound_search.h). Cost: a kernel value a support vector and round; memory grows with the
// mistakes.
//
// If gamma is not set, train() and folds use 1 over the median of |x - x'|^2 among the first 1,000 rows, each with the
// row half of them later (polynomial: of |x|^2), so that kernel values are spread between 0 and 1. Labels are not used.
//
// A budget B is the most support vectors there may be. When it is full, a mistake
//   random      replaces one picked uniformly. Cavallanti, Cesa-Bianchi and Gentile, Machine Learning 69
//               (2007). Quoted: in expectation it competes with |u| = O(sqrt(B / ln B)) in units of 1 / radius.
//   forgetron   first shrinks all coefficients by phi, then removes the oldest; phi is the largest number up to 1 for
//               which the damage done so far, the sum of lambda^2 + 2 lambda - 2 lambda m, stays within 15/32 of the
//               mistakes. lambda is the oldest's shrunk |coefficient| and m its margin y f(x) after the shrinking, in
//               units in which the radius (so far) is 1. Dekel, Shalev-Shwartz and Singer, SIAM J. Comput. 37 (2008).
//               Quoted: for B >= 83 and |u| <= sqrt((B + 1) / ln(B + 1)) / 4, mistakes <= 2 |u|^2 + 4 sum of hinge.
//   projectron  replaces k(x, .) by its projection on the span of the support vectors. It does so earlier, too: whenever
//               what that leaves out is at most `residual` times as long as k(x, .). Orabona, Keshet and Caputo, JMLR
//               10 (2009). Cost: O(B^2) a mistake, 4 B^2 bytes.
//
// Guarantee, proved and reported with every run, for every u with hinge losses l*, all weights 1, R the radius:
//   random, forgetron   mistakes <= 2 sum l* + R^2 |u|^2 (1 + P) + A / R^2 + 2 L, where over what was forgotten
//       L = sum of lambda, A = sum of lambda^2 k(x, x) - 2 lambda m, P = sum of (1 - phi) / (1 + phi).
//     With g = R^2 u the potential |f - g|^2 falls by at least 2 y g(x) - k(x, x) at a mistake, by at least -|g|^2 (1 -
//     phi) / (1 + phi) at a shrinking, and by 2 lambda m - 2 lambda y g(x) - lambda^2 k(x, x) at a removal; a support
//     vector of n mistakes has lambda <= n, so that what remains of its y g(x) >= R^2 (1 - l*) is at least R^2 (n -
//     lambda - n l*). Sum, and note that the potential began at |g|^2.
//   projectron          mistakes <= sum l* + |u| (sqrt(sum of k(x, x) over mistakes) + D), D = the sum of the lengths
//     left out: <f, u> gains at least 1 - l* - |u| times that length, and |f|^2 at most k(x, x).
// No budget B competes with every |u| >= sqrt(B + 1) (Dekel et al.).
//
// The mean over rounds (keep average) is that of the coefficients; removed support vectors have none, so random and
// forgetron keep the last weights only.
//
// Chance: random takes its draws from a generator of its own, part of the state.
// Thread-safety: one thread. Throws Error(data) when a score leaves the finite doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "halfspace/detail/linear/gram_factor.h"
#include "halfspace/detail/linear/kernel_expansion.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/composition.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName kernel{16};
}  // namespace rule

namespace parameter {
inline constexpr Parameter kernel{.name = "kernel",
                                  .placeholder = "KERNEL",
                                  .kind = Parameter::Kind::choice,
                                  .searchable = false,
                                  .choices = parameter_choices<KernelName>()};
inline constexpr Parameter gamma{.name = "gamma", .placeholder = "G"};
inline constexpr Parameter degree{
    .name = "degree", .placeholder = "D", .kind = Parameter::Kind::count, .searchable = false};
inline constexpr Parameter offset{.name = "offset", .placeholder = "O", .searchable = false};
inline constexpr Parameter budget{
    .name = "budget", .placeholder = "N", .kind = Parameter::Kind::count, .searchable = false};
inline constexpr Parameter eviction{.name = "eviction",
                                    .placeholder = "HOW",
                                    .kind = Parameter::Kind::choice,
                                    .searchable = false,
                                    .choices = parameter_choices<Eviction>()};
inline constexpr Parameter residual{.name = "residual", .placeholder = "R", .searchable = false};
}  // namespace parameter

// Returns the parameters of a composition as the kernel perceptron takes them.
KernelOptions kernel_options(const Composition& composition);
// Describes a kernel as text: "gaussian, gamma 0.5".
std::string kernel_words(const Kernel& kernel);

// The effects of a budget, for the bounds above; doubles, as in the model file.
struct Forgotten {
  double removed = 0;    // support vectors; projectron: mistakes that were projected
  double amounts = 0;    // L; projectron: what the coefficients may have grown by, in all
  double damage = 0;     // A
  double shrinking = 0;  // P
  double residuals = 0;  // D
  bool operator==(const Forgotten&) const = default;
};

// The numbers of a budget: updates, oldest, radius squared, control, then those of Forgotten.
inline constexpr std::size_t kKernelNumbers = 9;

class KernelPerceptron {
 public:
  using Point = WeightVector;  // none: a function of a kernel's space has no weights; see expansion()
  static constexpr bool margins_cacheable = false;

  KernelPerceptron(const KernelOptions& options, BiasOptions bias, Tie tie, bool averages, std::uint64_t seed);

  void grow(std::uint32_t features) { features_ = std::max(features_, features); }

  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    return predict_row(kernel_row(x, plain_), x.sign(), x.weight, x.row);
  }
  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const KernelRow row = kernel_row(x, plain_);
    const Outcome outcome = predict_row(row, x.sign(), x.weight, x.row);
    if (outcome.updated) learn(row, outcome.step * x.sign());
    finished_ += x.weight > 0;
    return outcome;
  }
  // Returns k(x, x), bias coordinate included: the squared norm for the ledger.
  template <class Value, bool dense>
  double squared_norm(const Example<Value, dense>& x) const {
    return expansion_.self(x.squared_norm);
  }

  std::uint32_t features() const noexcept { return features_; }
  const BiasOptions& bias() const noexcept { return expansion_.bias(); }
  Point present() const { return {}; }
  Point result() const { return {}; }
  void finish() {}

  const KernelExpansion& expansion() const noexcept { return expansion_; }  // the current one
  double squared_length() const noexcept { return squared_length_; }        // |f|^2, as the updates add up
  void age() noexcept { ++finished_; }                                      // as Linear does
  std::uint64_t finished() const noexcept { return finished_; }
  // Returns the result: the mean over rounds with keep average, else the current function.
  KernelExpansion result_function() const;

  LearnerState save() const;
  // Throws Error(data) if the state does not fit.
  void restore(const LearnerState& state);
  StateShape state_shape() const;

 private:
  Outcome predict_row(const KernelRow& x, double sign, double weight, std::uint64_t row) const;
  // The functions below use the kernel values of x in values_, which predict_row computed.
  void learn(const KernelRow& x, double amount);
  void append(const KernelRow& x, double amount);
  void move(std::size_t i, double amount);
  void forget_any(const KernelRow& x, double amount);
  void forget_oldest(const KernelRow& x, double amount);
  void project(const KernelRow& x, double amount);
  KernelState support() const;
  void restore_support(const KernelState& state);
  bool full() const { return options_.budget && expansion_.size() >= *options_.budget; }

  KernelOptions options_;
  Tie tie_;
  bool averages_;
  std::uint32_t features_ = 0;
  KernelExpansion expansion_;
  std::vector<double> lag_;
  std::uint64_t finished_ = 0;
  double squared_length_ = 0;
  // Budgets.
  double updates_ = 0;
  std::size_t oldest_ = 0;     // forgetron, when full
  double radius_squared_ = 0;  // of the support vectors so far
  double control_ = 0;         // forgetron: the damage so far, each in the units of its time
  Forgotten forgotten_;
  Generator draws_;
  GramFactor factor_;  // projectron
  mutable std::vector<double> values_, plain_;
  std::vector<double> others_, inner_, projection_;
};

// Of a learner with a budget; else all 0.
Forgotten forgotten_in(const KernelState& state);

}  // namespace halfspace
