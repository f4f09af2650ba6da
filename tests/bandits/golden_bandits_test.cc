// Golden traces of the bandits, draws handed in.
#include "experts/golden.h"
#include "halfspace/bandits/exp3.h"
#include "halfspace/bandits/exp3_ix.h"
#include "halfspace/bandits/exp3_mix.h"
#include "halfspace/bandits/exp3_p.h"

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

void check_exp3(const char* id) {
  HALFSPACE_GOLDEN_CASE(golden, id);
  const FixedRate rate = golden["input"].contains("eta") ? FixedRate{number(golden["input"]["eta"])}
                                                         : FixedRate::for_horizon(2 * exp3_rate_scale(3), rounds_of(golden));
  expect_near(rate.value, golden["expect"]["eta"], "rate");
  check_trace(golden, Exp3(3, rate));
}

TEST(GoldenBandits, X01Exp3) { check_exp3("X01-exp3"); }
TEST(GoldenBandits, X10DrawEdges) { check_exp3("X10-exp3-draw-edges"); }
TEST(GoldenBandits, X11BigRateDoesNotUnderflow) { check_exp3("X11-exp3-big-eta"); }

TEST(GoldenBandits, X03Exp3Mix) {
  HALFSPACE_GOLDEN_CASE(golden, "X03-exp3-mix");
  check_trace(golden, Exp3Mix(3, number(golden["input"]["gamma"])));
}

void check_exp3p(const char* id, std::size_t arms) {
  HALFSPACE_GOLDEN_CASE(golden, id);
  const Exp3P::Parameters parameters = Exp3P::bubeck(arms, rounds_of(golden), number(golden["input"]["delta"]));
  expect_near(parameters.bonus, golden["expect"]["params"][0], "bonus");
  expect_near(parameters.rate, golden["expect"]["params"][1], "rate");
  expect_near(parameters.mixing, golden["expect"]["params"][2], "mixing");
  check_trace(golden, Exp3P(arms, parameters));
}

TEST(GoldenBandits, X04Exp3P) { check_exp3p("X04-exp3p", 3); }
TEST(GoldenBandits, X05Exp3PShort) { check_exp3p("X05-exp3p-short", 4); }

TEST(GoldenBandits, X07Exp3Ix) {
  HALFSPACE_GOLDEN_CASE(golden, "X07-exp3ix");
  check_trace(golden, Exp3Ix(3, FixedRate::for_horizon(2 * exp3_rate_scale(3), rounds_of(golden))));
}

}  // namespace
}  // namespace halfspace::testing
