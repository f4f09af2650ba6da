// The tournament: its members against the rules they are, Hedge and the mean against their definitions, and its theorem.
#include "halfspace/detail/rules/tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/rules/multiclass_tournament.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/rule_entry.h"
#include "support/points.h"
#include "support/slow_columns.h"
#include "support/slow_runs.h"

namespace halfspace::testing::of_tournament {
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

std::unique_ptr<Learner> tournament_of(BiasOptions bias) {
  Composition c;
  c.rule = rule::tournament;
  c.bias = bias;
  c.tie = Tie::positive;
  auto learner = make_learner(c, 2);
  learner->grow(kFeatures);
  return learner;
}

// The members in units, in long doubles: arow_diagonal.h with r the mean of |x|^2, scw.h with variances that are divided
// by it, nag.h, coin.h; each over the columns that random_points gives, standardized, and the bias.
struct SlowMembers {
  struct Feature {
    int exponent = -1023;
    Real w[4] = {}, sum[4] = {}, v[2] = {1, 1}, n = 0;
    Real theta = 0, largest = 0, total = 0, reward = 0;
  };
  std::vector<Feature> features;
  std::vector<Real> x;  // of the row at hand, in units
  Real score[4] = {}, variance[2] = {}, squares = 0, weights = 0, rounds = 0;
  std::vector<double> given;
  SlowColumns columns;

  explicit SlowMembers(std::size_t count) : features(count), columns(kFeatures, count > kFeatures) {}

  void look_at(const std::vector<double>& biased) {
    given = biased;
    const std::vector<Real> row = columns.measured(biased);
    x.assign(row.size(), 0);
    std::fill(std::begin(score), std::end(score), 0);
    std::fill(std::begin(variance), std::end(variance), 0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      Feature& feature = features[j];
      if (const int exponent = std::ilogb(row[j]); exponent > feature.exponent) widen(feature, exponent);
      x[j] = std::ldexp(row[j], -feature.exponent);
      for (std::size_t m = 0; m < 4; ++m) score[m] += feature.w[m] * x[j];
      for (std::size_t m = 0; m < 2; ++m) variance[m] += feature.v[m] * x[j] * x[j];
    }
  }
  static void widen(Feature& feature, int exponent) {
    const Real grown = std::ldexp(Real{1}, std::min(exponent - feature.exponent, 40));
    feature.exponent = exponent;
    for (const std::size_t m : {0, 1, 3}) {
      feature.w[m] *= grown;
      feature.sum[m] *= grown;
    }
    for (Real& v : feature.v) v = std::min(Real{1}, v * grown * grown);
    feature.n /= grown * grown;
    feature.theta /= grown;
    feature.largest /= grown;
    feature.total /= grown;
  }
  Real candidate(std::size_t k) const {
    if (k < 4) return score[k];
    Real taken = 0;
    for (std::size_t j = 0; j < x.size(); ++j) taken += features[j].sum[k - 4] * x[j];
    return rounds > 0 ? score[k - 4] - taken / rounds : score[k - 4];
  }
  void move(Feature& feature, std::size_t m, Real weight) const {
    feature.sum[m] += rounds * (weight - feature.w[m]);
    feature.w[m] = weight;
  }
  void learn(Real y, Real weight) {
    const Real typical = squares > 0 ? squares / weights : 1;
    const Real hinge = std::max(Real{0}, 1 - y * score[0]);
    const Real share = 1 / (variance[0] + typical / weight);
    const Real v = variance[1] / typical, phi = 0.5L, m = y * score[1];
    // SCW-I, as Wang, Zhao and Hoi have it.
    const Real psi = 1 + phi * phi / 2, zeta = 1 + phi * phi;
    const Real length = std::min(
        weight,
        std::max(Real{0}, (-m * psi + std::sqrt(m * m * std::pow(phi, 4) / 4 + v * phi * phi * zeta)) / (v * zeta)));
    const Real root = (-length * v * phi + std::sqrt(length * length * v * v * phi * phi + 4 * v)) / 2;
    const Real beta = length > 0 ? length * phi / (root + v * length * phi) : 0;
    const Real slope = std::sqrt(weight) / (1 + std::exp(y * score[2])), coin = weight / (1 + std::exp(y * score[3]));
    Real along = 0, norm = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      Feature& f = features[j];
      const Real a = f.v[0] * x[j], s = f.v[1] * x[j] / typical;
      if (hinge > 0) {
        move(f, 0, f.w[0] + y * hinge * share * a);
        f.v[0] -= share * a * a;
      }
      move(f, 1, f.w[1] + y * length * s);
      f.v[1] -= typical * beta * s * s;
      f.n += slope * x[j] * slope * x[j];
      along += x[j] * x[j] / std::sqrt(f.n);
      norm += x[j] * x[j];
      const Real g = y * coin * x[j];
      f.reward = std::max(Real{0}, f.reward + f.w[3] * g);
      f.theta += g;
      f.largest = std::max(f.largest, std::abs(g));
      f.total += std::abs(g);
      move(f, 3, f.theta * (f.largest + f.reward) / (f.largest * std::max(f.total + f.largest, 100 * f.largest)));
    }
    weights += weight;
    squares += weight * norm;
    const Real d = 0.5L * std::sqrt(weights / squares), q = d * along;
    const Real gain =
        margin_gained(MarginLoss::logistic, static_cast<double>(y * score[2]), static_cast<double>(q * weight));
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] != 0) move(features[j], 2, features[j].w[2] + y * d * gain / q * x[j] / std::sqrt(features[j].n));
    }
    rounds += 1;
    for (const SlowColumns::Change& change : columns.learn(given)) tell(change);
  }
  void tell(const SlowColumns::Change& change) {
    Feature& f = features[change.column];
    Feature& bias = features[kFeatures];
    if (change.first) {
      f = Feature{};
      f.exponent = 1;
      const int exponent = bias.exponent;
      bias = Feature{};
      bias.exponent = exponent;
      return;
    }
    const Real ratio = change.ratio, bias_value = std::ldexp(static_cast<Real>(given[kFeatures]), -bias.exponent);
    for (std::size_t m = 0; m < 4; ++m) {
      bias.w[m] += std::ldexp(f.w[m] * change.offset, -f.exponent) / bias_value;
      bias.sum[m] += std::ldexp(f.sum[m] * change.offset, -f.exponent) / bias_value;
      f.w[m] *= ratio;
      f.sum[m] *= ratio;
    }
    for (Real& v : f.v) v = std::min(Real{1}, v * std::max(Real{1}, ratio * ratio));
    f.n /= ratio * ratio;
    for (Real* of : {&f.theta, &f.largest, &f.total}) *of /= ratio;
  }
};

