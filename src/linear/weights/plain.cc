// The rare paths of plain weights: small random starts, and scores that overflow.
#include "halfspace/detail/linear/weights/plain.h"

#include <limits>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/linear/linear.h"

namespace halfspace {

double Start::weight(std::uint64_t coordinate) const {
  if (!small) return 0.0;
  Generator draws(seed * 0x9e3779b97f4a7c15U + coordinate);
  return 0.02 * (draws.next() - 0.5);
}

void throw_overflow(std::uint64_t row) {
  throw Error(ErrorKind::data, "the weights left the range of doubles at data row " + std::to_string(row))
      .fix("scale the data: " + option("normalize", "row") + ", or " + option("normalize", "column"));
}

double detail::rescued_score(const WeightVector& v, BiasOptions bias, const std::uint32_t* index, const double* value,
                             std::size_t size) {
  const double coordinate = bias.position == Bias::none ? 0.0 : bias.scale;
  double largest_weight = bias.position == Bias::none ? 0.0 : std::abs(v.bias);
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

}  // namespace halfspace
