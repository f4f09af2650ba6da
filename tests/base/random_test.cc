// Chance: the generator's draws are fixed for ever, and what is made of draws is exact at both ends of [0, 1).

#include "halfspace/base/random.h"

#include "halfspace/base/error.h"
#include "support/test.h"

namespace halfspace {
namespace {

constexpr double largest_draw = 0x1.fffffffffffffp-1;  // 1 - 2^-53

// The first draws of xoshiro256++ seeded by SplitMix64, upper 53 bits, worked out from the two papers' definitions by a
// program that shares nothing with this library. They must never change: saved models and printed runs depend on them.
struct FixedDraws {
  std::uint64_t seed;
  std::array<double, 10> draws;
};

constexpr std::array<FixedDraws, 4> fixed_draws = {{
    {1,
     {0x19f8ba0fede078p-53, 0x17e8482652c7fcp-53, 0x3346faaeaf55ep-53, 0x17e10233e0b9aap-53, 0x5e8e30970c30dp-53,
      0x12e533f95ce404p-53, 0x1f9478f2a11e82p-53, 0x10bfd4b9206c7ep-53, 0x3175cb661a669p-53, 0x44c22793e04ddp-53}},
    {42,
     {0x1a0ec9a9e88ecdp-53, 0xa33c82e8aede6p-53, 0x1f7c0f9f61849dp-53, 0x166fb3ec019b06p-53, 0x196463870e908dp-53,
      0x12d1b3e009ca1bp-53, 0x402e31fe44346p-53, 0x135d29c0e1db19p-53, 0x6a59e7b5e12b9p-53, 0x1dddfac6433694p-53}},
    {0,
     {0xa62ebac292164p-53, 0xc3b4de7b8701ap-53, 0xb81fbf23d934fp-53, 0x05dd7f18777cbp-53, 0xfd9409d75e94bp-53,
      0x0a8786eeafe11p-53, 0x1b6e9218eb56a0p-53, 0x1b0e687cc8c979p-53, 0x96fb41404713ep-53, 0x2601f8b180849p-53}},
    {0xffffffffffffffff,
     {0xad99f19d291c4p-53, 0x1cd0b10865cb4bp-53, 0x1c7d36b4902339p-53, 0x8c1e3292aa655p-53, 0x14fac4081d524cp-53,
      0xcde3f65592805p-53, 0x1c48768fbd14e7p-53, 0xf927fb5698f67p-53, 0x1450b6cbd00101p-53, 0x1b545309085e19p-53}},
}};

TEST(Generator, FirstDrawsAreFixedForEver) {
  for (const FixedDraws& fixed : fixed_draws) {
    Generator generator(fixed.seed);
    for (std::size_t i = 0; i < fixed.draws.size(); ++i) {
      EXPECT_EQ(generator.next(), fixed.draws[i]) << "seed " << fixed.seed << ", draw " << i;
    }
  }
}

TEST(Generator, StartsFromSeedOneUnlessTold) { EXPECT_EQ(Generator().next(), Generator(1).next()); }

TEST(Generator, ContinuesFromASavedState) {
  Generator first(7);
  for (int i = 0; i < 1000; ++i) first.next();
  Generator second(8);
  second.restore(first.state());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(first.next(), second.next());
  EXPECT_EQ(first.state(), second.state());
}

TEST(Generator, DrawsLieInTheHalfOpenUnitIntervalAndSpreadEvenly) {
  Generator generator(3);
  std::array<int, 16> bins{};
  constexpr int count = 160'000;
  for (int i = 0; i < count; ++i) {
    const double u = generator.next();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++bins[static_cast<std::size_t>(u * 16)];
  }
  for (const int bin : bins) EXPECT_NEAR(bin, count / 16, 500);  // five standard deviations
}

TEST(RecordedDraws, AreHandedOutInOrderAndThenRunOut) {
  RecordedDraws draws({0.25, 0.0, 0.75});
  EXPECT_EQ(draws.next(), 0.25);
  EXPECT_EQ(draws.next(), 0.0);
  EXPECT_FALSE(draws.used_up());
  EXPECT_EQ(draws.next(), 0.75);
  EXPECT_TRUE(draws.used_up());
  try {
    draws.next();
    FAIL() << "a fourth draw";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

TEST(Pick, IsTheFloorOfTheProduct) {
  RecordedDraws draws({0.0, 0.3, 0x1.5555555555554p-2, 0x1.5555555555555p-2, 0.5, largest_draw});
  EXPECT_EQ(pick(draws, 3), 0U);
  EXPECT_EQ(pick(draws, 3), 0U);
  EXPECT_EQ(pick(draws, 3), 0U);
  EXPECT_EQ(pick(draws, 3), 1U);  // below a third, but the product in doubles is 1
  EXPECT_EQ(pick(draws, 3), 1U);
  EXPECT_EQ(pick(draws, 3), 2U);
}

TEST(Pick, StaysBelowTheCountHoweverLarge) {
  for (int bit = 0; bit < 53; ++bit) {
    for (const std::uint64_t count :
         {(std::uint64_t{1} << bit), (std::uint64_t{1} << bit) + 1, (std::uint64_t{2} << bit) - 1}) {
      RecordedDraws draws({largest_draw});
      EXPECT_EQ(pick(draws, count), count - 1) << count;
    }
  }
}

TEST(Shuffle, SwapsFromTheEndWithOneDrawForEachPlaceButTheFirst) {
  // Places 4, 3, 2, 1 are swapped with floor(u * 5), floor(u * 4), floor(u * 3), floor(u * 2).
  RecordedDraws draws({0.0, 0.5, 0.9, 0.1});
  std::vector<std::uint32_t> order(5, 99);  // what was in it does not matter
  shuffle(draws, order);
  // 0 1 2 3 4 → 4 1 2 3 0 (4↔0) → 4 1 3 2 0 (3↔2) → 4 1 3 2 0 (2↔2) → 1 4 3 2 0 (1↔0)
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 4, 3, 2, 0}));
  EXPECT_TRUE(draws.used_up());
}

TEST(Shuffle, OfNothingOrOneTakesNoDraw) {
  RecordedDraws draws({});
  std::vector<std::uint32_t> none;
  shuffle(draws, none);
  EXPECT_TRUE(none.empty());
  std::vector<std::uint32_t> one(1, 5);
  shuffle(draws, one);
  EXPECT_EQ(one, std::vector<std::uint32_t>{0});
}

TEST(Shuffle, IsAPermutationAtTheLargestAndSmallestDraws) {
  for (const double u : {0.0, largest_draw}) {
    for (std::size_t size = 2; size < 200; ++size) {
      RecordedDraws draws(std::vector<double>(size - 1, u));
      std::vector<std::uint32_t> order(size);
      shuffle(draws, order);
      std::sort(order.begin(), order.end());
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(order[i], i);
    }
  }
}

TEST(Shuffle, GivesEveryOrderEquallyOften) {
  Generator generator(5);
  std::map<std::vector<std::uint32_t>, int> counts;
  constexpr int rounds = 24'000;
  for (int i = 0; i < rounds; ++i) {
    std::vector<std::uint32_t> order(4);
    shuffle(generator, order);
    ++counts[order];
  }
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, rounds / 24, 160);  // five standard deviations
}

TEST(Gaussian, IsTheCosineBranchOfTwoDraws) {
  RecordedDraws draws({0.5, 0.0, 0.5, 0.5, 0.0, 0.3, 0.5, 0.125, largest_draw, 0.0});
  const double radius = 1.1774100225154747;  // sqrt(2 ln 2)
  EXPECT_NEAR(gaussian(draws), radius, 1e-15);
  EXPECT_NEAR(gaussian(draws), -radius, 1e-15);
  EXPECT_EQ(gaussian(draws), 0.0);
  EXPECT_NEAR(gaussian(draws), radius / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(gaussian(draws), 8.571674348652905, 1e-14);  // sqrt(106 ln 2): the largest there is, and finite
  EXPECT_TRUE(draws.used_up());
}

TEST(Gaussian, HasTheMomentsOfTheStandardNormal) {
  Generator generator(11);
  constexpr int count = 200'000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < count; ++i) {
    const double g = gaussian(generator);
    sum += g;
    squares += g * g;
    fourths += g * g * g * g;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.012);  // five standard deviations each
  EXPECT_NEAR(squares / count, 1.0, 0.016);
  EXPECT_NEAR(fourths / count, 3.0, 0.11);
}

}  // namespace
}  // namespace halfspace
