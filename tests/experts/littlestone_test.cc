// The Littlestone dimension against a brute-force oracle, its certificate, its budget; SOA and the adversary of the
// tree.
#include "halfspace/detail/experts/littlestone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/soa.h"

namespace halfspace {
namespace {

using Table = std::vector<std::vector<std::uint8_t>>;

// The definition, with no memory and no pruning.
int brute_force(const Table& table) {
  if (table.empty()) return -1;
  int best = 0;
  for (std::size_t x = 0; x < table[0].size(); ++x) {
    Table part[2];
    for (const auto& h : table) part[h[x]].push_back(h);
    if (part[0].empty() || part[1].empty()) continue;
    best = std::max(best, 1 + std::min(brute_force(part[0]), brute_force(part[1])));
  }
  return best;
}

Table random_class(Generator& draws, std::size_t hypotheses, std::size_t points, double ones) {
  Table table(hypotheses, std::vector<std::uint8_t>(points));
  for (auto& h : table) {
    for (auto& label : h) label = draws.next() < ones ? 1 : 0;
  }
  return table;
}

Table thresholds(std::size_t points) {
  Table table;
  for (std::size_t k = 0; k <= points; ++k) {
    std::vector<std::uint8_t> h(points);
    for (std::size_t x = k; x < points; ++x) h[x] = 1;
    table.push_back(h);
  }
  return table;
}

TEST(Littlestone, AgreesWithTheDefinitionOnRandomClasses) {
  Generator draws(1);
  std::set<int> seen;
  for (int round = 0; round < 250; ++round) {
    const Table table = random_class(draws, pick(draws, 14), 1 + pick(draws, 5), 0.2 + 0.6 * draws.next());
    const FiniteClass of(table);
    Littlestone littlestone(of);
    const auto answer = littlestone.dimension();
    ASSERT_TRUE(answer.exact());
    ASSERT_EQ(answer.lower, brute_force(table));  // doubles change nothing
    seen.insert(answer.lower);
    if (answer.lower >= 0) {
      const MistakeTree tree = littlestone.tree(of.all(), answer.lower);
      ASSERT_TRUE(shatters(table, tree));
      EXPECT_THROW(littlestone.tree(of.all(), answer.lower + 1), Error);
    }
  }
  EXPECT_GE(seen.size(), 4U);
}

TEST(Littlestone, KnowsTheFamiliesOfTheTheory) {
  for (const std::size_t n : {1, 2, 3, 4, 15, 16, 31, 100, 300}) {
    const FiniteClass of(thresholds(n));
    EXPECT_EQ(Littlestone(of).dimension().lower, static_cast<int>(std::bit_width(n + 1)) - 1) << n;
  }
  // Parities over F_2^k.
  for (const unsigned k : {1U, 2U, 3U, 4U, 5U}) {
    Table table;
    for (unsigned a = 0; a < 1U << k; ++a) {
      std::vector<std::uint8_t> h;
      for (unsigned x = 0; x < 1U << k; ++x) h.push_back(std::popcount(a & x) & 1);
      table.push_back(h);
    }
    const FiniteClass of(table);
    EXPECT_EQ(Littlestone(of).dimension().lower, static_cast<int>(k));
  }
  // Singletons: 1 whatever their number.
  Table singletons(70, std::vector<std::uint8_t>(70));
  for (std::size_t i = 0; i < 70; ++i) singletons[i][i] = 1;
  const FiniteClass of(singletons);
  EXPECT_EQ(Littlestone(of).dimension().lower, 1);
}

TEST(Littlestone, TheCheckerRefusesEveryBrokenTree) {
  const Table table = thresholds(7);
  const FiniteClass of(table);
  Littlestone littlestone(of);
  const MistakeTree good = littlestone.tree(of.all(), 3);
  ASSERT_TRUE(shatters(table, good));
  for (std::size_t leaf = 0; leaf < good.row.size(); ++leaf) {
    MistakeTree bad = good;
    bad.row[leaf] = (bad.row[leaf] + 1) % table.size();
    EXPECT_FALSE(shatters(table, bad));
    bad.row[leaf] = table.size();
    EXPECT_FALSE(shatters(table, bad));
  }
  for (std::size_t node = 0; node < good.point.size(); ++node) {
    MistakeTree bad = good;
    bad.point[node] = (bad.point[node] + 1) % 7;
    EXPECT_FALSE(shatters(table, bad));
    bad.point[node] = 7;
    EXPECT_FALSE(shatters(table, bad));
  }
  MistakeTree bad = good;
  bad.row.pop_back();
  EXPECT_FALSE(shatters(table, bad));
  bad = good;
  bad.depth = 2;
  EXPECT_FALSE(shatters(table, bad));
}

TEST(Littlestone, ASpentBudgetGivesAnHonestBracket) {
  Generator draws(5);
  const FiniteClass of(random_class(draws, 200, 40, 0.5));
  Littlestone poor(of, 50);
  const auto bracket = poor.dimension();
  EXPECT_FALSE(bracket.exact());
  EXPECT_LE(poor.visited(), 50U);
  Littlestone rich(of);
  const auto answer = rich.dimension();
  ASSERT_TRUE(answer.exact());
  EXPECT_LE(bracket.lower, answer.lower);
  EXPECT_GE(bracket.upper, answer.lower);
  Soa soa(of, 50);
  EXPECT_THROW(soa.predict(0), Error);
  EXPECT_THROW(FiniteClass(Table{{0, 1}, {1}}), Error);
}

TEST(Littlestone, TheEmptyClassAndTheClassWithoutPoints) {
  const FiniteClass none{Table{}};
  EXPECT_EQ(Littlestone(none).dimension().lower, -1);
  const FiniteClass pointless{Table{{}, {}}};
  EXPECT_EQ(pointless.size(), 1U);
  EXPECT_EQ(Littlestone(pointless).dimension().lower, 0);
}

// The adversary walks down the tree, always against the prediction: every deterministic player errs Ldim times, SOA no
// more.
template <class Predict, class Reveal>
int walk(const MistakeTree& tree, const Predict& predict, const Reveal& reveal) {
  int mistakes = 0;
  std::size_t node = 0;
  while (node < tree.point.size()) {
    const int outcome = 1 - predict(tree.point[node]);
    ++mistakes;
    reveal(tree.point[node], outcome);
    node = 2 * node + 1 + static_cast<std::size_t>(outcome);
  }
  return mistakes;
}

template <class Player>
int walk_with_advice(const Table& table, const MistakeTree& tree) {
  Player player(table.size());
  const auto advice = [&](std::size_t x) {
    std::vector<double> says;
    for (const auto& h : table) says.push_back(h[x]);
    return says;
  };
  const int mistakes = walk(
      tree, [&](std::size_t x) { return player.predict(advice(x)); },
      [&](std::size_t x, int y) { player.reveal(advice(x), y); });
  EXPECT_GT(player.space().count(), 0U);  // the leaf's hypothesis is perfect: the run is realisable
  return mistakes;
}

TEST(Soa, IsForcedToExactlyTheLittlestoneDimension) {
  Generator draws(2);
  for (int round = 0; round < 60; ++round) {
    const Table table = round == 0 ? thresholds(15) : random_class(draws, 2 + pick(draws, 30), 2 + pick(draws, 8), 0.3);
    const FiniteClass of(table);
    Littlestone littlestone(of);
    const int dimension = littlestone.dimension().lower;
    const MistakeTree tree = littlestone.tree(of.all(), dimension);
    Soa soa(of);
    EXPECT_EQ(walk(
                  tree, [&](std::size_t x) { return soa.predict(x); }, [&](std::size_t x, int y) { soa.reveal(x, y); }),
              dimension);
    EXPECT_EQ(soa.emptied(), 0U);
    // On from there nothing more can be forced, on any point that leaves somebody.
    for (std::size_t x = 0; x < of.points(); ++x) {
      const int predicted = soa.predict(x);
      if (soa.dimension(1 - predicted) >= 0) ADD_FAILURE() << "another mistake was possible";
      soa.reveal(x, predicted);
    }
    EXPECT_EQ(walk_with_advice<Halving>(table, tree), dimension);
    EXPECT_EQ(walk_with_advice<Consistent>(table, tree), dimension);
  }
}

// Greedy adversaries on random orders never force more than Ldim out of SOA.
TEST(Soa, NeverExceedsTheDimension) {
  Generator draws(3);
  for (int round = 0; round < 60; ++round) {
    const FiniteClass of(random_class(draws, 40, 10, 0.4));
    Soa soa(of);
    const int dimension = soa.class_dimension();
    int mistakes = 0;
    for (int t = 0; t < 60; ++t) {
      const std::size_t x = pick(draws, of.points());
      const int predicted = soa.predict(x);
      const bool opposite = soa.dimension(1 - predicted) >= 0;
      mistakes += opposite;
      soa.reveal(x, opposite ? 1 - predicted : predicted);
    }
    EXPECT_LE(mistakes, dimension);
  }
}

TEST(Soa, GoesOnWhenNobodyIsLeft) {
  const FiniteClass of(Table{{1, 1}});
  Soa soa(of);
  EXPECT_EQ(soa.predict(0), 1);
  soa.reveal(0, 0);
  EXPECT_EQ(soa.emptied(), 1U);
  EXPECT_EQ(soa.predict(1), 1);
  EXPECT_EQ(soa.dimension(0), -1);
  soa.reveal(1, 0);
  EXPECT_EQ(soa.emptied(), 1U);
}

}  // namespace
}  // namespace halfspace