std::vector<double> biased_row(const Point& point, BiasOptions bias) {
  std::vector<double> x = point.x;
  if (bias.position != Bias::none) x.push_back(bias.scale);
  return x;
}

TEST(Tournament, MembersAreTheRulesTheyAreNamedFor) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const BiasOptions bias{seed % 3 == 0 ? Bias::none : Bias::last, seed % 2 == 0 ? 2.0 : 1.0};
    const auto tournament = tournament_of(bias);
    SlowMembers slow(kFeatures + (bias.position != Bias::none));
    for (const Point& point : random_points(seed, seed % 2 == 0 ? 60 : 300)) {
      if (point.weight == 0) continue;  // a round that nobody learns from counts in means, and is no round here
      Ledger ledger;
      tournament->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      slow.look_at(biased_row(point, bias));
      slow.learn(point.label == 0 ? -1 : 1, point.weight);
    }
    const LearnerState state = tournament->save();
    constexpr std::size_t each = TournamentWeights::moments_each;
    ASSERT_EQ(state.moments.size(), each * slow.features.size());
    for (std::size_t j = 0; j < slow.features.size(); ++j) {
      const SlowMembers::Feature& f = slow.features[j];
      const double* const record = state.moments.data() + each * j;
      EXPECT_EQ(record[11], f.exponent);
      const Real wanted[] = {f.w[0], f.w[1], f.w[2], f.w[3], f.sum[0], f.sum[1],  f.sum[2], f.sum[3],
                             f.v[0], f.v[1], f.n,    0,      f.theta,  f.largest, f.total,  f.reward};
      for (const std::size_t k : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15}) {
        const double value = static_cast<double>(wanted[k]);
        EXPECT_NEAR(record[k], value, 2e-4 * (0.02 + std::abs(value))) << seed << " feature " << j << " number " << k;
      }
    }
  }
}

