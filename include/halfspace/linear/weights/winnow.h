// Winnow, for features of 0 and 1 of which few matter: multiply what should have spoken up, cut what misled.
//
//   predict positive  <=>  sum of w_j over the row's features > threshold;  w = 1 at first
//   a positive row missed (promotion):    w_j <- alpha w_j for its features
//   a negative row taken for positive:    Winnow1: w_j <- 0 (elimination);  Winnow2: w_j <- w_j / alpha (demotion)
//
// The threshold stands as the bias of the weights: a score is the sum less the threshold. Unless it is given it is half
// the number of features seen so far, at least 1, and moves as they appear. A row with a value other than 0 and 1 is
// refused. Rows of any weight above 0 count as one.
//
// Guarantees.
// Winnow1 (Littlestone 1988): if the label is the "or" of k of the features and alpha > 1, threshold >= 1 / alpha,
//   mistakes <= alpha k (log_alpha(threshold) + 1) + n / threshold.
// With a threshold that moves, n / threshold becomes the sum of (features that appear) / (threshold then), at most 2 +
// 2 ln n: a promotion adds at most (alpha - 1) threshold to the weights there are, an elimination takes more than the
// threshold of its time; divide each addition by the threshold at which it was made.
// Winnow2, for every u >= 0 and every g > 0, D = sum u_j ln(u_j / w0_j) + w0_j - u_j with w0 the start weights:
//   mistakes <= (D + sum of max(0, g - t)) / g,   t = ln(alpha) <u, x> - (alpha - 1) threshold on positive rows,
//                                               t = (1 - 1 / alpha) threshold - ln(alpha) <u, x> on negative ones
// since a promotion changes the divergence sum u_j ln(u_j / w_j) + w_j - u_j by at most -t, and so does a demotion. It
// needs no u that separates, and with one that does (Littlestone's case: <u, x> >= 1 or <= 1 - d) it is O(|u|_1 ln n).
// Cost: O(stored values) a round.
// Source: "Learning quickly when irrelevant attributes abound", Machine Learning 2 (1988).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "halfspace/linear/linear.h"
#include "halfspace/linear/rule.h"
#include "halfspace/linear/weights/plain.h"

namespace halfspace {

// What a negative row taken for positive does to its weights.
enum class Fall : std::uint8_t { eliminate, demote };

struct Winnow {
  Tie tie = Tie::negative;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return weight > 0 && is_mistake(tie, sign, score) ? 1.0 : 0.0;
  }
};

class WinnowWeights {
 public:
  // No threshold: half the number of features.
  WinnowWeights(BiasOptions bias, Fall fall, double alpha, std::optional<double> threshold);

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(vector_.w.size()); }
  void grow(std::uint32_t features);
  // What was not there had its start weight; the threshold is the present one.
  void extend(WeightVector& earlier) const;

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    if constexpr (!std::is_same_v<Value, One>) {
      for (std::uint32_t i = 0; i < x.size; ++i) {
        if (x.value[i] != 1 && x.value[i] != 0) [[unlikely]]
          refuse(x.row, static_cast<double>(x.value[i]));
      }
    }
    return halfspace::score(vector_, bias_, x);
  }

  // `amount`: its sign is that of the row's label.
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    for (std::uint32_t i = 0; i < x.size; ++i) {
      if constexpr (!std::is_same_v<Value, One>) {
        if (x.value[i] == 0) continue;
      }
      move(vector_.w[x.index[i]], amount > 0);
      if (!(vector_.w[x.index[i]] <= std::numeric_limits<double>::max())) [[unlikely]]
        throw_overflow(x.row);
    }
  }

  // The features of the row. The threshold is no part of a mean: the present one is handed out.
  template <class Value, bool dense>
  void accumulate(const Example<Value, dense>& x, double factor, WeightVector& sum) const {
    sum.grow(features());
    for (std::uint32_t i = 0; i < x.size; ++i) sum.w[x.index[i]] += factor * vector_.w[x.index[i]];
  }

  const WeightVector& vector() const noexcept { return vector_; }
  const WeightVector& point() const noexcept { return vector_; }
  double threshold() const noexcept { return -vector_.bias; }

  // State beside the weights: the sum of (features that appeared) / (threshold then).
  void save(std::vector<double>& numbers, std::vector<double>& moments) const;
  const char* restore(WeightVector w, const std::vector<double>& numbers, const std::vector<double>& moments);

 private:
  [[noreturn]] static void refuse(std::uint64_t row, double value);
  void move(double& weight, bool up) const;

  BiasOptions bias_;
  Fall fall_;
  double alpha_;
  std::optional<double> fixed_;
  WeightVector vector_;
  double appeared_ = 0;
};

}  // namespace halfspace
