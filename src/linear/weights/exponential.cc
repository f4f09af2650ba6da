// Rebuilds exponential weights from their logarithms.
#include "halfspace/detail/linear/weights/exponential.h"

#include <limits>

namespace halfspace {

void ExponentialWeights::rebuild() {
  steps_ = 0;
  double largest = bias_.position == Bias::none ? -std::numeric_limits<double>::infinity()
                   : both_signs_                ? std::abs(logarithm_.bias)
                                                : logarithm_.bias;
  for (const double l : logarithm_.w) largest = std::max(largest, both_signs_ ? std::abs(l) : l);
  shift_ = std::isfinite(largest) ? largest : 0.0;
  weight_.w.resize(logarithm_.w.size());
  for (std::size_t j = 0; j < logarithm_.w.size(); ++j) weight_.w[j] = of(logarithm_.w[j]);
  weight_.bias = bias_.position == Bias::none ? 0.0 : of(logarithm_.bias);
  total_ = exact_total();
  peak_ = total_;
}

void ExponentialWeights::restored() {
  weight_.w.resize(logarithm_.w.size());
  for (std::size_t j = 0; j < logarithm_.w.size(); ++j) weight_.w[j] = of(logarithm_.w[j]);
  weight_.bias = bias_.position == Bias::none ? 0.0 : of(logarithm_.bias);
}

}  // namespace halfspace
