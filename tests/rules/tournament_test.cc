// The tournament: its members against the rules they are, Hedge and the mean against their definitions, and its theorem.
#include "halfspace/rules/tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/arow_diagonal.h"
#include "halfspace/rules/coin.h"
#include "halfspace/rules/nag.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/scw.h"
#include "support/points.h"

namespace halfspace::testing {
namespace {

using Real = long double;
constexpr std::size_t kFeatures = 5;

Points random_points(std::uint64_t seed, std::size_t rows, double noise = 0.1) {
  Generator draws(seed);
  Points points;
  for (std::size_t i = 0; i < rows; ++i) {
    Point point;
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const double scale = j == 3 ? 100 : 1;
      point.x.push_back(j > 0 && pick(draws, 3) == 0 ? 0 : scale * gaussian(draws));
    }
    const bool positive = point.x[0] - 0.5 * point.x[1] + 0.004 * point.x[3] > 0.3;
    point.label = draws.next() < noise ? !positive : positive;
    point.weight = pick(draws, 5) == 0 ? 2.5 : pick(draws, 20) == 0 ? 0 : 1;
    points.push_back(point);
  }
  return points;
}

std::unique_ptr<Learner> learner_of(RuleName rule, KeepName keep, BiasOptions bias) {
  Composition c;
  c.rule = rule;
  c.keep = keep;
  c.bias = bias;
  c.tie = Tie::positive;
  auto learner = make_learner(c, 2);
  learner->grow(kFeatures);
  return learner;
}

constexpr RuleName kMemberRules[] = {rule::arow_diagonal, rule::scw1, rule::nag, rule::coin};

// Weights and means of one member, out of all that the tournament remembers.
struct MemberWeights {
  std::vector<double> last, mean;
};
MemberWeights member(const LearnerState& state, std::size_t m, double rounds) {
  MemberWeights w;
  for (std::size_t at = 0; at < state.moments.size(); at += 16) {
    w.last.push_back(state.moments[at + m]);
    w.mean.push_back(state.moments[at + m] - state.moments[at + 4 + m] / rounds);
  }
  return w;
}
std::vector<double> all_of(const ClassWeightVector& w, bool biased) {
  std::vector<double> all = w.w;
  if (biased) all.push_back(w.bias[0]);
  return all;
}

TEST(Tournament, MembersAreTheRulesTheyAreNamedFor) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const BiasOptions bias{seed % 3 == 0 ? Bias::none : Bias::last, seed % 2 == 0 ? 2.0 : 1.0};
    const bool biased = bias.place != Bias::none;
    const auto tournament = learner_of(rule::tournament, KeepName::last, bias);
    std::vector<std::unique_ptr<Learner>> alone;
    for (const RuleName rule : kMemberRules) alone.push_back(learner_of(rule, KeepName::average, bias));
    const Points points = random_points(seed, 60);
    double learned = 0;
    for (const Point& point : points) {
      if (point.weight == 0) continue;  // a round that nobody learns from counts in means, and is no round here
      const StoredPoints row({point}, ValueType::float64, false);
      Ledger ledger;
      tournament->play(row.block(), 0, {}, ledger);
      for (const auto& learner : alone) learner->play(row.block(), 0, {}, ledger);
      ++learned;
    }
    const LearnerState state = tournament->save();
    for (std::size_t m = 0; m < alone.size(); ++m) {
      const MemberWeights w = member(state, m, learned);
      const std::vector<double> last = all_of(alone[m]->present(), biased);
      const std::vector<double> mean = all_of(alone[m]->handed_out(), biased);
      ASSERT_EQ(w.last.size(), last.size());
      for (std::size_t j = 0; j < last.size(); ++j) {
        EXPECT_NEAR(w.last[j], last[j], 1e-8 * (1 + std::abs(last[j]))) << seed << " " << m << " " << j;
        EXPECT_NEAR(w.mean[j], mean[j], 1e-8 * (1 + std::abs(mean[j]))) << seed << " " << m << " " << j;
      }
    }
  }
}

