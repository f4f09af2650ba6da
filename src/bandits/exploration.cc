// The formulas of exploration.h.
#include "halfspace/detail/bandits/exploration.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/detail/base/softmax.h"

namespace halfspace::exploration {

void greedy(std::span<const double> estimates, std::span<double> p) {
  const double largest = *std::max_element(estimates.begin(), estimates.end());
  const auto ties = static_cast<double>(std::count(estimates.begin(), estimates.end(), largest));
  for (std::size_t a = 0; a < p.size(); ++a) p[a] = estimates[a] == largest ? 1 / ties : 0.0;
}

void epsilon(std::span<const double> estimates, double rate, std::span<double> p) {
  greedy(estimates, p);
  for (double& one : p) one = (1 - rate) * one + rate / static_cast<double>(p.size());
}

void softmax(std::span<const double> estimates, double rate, std::span<double> p) {
  halfspace::softmax(estimates, rate, p);
}

void inverse_gap(std::span<const double> estimates, double gamma, std::span<double> p) {
  const double largest = *std::max_element(estimates.begin(), estimates.end());
  double rest = 1, ties = 0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    if (estimates[a] == largest) {
      ++ties;
      continue;
    }
    p[a] = 1 / (static_cast<double>(p.size()) + gamma * (largest - estimates[a]));
    rest -= p[a];
  }
  for (std::size_t a = 0; a < p.size(); ++a) {
    if (estimates[a] == largest) p[a] = rest / ties;
  }
}

void thompson(std::span<const double> scores, std::span<const double> variances, unsigned samples, Draws& draws,
              std::span<double> p) {
  std::vector<double> sampled(p.size()), won(p.size());
  for (unsigned i = 0; i < samples; ++i) {
    for (std::size_t a = 0; a < p.size(); ++a) sampled[a] = scores[a] + std::sqrt(variances[a]) * gaussian(draws);
    ++won[static_cast<std::size_t>(std::max_element(sampled.begin(), sampled.end()) - sampled.begin())];
  }
  for (std::size_t a = 0; a < p.size(); ++a) p[a] = won[a] / samples;
}

}  // namespace halfspace::exploration
