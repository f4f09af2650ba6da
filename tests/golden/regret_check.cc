// The bounds of experts and bandits.
#include <functional>
#include <map>

#include "checks.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace::testing {
namespace {

using Arguments = std::vector<double>;
std::uint64_t whole(double x) { return static_cast<std::uint64_t>(x); }

const std::map<std::string, std::function<double(const Arguments&)>>& formulas() {
  static const std::map<std::string, std::function<double(const Arguments&)>> all{
      {"hedge_bound", [](const Arguments& a) { return hedge_bound(whole(a[0]), whole(a[1])); }},
      {"hedge_anytime_bound", [](const Arguments& a) { return hedge_anytime_bound(whole(a[0]), whole(a[1])); }},
      {"wm_det_bound", [](const Arguments& a) { return weighted_majority_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3_bound", [](const Arguments& a) { return exp3_bound(whole(a[0]), whole(a[1])); }},
      {"exp3_anytime_bound", [](const Arguments& a) { return exp3_anytime_bound(whole(a[0]), whole(a[1])); }},
      {"exp3p_bound", [](const Arguments& a) { return exp3p_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3p_auer_bound", [](const Arguments& a) { return exp3p_auer_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3ix_bound", [](const Arguments& a) { return exp3_ix_bound(whole(a[0]), whole(a[1]), a[2]); }},
      {"exp3ix_anytime_bound",
       [](const Arguments& a) { return exp3_ix_anytime_bound(whole(a[0]), whole(a[1]), a[2]); }},
  };
  return all;
}

}  // namespace

void check_regret_bounds(const Json& golden) {
  for (std::size_t i = 0; i < golden["input"]["cases"].size(); ++i) {
    const Json& one = golden["input"]["cases"][i];
    const double ours = formulas().at(one["f"])(numbers(one["args"]));
    const double wanted = number(golden["expect"]["values"][i]);
    EXPECT_GE(ours, wanted) << one;  // rounded up
    EXPECT_LE(ours, wanted * (1 + 1e-12)) << one;
  }
}

}  // namespace halfspace::testing
