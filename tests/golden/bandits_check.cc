// Golden traces of the bandits, draws handed in.
#include "checks.h"
#include "golden/near.h"
#include "halfspace/bandits/exp3.h"
#include "halfspace/detail/bandits/exp3_ix.h"
#include "halfspace/detail/bandits/exp3_mix.h"
#include "halfspace/detail/bandits/exp3_p.h"

namespace halfspace::testing {
namespace {

// Plays the case's draws and compares p, arm, loss or gain, and the totals after learning.
template <BanditPlayer Player>
void check_trace(const Json& golden, Player player) {
  const bool gains = golden["input"].contains("gains");
  const Json& table = golden["input"][gains ? "gains" : "losses"];
  double total = 0;
  for (std::size_t t = 0; t < golden["expect"]["rounds"].size(); ++t) {
    const Json& round = golden["expect"]["rounds"][t];
    const std::vector<double> row = numbers(table[t]);
    const Play play = player.play(number(golden["input"]["draws"][t]));
    for (std::size_t i = 0; i < row.size(); ++i) expect_near(player.last_distribution()[i], round["p"][i], "p");
    ASSERT_EQ(play.arm, round["arm"]) << "round " << t;
    EXPECT_EQ(play.round, t + 1);
    EXPECT_EQ(play.probability, player.last_distribution()[play.arm]);
    EXPECT_EQ(row[play.arm], number(round[gains ? "gain" : "loss"]));
    player.learn(play, gains ? 1 - row[play.arm] : row[play.arm]);
    for (std::size_t i = 0; i < row.size(); ++i) expect_near(player.totals()[i], round[gains ? "G" : "L"][i], "total");
    total += row[play.arm];
  }
  expect_near(total, golden["expect"]["total"], "total");
}

std::uint64_t rounds_of(const Json& golden) { return golden["input"]["draws"].size(); }

}  // namespace

void check_exp3(const Json& golden) {
  const FixedRate rate = golden["input"].contains("eta")
                             ? FixedRate{number(golden["input"]["eta"])}
                             : FixedRate::for_horizon(2 * exp3_rate_scale(3), rounds_of(golden));
  expect_near(rate.value, golden["expect"]["eta"], "rate");
  check_trace(golden, Exp3(3, rate));
}

void check_exp3_mix(const Json& golden) { check_trace(golden, Exp3Mix(3, number(golden["input"]["gamma"]))); }

void check_exp3p(const Json& golden) {
  const std::size_t arms = golden["input"]["gains"][0].size();
  const Exp3P::Parameters parameters = Exp3P::bubeck(arms, rounds_of(golden), number(golden["input"]["delta"]));
  expect_near(parameters.bonus, golden["expect"]["params"][0], "bonus");
  expect_near(parameters.rate, golden["expect"]["params"][1], "rate");
  expect_near(parameters.mixing, golden["expect"]["params"][2], "mixing");
  check_trace(golden, Exp3P(arms, parameters));
}

void check_exp3_ix(const Json& golden) {
  check_trace(golden, Exp3Ix(3, FixedRate::for_horizon(2 * exp3_rate_scale(3), rounds_of(golden))));
}

}  // namespace halfspace::testing
