// A scale for a comparator: chosen on a sample of its margins, since any scale gives a valid bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/bounds/evaluation.h"

namespace halfspace {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// A sample of margins, on which a scale is chosen: any scale gives a valid bound, so a sample will do.
struct MarginSample {
  std::vector<double> margin, times;
};

inline MarginSample sample_margins(const Rows& rows, const std::vector<double>& margin, const Visits& visits) {
  constexpr std::uint64_t most = 1 << 15;
  MarginSample sample;
  const std::uint64_t stride = std::max<std::uint64_t>(1, rows.size() / most);
  for (std::uint64_t i = 0; i < rows.size(); i += stride) {
    const Block block = rows.block(i / Rows::block_rows);
    const double weight = block.weight == nullptr ? 1.0 : block.weight[i % Rows::block_rows];
    const double times = visits(i) * weight * static_cast<double>(stride);
    if (times == 0) continue;
    sample.margin.push_back(margin[i]);
    sample.times.push_back(times);
  }
  return sample;
}

inline double sampled_hinge(const MarginSample& sample, double scale, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.margin.size(); ++i) {
    const double hinge = 1 - scale * sample.margin[i];
    if (hinge > 0) sum += sample.times[i] * (power == 2 ? hinge * hinge : hinge);
  }
  return sum;
}

// Returns a scale of at most `most` that makes f(hinge sum, scale) small: a coarse grid of powers of two about the
// margins' own size, then a finer one.
template <class F>
double best_scale(const MarginSample& sample, int power, const F& f, double most = kUnlimited) {
  double size = 0;
  for (const double margin : sample.margin) size += std::abs(margin);
  if (!(size > 0)) return 0;
  const double centre = static_cast<double>(sample.margin.size()) / size;
  double best = std::min(centre, most);
  double best_value = kUnlimited;
  const auto consider = [&](double scale) {
    if (scale > most) scale = most;
    const double value = f(sampled_hinge(sample, scale, power), scale);
    if (value < best_value) {
      best_value = value;
      best = scale;
    }
  };
  for (int k = -16; k <= 16; ++k) consider(std::ldexp(centre, k));
  const double coarse = best;
  for (int k = -8; k <= 8; ++k) consider(coarse * elementary::exp2(k / 8.0));
  return best;
}

// Returns the scale at which the mean margin of the sample is 1, and at most `most`; 0 when that mean is not positive.
// For runs of which only the mistakes are at hand, where the best scale is always 0.
inline double mean_scale(const MarginSample& sample, double most = kUnlimited) {
  double sum = 0;
  double times = 0;
  for (std::size_t i = 0; i < sample.margin.size(); ++i) {
    sum += sample.times[i] * sample.margin[i];
    times += sample.times[i];
  }
  return sum > 0 ? std::min(times / sum, most) : 0.0;
}

}  // namespace halfspace