// What the tournament's header says, in long doubles, with the members' weights taken from the learner.
struct SlowHedge {
  Real loss[8] = {}, squares[8] = {}, judged = 0, gap = 1;
  Real z[8] = {}, score[8] = {};
  std::vector<std::pair<std::size_t, Real>> experts;  // candidate and scale; the first says 0

  SlowHedge() {
    experts.emplace_back(0, 0);
    for (std::size_t k = 0; k < 8; ++k) {
      for (const Real scale : {1, 4, 16}) experts.emplace_back(k, scale);
    }
  }
  Real mass(Real rate, std::vector<Real>& p) const {
    p.clear();
    Real most = 0, sum = 0;
    for (const auto& [k, scale] : experts) most = std::max(most, -rate * scale * loss[k]);
    for (const auto& [k, scale] : experts) {
      p.push_back(std::exp(-rate * scale * loss[k] - most));
      sum += p.back();
    }
    for (Real& share : p) share /= sum;
    return std::log(sum) + most;
  }
  Real follow(const LearnerState& state, const std::vector<double>& x, Real rounds) {
    for (std::size_t k = 0; k < 8; ++k) {
      score[k] = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double* const record = state.moments.data() + 16 * j;
        score[k] += x[j] * (record[k % 4] - (k >= 4 && rounds > 0 ? record[k] / rounds : 0));
      }
      const Real root = judged > 0 ? std::sqrt(squares[k] / judged) : 0;
      z[k] = root > 0 ? std::clamp(score[k] / root, Real{-10}, Real{10}) : 0;
    }
    std::vector<Real> p;
    mass(std::log(Real{25}) / gap, p);
    Real f = 0;
    for (std::size_t e = 0; e < experts.size(); ++e) f += p[e] * experts[e].second * z[experts[e].first];
    return f;
  }
  void judge(Real f, Real y, Real weight) {
    const Real rate = std::log(Real{25}) / gap, slope = -y * weight / (1 + std::exp(y * f));
    std::vector<Real> p;
    const Real before = mass(rate, p);
    for (std::size_t k = 0; k < 8; ++k) {
      loss[k] += slope * z[k];
      squares[k] += weight * score[k] * score[k];
    }
    judged += weight;
    const Real mixed = (before - mass(rate, p)) / rate;
    gap += std::max(Real{0}, slope * f - mixed);
  }
};

TEST(Tournament, FollowsAdaHedgeOverStandardisedScores) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const BiasOptions bias{seed % 2 == 0 ? Bias::none : Bias::last, 1};
    const auto tournament = learner_of(rule::tournament, KeepName::last, bias);
    SlowHedge slow;
    double rounds = 0;
    for (const Point& point : random_points(seed, 150)) {
      if (point.weight == 0) continue;
      std::vector<double> x = point.x;
      if (bias.place != Bias::none) x.push_back(1);
      const Real f = slow.follow(tournament->save(), x, rounds);
      const StoredPoints row({point}, ValueType::float64, false);
      const double y = point.label == 0 ? -1 : 1;
      Ledger ledger;
      tournament->play(row.block(), 0, {}, ledger);
      EXPECT_EQ(ledger.mistakes, y * f < 0 || (f == 0 && y < 0) ? 1U : 0U) << seed;
      slow.judge(f, y, point.weight);
      ++rounds;
      const LearnerState state = tournament->save();
      for (std::size_t k = 0; k < 8; ++k) {
        const double wanted = static_cast<double>(slow.loss[k]);
        ASSERT_NEAR(state.numbers[k], wanted, 1e-8 * (1 + std::abs(wanted))) << seed << " round " << rounds;
      }
      ASSERT_NEAR(state.numbers[17], static_cast<double>(slow.gap), 1e-8 * static_cast<double>(slow.gap));
    }
    // Handed out is the mean that is followed, of scores that are not clipped.
    std::vector<Real> p;
    slow.mass(std::log(Real{25}) / slow.gap, p);
    const LearnerState state = tournament->save();
    const ClassWeightVector w = tournament->handed_out();
    for (std::size_t j = 0; j < kFeatures; ++j) {
      Real wanted = 0;
      for (std::size_t e = 1; e < p.size(); ++e) {
        const auto& [k, scale] = slow.experts[e];
        const double* const record = state.moments.data() + 16 * j;
        const Real weight = record[k % 4] - (k >= 4 ? record[k] / rounds : 0);
        wanted += p[e] * scale * weight / std::sqrt(slow.squares[k] / slow.judged);
      }
      EXPECT_NEAR(w.w[j], static_cast<double>(wanted), 1e-7 * (1 + std::abs(w.w[j]))) << seed;
    }
  }
}