// A column in other units is told by its weight, and by nothing else.
TEST(Tournament, PowersOfTwoOnColumnsLeaveEveryScore) {
  const int exponents[kFeatures] = {0, 300, -300, -7, 450};
  const auto plain = tournament_of({}), scaled = tournament_of({});
  Ledger ledger, other;
  for (Point point : random_points(9, 400)) {
    plain->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
    for (std::size_t j = 0; j < kFeatures; ++j) point.x[j] = std::ldexp(point.x[j], exponents[j]);
    scaled->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, other);
    ASSERT_EQ(ledger.mistakes, other.mistakes);
  }
  const ClassWeightVector w = plain->result(), v = scaled->result();
  for (std::size_t j = 0; j < kFeatures; ++j) EXPECT_EQ(w.w[j], std::ldexp(v.w[j], exponents[j])) << j;
  EXPECT_EQ(w.bias, v.bias);
  EXPECT_EQ(plain->save().numbers, scaled->save().numbers);
}

// What the tournament's header says, in long doubles, with the members' weights taken from the learner.
struct SlowHedge {
  Real loss[8] = {}, squares[8] = {}, total_weight = 0, gap = 1;
  Real z[8] = {}, score[8] = {}, by_members = 0;
  SlowRuns runs{1};
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
  Real follow(const SlowMembers& members) {
    for (std::size_t k = 0; k < 8; ++k) {
      score[k] = members.candidate(k);
      const Real root = total_weight > 0 ? std::sqrt(squares[k] / total_weight) : 0;
      z[k] = root > 0 ? std::clamp(score[k] / root, Real{-10}, Real{10}) : 0;
    }
    std::vector<Real> p;
    mass(std::log(Real{25}) / gap, p);
    Real f = 0;
    for (std::size_t e = 0; e < experts.size(); ++e) f += p[e] * experts[e].second * z[experts[e].first];
    by_members = f;
    return f + runs.offset(0);
  }
  void update(Real f, Real y, Real weight) {
    const Real rate = std::log(Real{25}) / gap, slope = -y * weight / (1 + std::exp(y * f));
    std::vector<Real> p;
    const Real before = mass(rate, p);
    for (std::size_t k = 0; k < 8; ++k) {
      loss[k] += slope * z[k];
      squares[k] += weight * score[k] * score[k];
    }
    total_weight += weight;
    const Real mixed = (before - mass(rate, p)) / rate;
    gap += std::max(Real{0}, slope * by_members - mixed);
    runs.update({slope / weight}, weight);
  }
};

