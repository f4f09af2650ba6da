// Computes exponential weights from totals: one shift, one exponential an entry, one division.
#include "halfspace/detail/base/softmax.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {

void softmax(std::span<const double> totals, double rate, std::span<double> p, std::span<const double> among) {
  const std::size_t count = totals.size();
  const auto wanted = [&](std::size_t i) { return among.empty() || !std::isnan(among[i]); };
  const double worst = rate < 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  double favourite = worst;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!wanted(i)) continue;
    ++entries;
    if (std::isfinite(totals[i]) && (rate < 0 ? totals[i] < favourite : totals[i] > favourite)) favourite = totals[i];
  }
  if (favourite == worst) {
    for (std::size_t i = 0; i < count; ++i) p[i] = wanted(i) ? 1.0 / static_cast<double>(entries) : 0.0;
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // An infinite total times a rate of 0 would be NaN.
    p[i] = wanted(i) && std::isfinite(totals[i]) ? elementary::exp(rate * (totals[i] - favourite)) : 0.0;
    sum += p[i];
  }
  for (std::size_t i = 0; i < count; ++i) p[i] /= sum;
}

}  // namespace halfspace
