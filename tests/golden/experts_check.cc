// Golden traces of the experts' algorithms.
#include "checks.h"
#include "golden/near.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/experts/littlestone.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/soa.h"
#include "halfspace/experts/weighted_majority.h"

namespace halfspace::testing {
namespace {

using Table = std::vector<std::vector<std::uint8_t>>;

std::vector<double> advice_at(const Table& table, std::size_t point) {
  std::vector<double> advice;
  for (const auto& hypothesis : table) advice.push_back(hypothesis[point]);
  return advice;
}

template <class Player>
void check_version_space(const Json& golden) {
  const Table table = golden["input"]["H"];
  Player player(table.size());
  int mistakes = 0;
  for (std::size_t t = 0; t < golden["expect"]["rounds"].size(); ++t) {
    const Json& round = golden["expect"]["rounds"][t];
    const auto advice = advice_at(table, golden["input"]["stream"][t][0]);
    const int outcome = golden["input"]["stream"][t][1];
    const int predicted = player.predict(advice);
    EXPECT_EQ(predicted, round["pred"]) << "round " << t;
    mistakes += predicted != outcome;
    player.reveal(advice, outcome);
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (player.space().contains(i)) alive.push_back(i);
    }
    EXPECT_EQ(alive, round["alive"].get<std::vector<std::size_t>>()) << "round " << t;
    EXPECT_EQ(alive.size(), player.space().count());
  }
  EXPECT_EQ(mistakes, golden["expect"]["mistakes"]);
}

}  // namespace

void check_consistent(const Json& golden) { check_version_space<Consistent>(golden); }
void check_halving(const Json& golden) { check_version_space<Halving>(golden); }

void check_soa(const Json& golden) {
  const Table table = golden["input"]["H"];
  const FiniteClass thresholds(table);
  Soa soa(thresholds);
  int mistakes = 0;
  for (std::size_t t = 0; t < golden["expect"]["rounds"].size(); ++t) {
    const Json& round = golden["expect"]["rounds"][t];
    const std::size_t point = golden["input"]["stream"][t][0];
    const int outcome = golden["input"]["stream"][t][1];
    const int predicted = soa.predict(point);
    EXPECT_EQ(predicted, round["pred"]);
    EXPECT_EQ(soa.dimension(0), round["ldim0"]);
    EXPECT_EQ(soa.dimension(1), round["ldim1"]);
    mistakes += predicted != outcome;
    soa.reveal(point, outcome);
    EXPECT_EQ(count(soa.version_space()), round["alive"]);
  }
  EXPECT_EQ(mistakes, golden["expect"]["mistakes"]);
}

void check_littlestone(const Json& golden) {
  for (std::size_t c = 0; c < golden["input"]["classes"].size(); ++c) {
    const Table table = golden["input"]["classes"][c];
    const FiniteClass of(table);
    Littlestone littlestone(of);
    const Littlestone::Answer answer = littlestone.dimension();
    EXPECT_TRUE(answer.exact());
    EXPECT_EQ(answer.lower, golden["expect"]["values"][c]) << "class " << c;
    EXPECT_TRUE(shatters(table, littlestone.tree(of.all(), answer.lower))) << "class " << c;
  }
}

void check_weighted_majority(const Json& golden) {
  WeightedMajority player(5, number(golden["input"]["beta"]));
  int mistakes = 0;
  for (std::size_t t = 0; t < golden["expect"]["rounds"].size(); ++t) {
    const Json& round = golden["expect"]["rounds"][t];
    const auto advice = numbers(golden["input"]["preds"][t]);
    const int outcome = golden["input"]["labels"][t];
    const int predicted = player.predict(advice);
    EXPECT_EQ(predicted, round["pred"]) << t;
    EXPECT_EQ(player.votes(0), number(round["q0"])) << t;
    EXPECT_EQ(player.votes(1), number(round["q1"])) << t;
    mistakes += predicted != outcome;
    player.reveal(advice, outcome);
    EXPECT_EQ(player.weights(), numbers(round["w"])) << t;
  }
  EXPECT_EQ(mistakes, golden["expect"]["mistakes"]);
}

void check_hedge(const Json& golden) {
  const std::size_t experts = golden["input"]["losses"][0].size();
  Hedge hedge(experts, FixedRate{number(golden["input"]["eta"])});
  double total = 0;
  for (std::size_t t = 0; t < golden["expect"]["rounds"].size(); ++t) {
    const Json& round = golden["expect"]["rounds"][t];
    const auto p = hedge.distribution();
    for (std::size_t i = 0; i < experts; ++i) expect_near(p[i], round["p"][i], "p");
    EXPECT_EQ(pick(number(golden["input"]["draws"][t]), p), round["choice"]) << t;
    const double expected = hedge.reveal(numbers(golden["input"]["losses"][t]));
    expect_near(expected, round["expected_loss"], "expected loss");
    total += expected;
  }
  const auto totals = hedge.totals();
  const double best = *std::min_element(totals.begin(), totals.end());
  expect_near(total, golden["expect"]["expected_total"], "expected total");
  expect_near(best, golden["expect"]["best"], "best");
  EXPECT_NEAR(total - best, number(golden["expect"]["regret"]), 1e-12);
}

}  // namespace halfspace::testing
