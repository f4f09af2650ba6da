// Normalised adaptive gradient (NAG): insensitive to column scales, and large row weights do not overshoot.
//
//   where |x_j| > s_j:  w_j <- w_j s_j / |x_j|,  s_j <- |x_j|
//   g = l'(y <w, x>),   n_j <- n_j + c (g x_j)^2,   N <- N + c sum (x_j / s_j)^2,   t <- t + c
//   w_j <- w_j + a y x_j / (s_j sqrt(n_j))
//
// for a row of weight c, with l a loss of the margin (loss.h), the score that of the weights before. With
// d = rate sqrt(t / N) and q = d sum x_j^2 / (s_j sqrt(n_j)), a small step would be a = d g c; what is taken is the end
// of infinitely many small ones: the margin follows the slope of the loss for the time q c, and a q / d is how far it
// gets (margin_gained). So a label of large weight, or a long row, moves the score to where the loss is flat, not beyond.
//
// A column times a constant leaves every score as it is (bit for bit, when it is a power of two). The mean over rounds is of
// w_j in units of s_j.
// Guarantee: a bound of the regret of the plain gradient step, not of the mistakes: none is printed.
// Cost: O(stored values) a round, two quotients and two roots each; 24 bytes a feature.
// Source: Ross, Mineiro and Langford, "Normalized online learning", UAI 2013 (algorithm 2); Karampatziakis and Langford,
// "Online importance weight aware updates", UAI 2011.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halfspace/detail/kernels/adaptive_kernels.h"
#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/slope.h"
#include "halfspace/linear/keep.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName nag{22};
}  // namespace rule

// Keeps s and n for every weight. One thread only, for scores too.
class NormalisedWeights : public RecordWeights<3> {
 public:
  NormalisedWeights(BiasOptions bias, MarginLoss loss, double rate)
      : RecordWeights(bias, 0.0), loss_(loss), rate_(rate) {}

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return score_ = RecordWeights::score(x);
  }

  // For the row that was scored last; `amount` is y g.
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const std::uint32_t first = 0;
    const kernels::RowView<double> one{&first, &bias_.scale, 1, 0};
    const bool biased = bias_.position != Bias::none;
    const double slope = amount * std::sqrt(x.weight);
    kernels::NormalisedSums sums = kernels::normalised_prepare(records_.data(), kernels::view(x), slope);
    if (biased) {
      const kernels::NormalisedSums more = kernels::normalised_prepare(bias_record_.data(), one, slope);
      sums = {sums.along + more.along, sums.squares + more.squares};
    }
    if (!(sums.squares > 0)) return;
    rounds_ += x.weight;
    total_ += x.weight * sums.squares;
    const double d = rate_ * std::sqrt(rounds_ / total_);
    const double q = d * sums.along;
    if (!(q > 0)) return;
    const double sign = std::copysign(1.0, amount);
    const double along = sign * d * (margin_gained(loss_, sign * score_, q * x.weight) / q);
    kernels::normalised_step(records_.data(), kernels::view(x), along);
    if (biased) kernels::normalised_step(bias_record_.data(), one, along);
  }

  // Writes s of the row's features, then of the bias.
  template <class Value, bool dense>
  void scales(const Example<Value, dense>& x, std::vector<double>& s) const {
    s.resize(x.size + std::size_t{1});
    for (std::uint32_t i = 0; i < x.size; ++i) s[i] = moment(x.index[i]);
    s[x.size] = bias_record_[1];
  }
  // Divides the vector's coordinates by how much s has grown since.
  template <class Value, bool dense>
  void shrink(const Example<Value, dense>& x, const std::vector<double>& before, WeightVector& vector) const {
    const auto shrink_one = [](double& value, double s, double now) {
      if (s != now) value *= s / now;
    };
    for (std::uint32_t i = 0; i < x.size; ++i) shrink_one(vector.w[x.index[i]], before[i], moment(x.index[i]));
    shrink_one(vector.bias, before[x.size], bias_record_[1]);
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("weight of the rounds", self.rounds_, domain::not_negative);
    archive.number("normalised squares", self.total_, domain::not_negative);
  }

 private:
  MarginLoss loss_;
  double rate_;
  double rounds_ = 0, total_ = 0;  // t, N
  mutable double score_ = 0;
};

// The mean over rounds, of w_j in units of s_j: when s_j grows, the sum so far shrinks as w_j does. In the column's own units
// weights from before a column's first large value would outweigh all later ones.
template <>
struct Average<NormalisedWeights> {
  WeightVector lag;
  std::vector<double> scales;

  explicit Average(const NormalisedWeights&) {}

  void grow(std::uint32_t features) { lag.grow(features); }
  template <class X>
  void before_update(const NormalisedWeights& weights, const X& x, std::uint64_t finished) {
    weights.accumulate(x, -static_cast<double>(finished), lag);
    weights.scales(x, scales);
  }
  template <class X>
  void after_update(const NormalisedWeights& weights, const X& x, double, Moved, std::uint64_t finished) {
    weights.shrink(x, scales, lag);
    weights.accumulate(x, static_cast<double>(finished), lag);
  }
  WeightVector point(const NormalisedWeights& weights, std::uint64_t finished) const {
    WeightVector mean = weights.point();
    if (finished != 0) mean.subtract(lag, static_cast<double>(finished));
    return mean;
  }
  WeightVector& kept() noexcept { return lag; }
  const WeightVector& kept() const noexcept { return lag; }
};

// Updates on every row where the loss has a slope.
struct Nag {
  static constexpr bool looks_at_weights = true;

  Tie tie = Tie::positive;
  MarginLoss loss = MarginLoss::logistic;

  template <class X>
  double step(double sign, double score, const NormalisedWeights&, const X& x) const {
    return x.weight > 0 ? slope_of(loss, sign * score) : 0.0;
  }
};

}  // namespace halfspace
