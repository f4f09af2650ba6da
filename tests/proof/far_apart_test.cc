// Numbers up to the ends of the doubles, far apart within a row: exact arithmetic decides, and no double in the search
// or beside the verdict makes a certificate that does not hold.

#include <cstdio>

#include "certificate_support.h"
#include "exact_oracle.h"
#include "halfspace/proof/certify.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::proof {
namespace {

using testing::Chance;

std::string number_far_out(Chance& chance) {
  char text[40];
  const double mantissa = chance.real(-10, 10);
  std::snprintf(text, sizeof text, chance.one_in(3) ? "%.16fe%d" : "%.1fe%d", mantissa, chance.between(-300, 298));
  return text;
}

std::string rows_far_apart(Chance& chance, int classes) {
  std::string text;
  const int features = chance.between(1, 6);
  for (int i = chance.between(1, 9); i > 0; --i) {
    text += std::to_string(chance.between(1, classes));
    for (int j = 1; j <= features; ++j) {
      if (!chance.one_in(3)) text += " " + std::to_string(j) + ":" + number_far_out(chance);
    }
    text += "\n";
  }
  return text;
}

CertifyOptions options_of(Chance& chance, const std::string& path) {
  CertifyOptions options;
  options.read.path = path;
  options.read.format = DataFormat::libsvm;
  options.bias = chance.of({BiasPosition::none, BiasPosition::first, BiasPosition::last});
  if (options.bias != BiasPosition::none && chance.one_in(3))
    options.bias_scale = chance.of<const char*>({"1e-300", "0.1", "1e300"});
  return options;
}

// certify() throws when its own certificate is refused.
TEST(FarApart, EveryVerdictIsReachedAndVerified) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    Chance chance(seed);
    const std::string text = rows_far_apart(chance, chance.of({2, 2, 2, 3}));
    const CertifyOptions options = options_of(chance, folder.write("data", text));
    std::optional<CertifyResult> result;
    ASSERT_NO_THROW(result.emplace(certify(options))) << "seed " << seed << "\n" << text;
    EXPECT_NE(result->verdict, Verdict::undecided) << "seed " << seed << "\n" << text;
    EXPECT_LE(result->margin_lower, result->margin_upper) << "seed " << seed << "\n" << text;
  }
}

// Powers of ten, one for each column, separate nothing that was not separable.
TEST(FarApart, ColumnsOfAnySizeHaveTheVerdictOfSmallOnes) {
  const TemporaryFolder folder;
  int separable = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Chance chance(seed);
    SmallSet set;
    set.biased = chance.one_in(2);
    const int features = chance.between(1, 3);
    std::vector<int> power;
    for (int j = 0; j < features; ++j) power.push_back(chance.between(-300, 300));
    std::string text;
    for (int i = chance.between(2, 6); i > 0; --i) {
      std::vector<int> x;
      const int y = chance.one_in(2) ? 1 : -1;
      text += std::to_string(y);
      for (int j = 0; j < features; ++j) {
        x.push_back(chance.between(-3, 3));
        const int shift = power[static_cast<std::size_t>(j)];
        text += " " + std::to_string(j + 1) + ":" + std::to_string(x.back()) + "e" + std::to_string(shift);
      }
      text += "\n";
      set.x.push_back(x);
      set.y.push_back(y);
    }
    CertifyOptions options;
    options.read.path = folder.write("data", text);
    options.read.format = DataFormat::libsvm;
    options.read.labels.positive = "1";
    options.bias = set.biased ? BiasPosition::last : BiasPosition::none;
    const bool expected = oracle_separable(set);
    separable += expected;
    EXPECT_EQ(certify(options).verdict, expected ? Verdict::separable : Verdict::not_separable)
        << "seed " << seed << "\n"
        << text;
  }
  EXPECT_GT(separable, 60);
}

// The largest row is so by a column whose unit is no double, which has most of its length.
TEST(FarApart, TheRadiusHasWhatUnitsLose) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data", "1 1:2e-25 2:1e-27\n0 2:1e-26\n1 1:1.5e-330 2:3e-27\n");
  options.read.format = DataFormat::libsvm;
  options.bias = BiasPosition::none;
  EXPECT_NEAR(certify(options).radius / 2e-25, 1.0000125, 1e-7);
}

}  // namespace
}  // namespace halfspace::proof
