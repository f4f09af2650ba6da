// Hedge over candidates at several scales: its definition, and the same bits at every level of vector code.
#include "rules/hedge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "halfspace/detail/rules/hedge_mixture.h"
#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;

TEST(Hedge, GivesTheSameBitsAtEveryLevel) {
  std::string first_level, wanted;
  at_every_level([&](const std::string& level) {
    if (level == "reference") return;  // kernels alone have one
    Generator draws(31);
    std::string bits;
    double loss[8], share[8];
    for (int i = 0; i < 200; ++i) {
      for (double& one : loss) one = gaussian(draws) * std::ldexp(1.0, i % 12);
      const double mixed = rules::hedge(loss, 0.01 * (1 + i % 7), share);
      bits.append(reinterpret_cast<const char*>(&mixed), sizeof mixed);
      bits.append(reinterpret_cast<const char*>(share), sizeof share);
    }
    if (first_level.empty()) {
      first_level = level;
      wanted = bits;
    }
    EXPECT_TRUE(bits == wanted) << level << " and " << first_level;
  });
}

// Hedge against its definition.
TEST(Hedge, IsTheSoftmaxOfItsLosses) {
  Generator draws(11);
  for (int i = 0; i < 400; ++i) {
    const double rate = std::ldexp(1.0, static_cast<int>(pick(draws, 12)) - 10);
    double loss[8], share[8];
    for (double& one : loss) one = gaussian(draws) * std::ldexp(1.0, static_cast<int>(pick(draws, 10)));
    long double most = 0, all = 0, wanted[8] = {};
    for (const double one : loss) {
      for (const double scale : HedgeMixture::scales) most = std::max(most, -1.0L * rate * scale * one);
    }
    all = std::exp(-most);
    for (std::size_t k = 0; k < 8; ++k) {
      for (const double scale : HedgeMixture::scales) {
        const long double weight = std::exp(-1.0L * rate * scale * loss[k] - most);
        all += weight;
        wanted[k] += scale * weight;
      }
    }
    const double mixed = rules::hedge(loss, rate, share);
    EXPECT_NEAR(mixed, static_cast<double>(std::log(all) + most), 1e-12 * (1 + std::abs(mixed)));
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(share[k], static_cast<double>(wanted[k] / all), 1e-9) << k;
  }
}

}  // namespace
}  // namespace halfspace
