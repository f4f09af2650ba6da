// Start weights: a function of the seed and the coordinate alone, so that features may appear in any order.
#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/detail/rules/multiclass.h"

namespace halfspace {
namespace {

TEST(Start, DoesNotDependOnTheOrderInWhichFeaturesAppear) {
  const Start start{true, 7};
  Weights at_once(BiasOptions{}, start);
  at_once.grow(100);
  Weights in_pieces(BiasOptions{}, start);
  for (const std::uint32_t features : {1U, 2U, 2U, 30U, 99U, 100U, 5U}) in_pieces.grow(features);
  EXPECT_EQ(at_once.vector(), in_pieces.vector());
  EXPECT_EQ(at_once.vector().bias, 0);
  for (std::uint32_t j = 0; j < 100; ++j) EXPECT_EQ(at_once.vector().w[j], start.weight(j));

  ClassWeights classes(BiasOptions{}, 3, start);
  classes.grow(2);
  classes.grow(7);
  for (std::uint32_t i = 0; i < 21; ++i) EXPECT_EQ(classes.vector().w[i], start.weight(i));
}

TEST(Start, IsSmallAndUniform) {
  double sum = 0;
  double squares = 0;
  constexpr int count = 20000;
  for (int j = 0; j < count; ++j) {
    const double w = Start{true, 3}.weight(static_cast<std::uint64_t>(j));
    sum += w;
    squares += w * w;
  }
  EXPECT_NEAR(sum / count, 0, 5 * 0.01 / std::sqrt(3 * count));
  EXPECT_NEAR(squares / count, 1e-4 / 3, 2e-6);
  EXPECT_NE((Start{true, 1}.weight(0)), (Start{true, 2}.weight(0)));
  EXPECT_EQ((Start{false, 1}.weight(5)), 0);
}

}  // namespace
}  // namespace halfspace
