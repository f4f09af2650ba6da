// The bounds of experts and bandits against golden values, and at their edges.
#include "halfspace/regret_bounds.h"

#include <cmath>
#include <functional>
#include <map>

#include "experts/golden.h"

namespace halfspace::testing {
namespace {

using Arguments = std::vector<double>;
std::uint64_t whole(double x) { return static_cast<std::uint64_t>(x); }

const std::map<std::string, std::function<double(const Arguments&)>>& formulas() {
  static const std::map<std::string, std::function<double(const Arguments&)>> all{
      {"uml_wm_bound", [](const Arguments& a) { return hedge_uml_bound(whole(a[0]), whole(a[1])); }},
      {"hedge_bound", [](const Arguments& a) { return hedge_bound(whole(a[0]), whole(a[1])); }},
      {"hedge_anytime_bound", [](const Arguments& a) { return hedge_anytime_bound(whole(a[0]), whole(a[1])); }},
      {"wm_det_bound", [](const Arguments& a) { return weighted_majority_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3_bound", [](const Arguments& a) { return exp3_bound(whole(a[0]), whole(a[1])); }},
      {"exp3_anytime_bound", [](const Arguments& a) { return exp3_anytime_bound(whole(a[0]), whole(a[1])); }},
      {"exp3p_bound", [](const Arguments& a) { return exp3p_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3p_auer_bound", [](const Arguments& a) { return exp3p_auer_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3ix_bound", [](const Arguments& a) { return exp3_ix_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3ix_anytime_bound", [](const Arguments& a) { return exp3_ix_anytime_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"winnow1_bound", [](const Arguments& a) { return winnow1_bound(whole(a[0]), whole(a[1]), a[2], a[3]); }},
      {"winnow2_bound", [](const Arguments& a) { return winnow2_bound(whole(a[0]), a[1], a[2], a[3]); }},
  };
  return all;
}

TEST(RegretBounds, N08Golden) {
  HALFSPACE_GOLDEN_CASE(golden, "N08-formulas");
  for (std::size_t i = 0; i < golden["input"]["cases"].size(); ++i) {
    const Json& one = golden["input"]["cases"][i];
    const double ours = formulas().at(one["f"])(numbers(one["args"]));
    const double wanted = number(golden["expect"]["values"][i]);
    EXPECT_GE(ours, wanted) << one;  // rounded up
    EXPECT_LE(ours, wanted * (1 + 1e-12)) << one;
  }
}

TEST(RegretBounds, NothingToChooseOrToPlayIsFree) {
  for (const double bound : {hedge_bound(100, 1), hedge_anytime_bound(0, 5), hedge_doubling_bound(0, 5), exp3_bound(100, 1), exp3_anytime_bound(0, 3),
                             exp3_mix_bound(0.5, 9, 1), exp3p_bound(0, 3, 0.1), exp3p_auer_bound(0, 3, 0.1), exp3_ix_bound(100, 1, 0.1), exp3_ix_anytime_bound(0, 3, 0.1),
                             consistent_bound(1), halving_bound(1), mixture_bound(1, 0.5)}) {
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
}  // namespace halfspace::testing
