// The search and its exact arithmetic against an oracle that shares nothing with them: exhaustively on small sets.

#include "proof/decide/decide.h"

#include "exact_oracle.h"
#include "proof/decide/errors.h"
#include "proof/decide/weak.h"
#include "proof/exact/nearest.h"
#include "proof/exact/simplex.h"
#include "proof/exact/support.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

const auto silent = [](const char*, Bracket) {};

// A question about points given as integers.
struct Asked {
  std::unique_ptr<Points> points = std::make_unique<Points>(RowsOptions{});
  Problem problem;

  explicit Asked(const SmallSet& set, std::size_t features) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = 0; j < set.x[i].size(); ++j) {
        if (set.x[i][j] != 0) points->add(static_cast<std::uint32_t>(j), std::int64_t{set.x[i][j]}, 0);
      }
      points->end_row(0, i + 1, set.y[i] > 0 ? 1 : 0);
      problem.members.push_back({static_cast<std::uint32_t>(i), static_cast<std::int8_t>(set.y[i])});
    }
    points->finish(static_cast<std::uint32_t>(features));
    problem.points = points.get();
    problem.biased = set.biased;
  }

  // Weights of all features, from those of the ones that occur.
  std::vector<mpz_class> whole(const std::vector<mpz_class>& w) const {
    std::vector<mpz_class> all(points->features_of_data() + (problem.biased ? 1U : 0U));
    for (std::uint32_t j = 0; j < points->features(); ++j) all[points->feature(j)] = w[j];
    if (problem.biased) all.back() = w.back();
    return all;
  }
};

// Plain arithmetic of the test's own.
bool separates(const SmallSet& set, const std::vector<mpz_class>& w, const std::vector<bool>& may_be_zero = {}) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    mpz_class score = set.biased ? mpz_class(w.back() * set.y[i]) : mpz_class(0);
    for (std::size_t j = 0; j < set.x[i].size(); ++j) score += w[j] * (set.x[i][j] * set.y[i]);
    if (score < 0 || (score == 0 && (may_be_zero.empty() || !may_be_zero[i]))) return false;
  }
  return true;
}

bool cancels(const SmallSet& set, const WeightedMembers& weights) {
  if (weights.empty()) return false;
  std::vector<mpz_class> sum(set.x[0].size() + 1);
  for (const auto& [member, weight] : weights) {
    if (weight <= 0) return false;
    for (std::size_t j = 0; j < set.x[member].size(); ++j) sum[j] += weight * (set.x[member][j] * set.y[member]);
    if (set.biased) sum.back() += weight * set.y[member];
  }
  return std::all_of(sum.begin(), sum.end(), [](const mpz_class& x) { return x == 0; });
}

