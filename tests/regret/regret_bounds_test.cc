// The bounds of experts and bandits at their edges; their values are golden (N08).
#include "halfspace/regret/regret_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace halfspace {
namespace {

TEST(RegretBounds, NothingToChooseOrToPlayIsFree) {
  for (const double bound :
       {hedge_bound(100, 1), hedge_anytime_bound(0, 5), hedge_doubling_bound(0, 5), exp3_bound(100, 1),
        exp3_anytime_bound(0, 3), exp3_mix_bound(0.5, 9, 1), exp3p_bound(0, 3, 0.1), exp3p_auer_bound(0, 3, 0.1),
        exp3_ix_bound(100, 1, 0.1), exp3_ix_anytime_bound(0, 3, 0.1), consistent_bound(1), halving_bound(1),
        mixture_bound(1, 0.5)}) {
    EXPECT_EQ(bound, 0);
  }
}

TEST(RegretBounds, HalvingIsTheWholeLogarithm) {
  EXPECT_EQ(halving_bound(7), 2);
  EXPECT_EQ(halving_bound(8), 3);
  EXPECT_EQ(halving_bound((std::uint64_t{1} << 60) - 1), 59);  // the logarithm of a double would say 60
}

TEST(RegretBounds, WeightedMajorityAtItsEnds) {
  EXPECT_EQ(weighted_majority_bound(0, 8, 0), 3);
  EXPECT_TRUE(std::isinf(weighted_majority_bound(1, 8, 0)));
  EXPECT_EQ(weighted_majority_bound(5, 1, 0.5), 5);
  EXPECT_NEAR(weighted_majority_bound(1000, 2, 1 - 0x1p-30), 2 * 1000 + std::log(2.0) * 0x1p31, 2);
}

}  // namespace
}  // namespace halfspace
