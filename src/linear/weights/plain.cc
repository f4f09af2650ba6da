// The rare paths of the weight vectors: scores that overflow, and the rebuilding of exponential weights.
#include "halfspace/linear/weights/plain.h"

#include <limits>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/minnow.h"

namespace halfspace {

double Start::weight(std::uint64_t coordinate) const {
  if (!small) return 0.0;
  Generator draws(seed * 0x9e3779b97f4a7c15U + coordinate);
  return 0.02 * (draws.next() - 0.5);
}

void throw_overflow(std::uint64_t row) {
  throw Error(ErrorKind::data, "the weights left the range of doubles at data row " + std::to_string(row))
      .fix("scale the data: --normalize row, or --normalize column");
}

double minnow_best_bound(double relative_margin, std::uint64_t dimension) {
  const double r = relative_margin;
  double divergence = 0;
  if (r < 0x1p-4) {
    // The two terms below cancel; their sum is that of r^2k / (2k (2k - 1)).
    for (int k = 8; k > 0; --k) divergence = r * r * (divergence + 1.0 / (2 * k * (2 * k - 1)));
  } else {
    divergence = 0.5 * (1 + r) * std::log1p(r) + (r < 1 ? 0.5 * (1 - r) * std::log1p(-r) : 0.0);
  }
  return dimension <= 1 ? 0.0 : std::log(static_cast<double>(dimension)) / divergence;
}

double minnow_best_rate(double relative_margin, double radius) {
  return std::atanh(relative_margin) / radius;
}

double detail::rescued_score(const WeightVector& v, BiasOptions bias, const std::uint32_t* index, const double* value,
                             std::size_t size) {
  const double coordinate = bias.place == Bias::none ? 0.0 : bias.scale;
  double largest_weight = bias.place == Bias::none ? 0.0 : std::abs(v.bias);
  double largest_value = std::abs(coordinate);
  for (std::size_t i = 0; i < size; ++i) {
    const double weight = v.w[index[i]];
    if (!std::isfinite(weight)) return std::numeric_limits<double>::quiet_NaN();
    largest_weight = std::max(largest_weight, std::abs(weight));
    largest_value = std::max(largest_value, std::abs(value[i]));
  }
  if (!std::isfinite(largest_weight)) return std::numeric_limits<double>::quiet_NaN();
  int weight_exponent = 0;
  int value_exponent = 0;
  std::frexp(largest_weight, &weight_exponent);
  std::frexp(largest_value, &value_exponent);
  // Every factor is now at most 1: the sum is at most size + 1.
  double sum = std::ldexp(v.bias, -weight_exponent) * std::ldexp(coordinate, -value_exponent);
  for (std::size_t i = 0; i < size; ++i) {
    sum = std::fma(std::ldexp(v.w[index[i]], -weight_exponent), std::ldexp(value[i], -value_exponent), sum);
  }
  return std::ldexp(sum, weight_exponent + value_exponent);
}

void ExponentialWeights::rebuild() {
  steps_ = 0;
  double largest = bias_.place == Bias::none ? -std::numeric_limits<double>::infinity()
                   : both_signs_             ? std::abs(logarithm_.bias)
                                             : logarithm_.bias;
  for (const double l : logarithm_.w) largest = std::max(largest, both_signs_ ? std::abs(l) : l);
  shift_ = std::isfinite(largest) ? largest : 0.0;
  weight_.w.resize(logarithm_.w.size());
  for (std::size_t j = 0; j < logarithm_.w.size(); ++j) weight_.w[j] = of(logarithm_.w[j]);
  weight_.bias = bias_.place == Bias::none ? 0.0 : of(logarithm_.bias);
  total_ = exact_total();
  peak_ = total_;
}

void ExponentialWeights::restore(WeightVector logarithm, const std::array<double, 4>& numbers) {
  logarithm_ = std::move(logarithm);
  rebuild();
  shift_ = numbers[0];
  for (std::size_t j = 0; j < logarithm_.w.size(); ++j) weight_.w[j] = of(logarithm_.w[j]);
  weight_.bias = bias_.place == Bias::none ? 0.0 : of(logarithm_.bias);
  total_ = numbers[1];
  peak_ = numbers[2];
  steps_ = static_cast<std::uint64_t>(numbers[3]);
}

}  // namespace halfspace