// Whatever is asked of a set, every answer has its proof and is the oracle's. The simplex is asked apart, so that it is
// tried where the float search leaves it nothing to do.
void agree(const SmallSet& set, bool everything) {
  const Asked asked(set, set.x.empty() ? 2 : set.x[0].size());
  const bool separable = oracle_separable(set);
  const Decision decision = decide(asked.problem, {}, silent);
  ASSERT_EQ(decision.separator.has_value(), separable);
  if (separable) {
    ASSERT_TRUE(separates(set, asked.whole(*decision.separator)));
  } else {
    ASSERT_TRUE(cancels(set, decision.witness));
    ASSERT_LE(decision.witness.size(), set.x[0].size() + 2);
  }
  const auto exact = decide_exactly(asked.problem, {}, {});
  ASSERT_TRUE(exact.has_value());
  ASSERT_EQ(exact->witness.empty(), separable);
  ASSERT_TRUE(separable ? separates(set, asked.whole(exact->separator)) : cancels(set, exact->witness));
  if (!everything || separable) return;

  const auto rule_a = decide_half_open(asked.problem, -1, decision.witness, {});
  ASSERT_TRUE(rule_a.has_value());
  ASSERT_EQ(rule_a->witness.empty(), oracle_rule_a(set));
  if (rule_a->witness.empty()) {
    std::vector<bool> positive;
    for (const int y : set.y) positive.push_back(y > 0);
    ASSERT_TRUE(separates(set, asked.whole(rule_a->separator), positive));
  } else {
    ASSERT_TRUE(cancels(set, rule_a->witness));
    ASSERT_TRUE(std::any_of(rule_a->witness.begin(), rule_a->witness.end(),
                            [&](const auto& w) { return set.y[w.member] < 0; }));
  }
  const ClosedHalfSpace closed = decide_closed_half_space(asked.problem, decision.witness, {});
  ASSERT_TRUE(closed.known);
  ASSERT_EQ(closed.separator.has_value(), oracle_closed_half_space(set));
  if (closed.separator) {
    ASSERT_TRUE(separates(set, asked.whole(*closed.separator), std::vector<bool>(set.size(), true)));
  }
  for (const Tie tie : {Tie::positive, Tie::mistake, Tie::negative}) {
    const FewestErrors fewest = fewest_errors(asked.problem, tie, decision.witness, {}, {});
    const unsigned errors = oracle_fewest_errors(set, tie == Tie::negative ? 1 : -1);
    ASSERT_EQ(fewest.lower, errors) << name_of(tie);
    ASSERT_EQ(fewest.upper, errors) << name_of(tie);
  }
}

TEST(Decide, AgreesOnEveryLabellingOfUpToFivePointsOfTheGrid) {
  for (const bool biased : {false, true}) {
    for (std::uint32_t chosen = 0; chosen < 512; ++chosen) {
      if (__builtin_popcount(chosen) > 5) continue;
      SmallSet set;
      set.biased = biased;
      for (int cell = 0; cell < 9; ++cell) {
        if ((chosen >> cell & 1) != 0) set.x.push_back({cell % 3 - 1, cell / 3 - 1});
      }
      for (std::uint32_t labels = 0; labels < (1u << set.size()); ++labels) {
        set.y.clear();
        for (std::size_t i = 0; i < set.size(); ++i) set.y.push_back((labels >> i & 1) != 0 ? 1 : -1);
        agree(set, true);
        if (HasFatalFailure()) FAIL() << "points " << chosen << " labels " << labels << (biased ? " with bias" : "");
      }
    }
  }
}

TEST(Decide, AgreesOnRandomIntegerSets) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    SmallSet set;
    set.biased = random() % 2 == 0;
    const std::size_t features = 1 + random() % 3, rows = 1 + random() % 9;
    const int range = 1 + static_cast<int>(random() % 4);
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<int> x;
      for (std::size_t j = 0; j < features; ++j)
        x.push_back(static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range);
      set.x.push_back(x);
      set.y.push_back(random() % 2 == 0 ? 1 : -1);
    }
    agree(set, rows <= 6);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// Near-separable by construction, in more dimensions: the hard side of the question.
TEST(Decide, ProvesRandomSetsInMoreDimensions) {
  std::mt19937 random(11);
  int separable = 0, not_separable = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t features = 2 + random() % 12, rows = 10 + random() % 60;
    SmallSet set;
    std::vector<int> w;
    for (std::size_t j = 0; j < features; ++j) w.push_back(static_cast<int>(random() % 21) - 10);
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<int> x;
      int score = 0;
      for (std::size_t j = 0; j < features; ++j) {
        x.push_back(static_cast<int>(random() % 11) - 5);
        score += w[j] * x[j];
      }
      set.x.push_back(x);
      set.y.push_back((score > 0) != (random() % 80 == 0) ? 1 : -1);
    }
    const Asked asked(set, features);
    const Decision decision = decide(asked.problem, {}, silent);
    if (decision.separator) {
      ++separable;
      ASSERT_TRUE(separates(set, asked.whole(*decision.separator)));
    } else {
      ++not_separable;
      ASSERT_TRUE(cancels(set, decision.witness)) << round;
      ASSERT_LE(decision.witness.size(), features + 2);
    }
  }
  EXPECT_GT(separable, 20);
  EXPECT_GT(not_separable, 20);
}