TEST(Tournament, FollowsAdaHedgeOverStandardisedScores) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const BiasOptions bias{seed % 2 == 0 ? Bias::none : Bias::last, 1};
    const auto tournament = tournament_of(bias);
    SlowMembers members(kFeatures + (bias.position != Bias::none));
    SlowHedge slow;
    for (const Point& point : random_points(seed, 150)) {
      if (point.weight == 0) continue;
      members.look_at(biased_row(point, bias));
      const Real f = slow.follow(members);
      const double y = point.label == 0 ? -1 : 1;
      Ledger ledger;
      tournament->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      if (std::abs(f) > 1e-3L || members.rounds == 0) {
        EXPECT_EQ(ledger.mistakes, y * f < 0 || (f == 0 && y < 0) ? 1U : 0U) << seed;
      }
      slow.update(f, y, point.weight);
      members.learn(y, point.weight);
      const LearnerState state = tournament->save();
      for (std::size_t k = 0; k < 8; ++k) {
        const double wanted = static_cast<double>(slow.loss[k]);
        ASSERT_NEAR(state.numbers[k], wanted, 1e-3 * (1 + std::abs(wanted))) << seed << " round " << members.rounds;
      }
      ASSERT_NEAR(state.numbers[17], static_cast<double>(slow.gap), 1e-3 * static_cast<double>(slow.gap));
    }
    // Handed out is the mean that is followed, of scores that are not clipped.
    std::vector<Real> p;
    slow.mass(std::log(Real{25}) / slow.gap, p);
    const ClassWeightVector w = tournament->result();
    for (std::size_t j = 0; j < kFeatures; ++j) {
      Real wanted = 0;
      const SlowMembers::Feature& f = members.features[j];
      for (std::size_t e = 1; e < p.size(); ++e) {
        const auto& [k, scale] = slow.experts[e];
        const Real weight = f.w[k % 4] - (k >= 4 ? f.sum[k - 4] / members.rounds : 0);
        wanted += p[e] * scale * weight / std::sqrt(slow.squares[k] / slow.total_weight);
      }
      wanted = std::ldexp(wanted, -f.exponent);
      if (members.columns.is_standardized(j)) wanted /= members.columns.scale(j);
      EXPECT_NEAR(w.w[j], static_cast<double>(wanted), 1e-3 * (0.01 + std::abs(w.w[j]))) << seed;
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
    const auto tournament = tournament_of({});
    SlowMembers members(kFeatures + 1);
    SlowHedge slow;
    Real own = 0;
    std::vector<std::vector<Real>> said;  // y z_k of every round
    std::vector<Real> weights;
    for (const Point& point : points) {
      if (point.weight == 0) continue;
      members.look_at(biased_row(point, {}));
      const Real f = slow.follow(members);
      const Real y = point.label == 0 ? -1 : 1;
      own += point.weight * std::log1p(std::exp(-y * f));
      said.emplace_back();
      for (const Real z : slow.z) said.back().push_back(y * z);
      weights.push_back(point.weight);
      Ledger ledger;
      tournament->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      slow.update(f, y, point.weight);
      members.learn(y, point.weight);
    }
    const std::vector<double> numbers = tournament->save().numbers;
    const Real allowed = 2 * numbers[17] + 2 * numbers[26];
    EXPECT_NEAR(numbers[26], static_cast<double>(slow.runs.gap), 1e-3 * numbers[26]);
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

TEST(Tournament, ValidationRowsTrainNoMember) {
  Composition c;
  c.rule = rule::tournament;
  c.set(parameter::validation_share, 0.3);
  const auto learner = make_learner(c, 2);
  learner->grow(kFeatures);
  Points points = random_points(3, 400);
  for (Point& point : points) point.weight = 1;
  const StoredPoints rows(points, ValueType::float64, false);
  std::uint64_t validation_rows = 0;
  for (int pass = 0; pass < 3; ++pass) {
    if (pass == 1) validation_rows = 0;  // the first pass finds the units, for which validation rows count, too
    for (std::size_t i = 0; i < points.size(); ++i) {
      const LearnerState before = learner->save();
      Ledger ledger;
      const Limits one{.updates = 1};
      learner->play(rows.block(), i, one, ledger);
      const LearnerState after = learner->save();
      const bool validated = after.numbers[16] != before.numbers[16], learned = after.numbers[18] != before.numbers[18];
      const bool early = before.numbers[18] < early_validation;  // these rows do both
      EXPECT_TRUE(early ? validated : validated != learned);
      if (pass > 0) {
        EXPECT_EQ(learned, after.moments != before.moments);
      }
      validation_rows += validated ? 1 : 0;
    }
  }
  EXPECT_EQ(validation_rows % 2, 0U) << "the same rows in every pass";
  EXPECT_GT(validation_rows, 170U);
  EXPECT_LT(validation_rows, 300U);
}

// Values near the ends of the doubles, in fewer rows than a trial of columns has and in more.
TEST(Tournament, StaysWithinTheDoubles) {
  for (const std::size_t rows : {10, 300}) {
    for (const bool several : {false, true}) {
      Composition c;
      c.rule = several ? rule::multiclass_tournament : rule::tournament;
      const auto learner = make_learner(c, several ? 3 : 2);
      learner->grow(kFeatures);
      Generator draws(7);
      Ledger ledger;
      for (std::size_t i = 0; i < rows; ++i) {
        Point point;
        for (std::size_t j = 0; j < kFeatures; ++j) point.x.push_back((pick(draws, 2) == 0 ? -1.7 : 1.7) * 1e308);
        point.label = static_cast<int>(pick(draws, several ? 3 : 2));
        learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      }
      const LearnerState state = learner->save();
      for (const double moment : state.moments) ASSERT_TRUE(std::isfinite(moment)) << rows << " " << several;
      for (const double number : state.numbers) ASSERT_TRUE(std::isfinite(number)) << rows << " " << several;
    }
  }
}

}  // namespace
}  // namespace halfspace::testing::of_tournament