// The log loss of a run beside that of every mean of experts, on rows whose source changes and whose labels are noise.
TEST(Tournament, LosesNoMoreThanItsTheoremAllows) {
  double closest = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Generator draws(seed + 100);
    Points points = random_points(seed, 200, draws.next() / 2);
    if (seed % 3 == 0) {
      for (std::size_t i = 100; i < points.size(); ++i) points[i].label = !points[i].label;
    }
    const auto tournament = learner_of(rule::tournament, KeepName::last, {});
    SlowHedge slow;
    Real own = 0;
    std::vector<std::vector<Real>> said;  // y z_k of every round
    std::vector<Real> weights;
    double rounds = 0;
    for (const Point& point : points) {
      if (point.weight == 0) continue;
      std::vector<double> x = point.x;
      x.push_back(1);
      const Real f = slow.follow(tournament->save(), x, rounds++);
      const Real y = point.label == 0 ? -1 : 1;
      own += point.weight * std::log1p(std::exp(-y * f));
      said.emplace_back();
      for (const Real z : slow.z) said.back().push_back(y * z);
      weights.push_back(point.weight);
      Ledger ledger;
      tournament->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      slow.judge(f, y, point.weight);
    }
    const Real allowed = 2 * tournament->save().numbers[17];
    for (std::size_t k = 0; k < 8; ++k) {
      for (const Real scale : {0.0L, 0.3L, 1.0L, 4.0L, 16.0L}) {
        Real loss = 0;
        for (std::size_t t = 0; t < said.size(); ++t) loss += weights[t] * std::log1p(std::exp(-scale * said[t][k]));
        EXPECT_LE(own, loss + allowed) << seed << " " << k << " " << scale;
        closest = std::max(closest, static_cast<double>((own - loss) / allowed));
      }
    }
  }
  EXPECT_GT(closest, 0.05) << "the theorem is near what happens, somewhere";
}

TEST(Tournament, JudgesTeachNothing) {
  Composition c;
  c.rule = rule::tournament;
  c.set(parameter::judging, 0.3);
  const auto learner = make_learner(c, 2);
  learner->grow(kFeatures);
  Points points = random_points(3, 400);
  for (Point& point : points) point.weight = 1;
  const StoredPoints rows(points, ValueType::float64, false);
  std::uint64_t judges = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const LearnerState before = learner->save();
      Ledger ledger;
      const Limits one{.updates = 1};
      learner->play(rows.block(), i, one, ledger);
      const LearnerState after = learner->save();
      const bool judged = after.numbers[16] != before.numbers[16], learned = after.numbers[18] != before.numbers[18];
      EXPECT_NE(judged, learned);
      EXPECT_EQ(learned, after.moments != before.moments);
      judges += judged ? 1 : 0;
    }
  }
  EXPECT_EQ(judges % 2, 0U) << "the same rows in every pass";
  EXPECT_GT(judges, 170U);
  EXPECT_LT(judges, 300U);
}

}  // namespace
}  // namespace halfspace::testing