// C12-empty of the golden cases.
TEST(Decide, NothingIsSeparable) {
  const Asked asked(SmallSet{}, 2);
  EXPECT_TRUE(decide(asked.problem, {}, silent).separator.has_value());
}

// Two hundred rows whose labels have nothing to do with them: not separable, and not at once.
SmallSet noise() {
  SmallSet set;
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    set.x.push_back(
        {static_cast<int>(random() % 1000), static_cast<int>(random() % 1000), static_cast<int>(random() % 1000)});
    set.y.push_back(random() % 2 == 0 ? 1 : -1);
  }
  return set;
}

TEST(Decide, OutOfTimeIsUndecidedWithABound) {
  const SmallSet set = noise();
  const Asked asked(set, 3);
  std::atomic<bool> stop{true};
  Budget budget;
  budget.interrupt = &stop;
  const Decision decision = decide(asked.problem, budget, silent);
  EXPECT_FALSE(decision.separator.has_value());
  EXPECT_TRUE(decision.witness.empty());
  EXPECT_FALSE(decision.near.empty());
}

// Whatever is too large for the memory allowed is not made; the answer is what is known without it.
TEST(Decide, OutOfMemoryIsUndecidedWithABound) {
  const SmallSet set = noise();
  const Asked asked(set, 3);
  EXPECT_FALSE(decide(asked.problem, {}, silent).witness.empty());
  for (const std::uint64_t memory : {0, 20, 50, 200}) {
    Budget budget;
    budget.memory = memory;
    const Decision decision = decide(asked.problem, budget, silent);
    EXPECT_FALSE(decision.separator.has_value());
    EXPECT_TRUE(decision.witness.empty()) << memory;
    EXPECT_FALSE(decision.near.empty());
  }
}

TEST(Decide, TheMarginOfASmallSetIsExact) {
  // The worked example of the theory's golden case: 3/190.
  SmallSet set;
  set.x = {{6, 1}, {2, 5}, {7, 4}, {3, 3}, {1, 2}, {5, 0}, {0, 4}, {4, 2}};
  set.y = {1, 1, 1, 1, -1, -1, -1, 1};
  const Asked asked(set, 2);
  const Decision decision = decide(asked.problem, {}, silent);
  const Margin margin = tighten(asked.problem, *decision.separator, {}, silent);
  EXPECT_EQ(squared_distance(asked.problem, margin.near).get_str(), "3/190");
  const mpz_class minimum = measure_separator(asked.problem, margin.separator).minimum;
  mpq_class norm = 0;
  for (const mpz_class& x : margin.separator) norm += x * x;
  EXPECT_EQ(mpq_class(mpq_class(minimum * minimum) / norm).get_str(), "3/190");
}

TEST(Support, RefusesWhatIsNoWitness) {
  SmallSet set;
  set.biased = false;
  set.x = {{2, 0}, {-1, 1}, {-1, -1}, {0, 1}, {0, 3}};
  set.y = {1, 1, 1, 1, 1};
  const Asked asked(set, 2);
  const auto weights = solve_support(asked.problem, {0, 1, 2}, 0);
  ASSERT_TRUE(weights.has_value());
  ASSERT_EQ(weights->size(), 3u);
  for (const WeightedMember& w : *weights) EXPECT_EQ(w.weight.get_si(), 1);
  EXPECT_FALSE(solve_support(asked.problem, {0, 1, 3}, 0).has_value());  // a negative weight would be needed
  EXPECT_FALSE(solve_support(asked.problem, {0, 1}, 0).has_value());     // independent
  EXPECT_FALSE(solve_support(asked.problem, {3, 4}, 0).has_value());     // dependent, of one sign
  EXPECT_FALSE(solve_support(asked.problem, {}, 0).has_value());
}

}  // namespace
}  // namespace halfspace::proof
