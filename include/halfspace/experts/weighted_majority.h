// Weighted majority, deterministic: every mistake of an expert costs it a factor beta of its vote.
//
//   predict 1 iff q1 >= q0, where q_y is the weight of the experts that predict y
//   every expert that is wrong: w <- beta * w
//
// Guarantee: with m the mistakes of the best expert, for beta in (0, 1)
//   mistakes <= (m ln(1/beta) + ln N) / ln(2 / (1 + beta))
// for any data; beta = 1/2 gives 2.41 (m + log2 N). beta = 0 is halving while some expert is perfect, and then
// continues with the experts that have erred least often. No deterministic player does better than 2m: two constant
// experts. Sleeping experts neither vote nor pay; the bound needs all experts awake. The state is each expert's count
// of mistakes, an integer, so nothing drifts or underflows: a weight is beta^(mistakes - shift), and the shift moves
// before the largest weight underflows. Cost: O(N) a round, one power for each wrong expert. Source: Littlestone and
// Warmuth 1994.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/experts/advice.h"

namespace halfspace {

class WeightedMajority {
 public:
  explicit WeightedMajority(std::size_t experts, double beta = 0.5)
      : beta_(beta), mistakes_(experts), weight_(experts, 1.0) {}

  int predict(Advice advice) {
    votes_[0] = votes_[1] = 0;
    for (std::size_t i = 0; i < advice.size(); ++i) {
      if (awake(advice[i])) votes_[label_of(advice[i])] += weight_[i];
    }
    return votes_[1] >= votes_[0] ? 1 : 0;
  }

  void reveal(Advice advice, int outcome) {
    double largest = 0;
    for (std::size_t i = 0; i < advice.size(); ++i) {
      if (awake(advice[i]) && label_of(advice[i]) != outcome) {
        ++mistakes_[i];
        weight_[i] = elementary::pow(beta_, static_cast<double>(mistakes_[i] - shift_));
      }
      largest = std::max(largest, weight_[i]);
    }
    if (largest < 0x1p-500 && !weight_.empty()) {
      shift_ = *std::min_element(mistakes_.begin(), mistakes_.end());
      for (std::size_t i = 0; i < weight_.size(); ++i) {
        weight_[i] = elementary::pow(beta_, static_cast<double>(mistakes_[i] - shift_));
      }
    }
  }

  // Returns the votes for 0 and 1 in the last predict(), in units of beta^shift.
  double votes(int label) const noexcept { return votes_[label]; }
  std::uint64_t mistakes(std::size_t expert) const noexcept { return mistakes_[expert]; }
  // Returns the weights in units of beta^shift.
  const std::vector<double>& weights() const noexcept { return weight_; }
  std::uint64_t shift() const noexcept { return shift_; }

 private:
  double beta_;
  std::vector<std::uint64_t> mistakes_;
  std::vector<double> weight_;
  std::uint64_t shift_ = 0;
  double votes_[2] = {0, 0};
};

}  // namespace halfspace
