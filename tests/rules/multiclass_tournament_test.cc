// The tournament for several classes: against a slow account of it, its units, and its theorem.
#include "halfspace/detail/rules/multiclass_tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/rules/rule_entry.h"
#include "support/points.h"
#include "support/slow_columns.h"
#include "support/slow_runs.h"

namespace halfspace::testing::of_multiclass_tournament {
namespace {

using Real = long double;
using Vector = std::vector<Real>;
constexpr std::size_t kFeatures = 5, kClasses = 4;
constexpr std::size_t kMembers = 4, kCandidates = 8, kExperts = 25;

// Rows of four classes, whose columns differ in scale; some values are 0, some rows count more, or nothing.
Points rows_of_classes(std::uint64_t seed, std::size_t rows, double noise = 0.1) {
  Generator draws(seed);
  Points points;
  for (std::size_t i = 0; i < rows; ++i) {
    Point point;
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const double scale = j == 3 ? 100 : 1;
      point.x.push_back(j > 0 && pick(draws, 3) == 0 ? 0 : scale * gaussian(draws));
    }
    const int side = point.x[0] > 0.2 ? 1 : 0, height = point.x[1] + 0.01 * point.x[3] > 0 ? 2 : 0;
    point.label = draws.next() < noise ? static_cast<int>(pick(draws, kClasses)) : side + height;
    point.weight = pick(draws, 5) == 0 ? 2.5 : pick(draws, 20) == 0 ? 0 : 1;
    points.push_back(point);
  }
  return points;
}

std::unique_ptr<Learner> tournament_of(BiasOptions bias, double validation_share = 0) {
  Composition c;
  c.rule = rule::multiclass_tournament;
  c.bias = bias;
  c.tie = Tie::positive;
  c.set(parameter::validation_share, validation_share);
  auto learner = make_learner(c, kClasses);
  learner->grow(kFeatures);
  return learner;
}

void play(Learner& learner, const Point& point, Ledger& ledger) {
  learner.play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
}

// All of the header's account in long doubles: members m = 0 to 3, class k, feature j (the bias last).
struct Slow {
  bool bias;
  std::size_t coordinates;
  std::vector<Vector> w[kMembers], sum_of_w[kMembers], v[2], n;  // [k][j]
  Vector squares, count, row, x;
  Real rounds = 0, row_squares = 0;
  SlowColumns columns;
  // Whom it follows.
  Real loss[kCandidates] = {}, square[kCandidates] = {}, total_weight = 0, gap = 1;
  std::vector<Vector> score, z;  // [candidate][k]
  Vector f, by_members;
  SlowRuns runs{kClasses};

  explicit Slow(bool has_bias)
      : bias(has_bias),
        coordinates(kFeatures + has_bias),
        squares(kFeatures),
        count(kFeatures),
        columns(kFeatures, has_bias),
        f(kClasses) {
    for (auto* vectors : {w, sum_of_w})
      std::fill(vectors, vectors + kMembers, std::vector<Vector>(kClasses, Vector(coordinates)));
    for (auto& variances : v) variances.assign(kClasses, Vector(coordinates, 1));
    n.assign(kClasses, Vector(coordinates));
  }

  Real dot(const Vector& vector) const {
    Real sum = 0;
    for (std::size_t j = 0; j < coordinates; ++j) sum += vector[j] * x[j];
    return sum;
  }
  // The members' vectors; then their means over rounds, of which sum_of_w is the sum.
  Vector vector_of(std::size_t c, std::size_t k) const {
    if (c < kMembers) return w[c][k];
    Vector mean = sum_of_w[c - kMembers][k];
    for (Real& value : mean) value = rounds > 0 ? value / rounds : 0;
    return mean;
  }
  Vector shares() const {
    const Real rate = std::log(Real{kExperts}) / gap;
    Real sum = 1;
    Vector share(kCandidates);
    for (std::size_t c = 0; c < kCandidates; ++c) {
      for (const Real scale : {1, 4, 16}) {
        sum += std::exp(-rate * scale * loss[c]);
        share[c] += scale * std::exp(-rate * scale * loss[c]);
      }
    }
    for (Real& part : share) part /= sum;
    return share;
  }
  Real mixed() const {
    const Real rate = std::log(Real{kExperts}) / gap;
    Real sum = 1;
    for (const Real own : loss) {
      for (const Real scale : {1, 4, 16}) sum += std::exp(-rate * scale * own);
    }
    return -std::log(sum / kExperts) / rate;
  }

  void look_at(const Point& point) {
    x.assign(coordinates, 1);
    row = columns.measured(point.x);
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const Real value = row[j];
      x[j] = value == 0 ? 0 : value * std::sqrt((count[j] + 1) / (squares[j] + value * value));
    }
    score.assign(kCandidates, Vector(kClasses));
    z = score;
    f.assign(kClasses, 0);
    const Vector share = shares();
    for (std::size_t c = 0; c < kCandidates; ++c) {
      Real mean = 0;
      for (std::size_t k = 0; k < kClasses; ++k) mean += (score[c][k] = dot(vector_of(c, k))) / kClasses;
      const Real root = total_weight > 0 ? std::sqrt(square[c] / total_weight) : 0;
      for (std::size_t k = 0; k < kClasses; ++k) {
        score[c][k] -= mean;
        z[c][k] = root > 0 ? std::clamp(score[c][k] / root, Real{-10}, Real{10}) : 0;
        f[k] += share[c] * z[c][k];
      }
    }
    by_members = f;
    for (std::size_t k = 0; k < kClasses; ++k) f[k] += runs.offset(k);
  }
  static std::size_t rival(const Vector& scores, std::size_t label) {
    std::size_t best = label == 0 ? 1 : 0;
    for (std::size_t k = 0; k < kClasses; ++k) {
      if (k != label && scores[k] > scores[best]) best = k;
    }
    return best;
  }
  static Real log_loss(const Vector& scores, std::size_t label) {
    Real sum = 0;
    for (const Real s : scores) sum += std::exp(s - scores[label]);
    return std::log(sum);
  }
  void update(std::size_t label, Real weight) {
    Vector g(kClasses);
    Real suffered = 0;
    for (std::size_t k = 0; k < kClasses; ++k) {
      g[k] = weight * (std::exp(-log_loss(f, k)) - (k == label));
      suffered += g[k] * by_members[k];
    }
    const Real before = mixed();
    for (std::size_t c = 0; c < kCandidates; ++c) {
      for (std::size_t k = 0; k < kClasses; ++k) {
        loss[c] += g[k] * z[c][k];
        square[c] += weight * score[c][k] * score[c][k] / kClasses;
      }
    }
    total_weight += weight;
    gap += std::max(Real{0}, suffered - (mixed() - before));
    for (Real& slope : g) slope /= weight;
    runs.update(g, weight);
  }
  // SCW-I with phi = C = 1, as Wang, Zhao and Hoi have it: the step, and what it takes from variances.
  static std::pair<Real, Real> soft(Real m, Real variance, Real weight) {
    const Real psi = 1.5L, zeta = 2;
    const Real length =
        std::min(weight, std::max(Real{0}, (-m * psi + std::sqrt(m * m / 4 + variance * zeta)) / (variance * zeta)));
    const Real root = (-length * variance + std::sqrt(length * length * variance * variance + 4 * variance)) / 2;
    return {length, length > 0 ? length / (root + variance * length) : 0};
  }
  void move(std::size_t m, std::size_t k, Real amount, Real shrinkage) {
    for (std::size_t j = 0; j < coordinates; ++j) {
      const Real along = m == 2 ? x[j] : v[m][k][j] * x[j];
      w[m][k][j] += amount * along;
      if (m < 2) v[m][k][j] -= shrinkage * along * along;
    }
  }
  Real variance(std::size_t m, std::size_t k) const {
    Real sum = 0;
    for (std::size_t j = 0; j < coordinates; ++j) sum += v[m][k][j] * x[j] * x[j];
    return sum;
  }
  void learn(const Point& point) {
    const auto label = static_cast<std::size_t>(point.label);
    for (std::size_t j = 0; j < kFeatures; ++j) {
      squares[j] += row[j] * row[j];
      count[j] += row[j] != 0;
    }
    Vector s[kMembers];
    for (std::size_t m = 0; m < kMembers; ++m) {
      for (std::size_t k = 0; k < kClasses; ++k) s[m].push_back(dot(w[m][k]));
    }
    const std::size_t other = rival(s[0], label);
    const auto [length, shrinkage] =
        soft(s[0][label] - s[0][other], variance(0, label) + variance(0, other), point.weight);
    move(0, label, length, shrinkage);
    move(0, other, -length, shrinkage);
    for (std::size_t k = 0; k < kClasses; ++k) {
      const Real sign = k == label ? 1 : -1;
      const auto [step, taken] = soft(sign * s[1][k], variance(1, k), point.weight);
      move(1, k, sign * step, taken);
    }
    const std::size_t above = rival(s[2], label);
    if (s[2][above] >= s[2][label]) {
      move(2, label, point.weight, 0);
      move(2, above, -point.weight, 0);
    }
    // NAG: the slope of the member's own log loss, for all vectors at once.
    row_squares += dot(x);
    const Real d = 0.5L * std::sqrt((rounds + 1) / row_squares);
    for (std::size_t k = 0; k < kClasses; ++k) {
      const Real slope = std::exp(-log_loss(s[3], k)) - (k == label);
      for (std::size_t j = 0; j < coordinates; ++j) {
        if (x[j] == 0) continue;
        n[k][j] += point.weight * slope * slope * x[j] * x[j];
        w[3][k][j] -= d * point.weight * slope * x[j] / std::sqrt(n[k][j]);
      }
    }
    rounds += 1;
    for (std::size_t m = 0; m < kMembers; ++m) {
      for (std::size_t k = 0; k < kClasses; ++k) {
        for (std::size_t j = 0; j < coordinates; ++j) sum_of_w[m][k][j] += w[m][k][j];
      }
    }
    for (const SlowColumns::Change& change : columns.learn(point.x)) tell(change);
  }
  // Weights say of z what they said of x, or start anew.
  void tell(const SlowColumns::Change& change) {
    const std::size_t j = change.column;
    const Real unit = count[j] > 0 ? std::sqrt(squares[j] / count[j]) : 1;
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (auto* vectors : {w, sum_of_w}) {
        for (std::size_t m = 0; m < kMembers; ++m) {
          Real &own = vectors[m][k][j], &bias_weight = vectors[m][k][kFeatures];
          if (change.first) {
            own = bias_weight = 0;
          } else {
            bias_weight += own / unit * change.offset;
            own *= change.ratio;
          }
        }
      }
      const Real grown = change.ratio * change.ratio;
      for (auto& variances : v) {
        if (change.first) variances[k][kFeatures] = 1;
        variances[k][j] = change.first ? 1 : std::min(Real{1}, variances[k][j] * std::max(Real{1}, grown));
      }
      if (change.first) n[k][kFeatures] = 0;
      n[k][j] = change.first ? 0 : n[k][j] / grown;
    }
    if (change.first) squares[j] = count[j] = 0;
  }
};

void expect_near(double value, Real wanted, const char* what, std::uint64_t seed) {
  EXPECT_NEAR(value, static_cast<double>(wanted), 1e-9 * (1 + std::abs(value))) << what << ", seed " << seed;
}

TEST(MulticlassTournament, FollowsItsSlowAccount) {
  for (std::uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    const BiasOptions bias{seed % 3 == 0   ? Bias::none
                           : seed % 3 == 1 ? Bias::last
                                           : Bias::first,
                           seed % 2 == 0 ? 2.0 : 1.0};
    const auto tournament = tournament_of(bias);
    Slow slow(bias.position != Bias::none);
    for (const Point& point : rows_of_classes(seed, seed % 2 == 0 ? 60 : 300)) {
      Ledger ledger;
      play(*tournament, point, ledger);
      if (point.weight == 0) continue;  // looked at alone
      slow.look_at(point);
      const auto label = static_cast<std::size_t>(point.label);
      const Real margin = slow.f[label] - slow.f[Slow::rival(slow.f, label)];
      if (std::abs(margin) > 1e-9L) {
        EXPECT_EQ(ledger.mistakes, margin < 0 ? 1U : 0U) << seed;
      }
      slow.update(label, point.weight);
      slow.learn(point);
    }
    const LearnerState state = tournament->save();
    for (std::size_t c = 0; c < kCandidates; ++c) {
      expect_near(state.numbers[c], slow.loss[c], "linear loss", seed);
      expect_near(state.numbers[kCandidates + c], slow.square[c], "squares", seed);
    }
    expect_near(state.numbers[2 * kCandidates + 1], slow.gap, "gap", seed);
    const ClassWeightVector w = tournament->result();
    const Vector share = slow.shares();
    for (std::size_t k = 0; k < kClasses; ++k) {
      Vector wanted(slow.coordinates);
      for (std::size_t c = 0; c < kCandidates; ++c) {
        const Vector vector = slow.vector_of(c, k);
        for (std::size_t j = 0; j < wanted.size(); ++j)
          wanted[j] += share[c] * vector[j] / std::sqrt(slow.square[c] / slow.total_weight);
      }
      for (std::size_t j = 0; j < kFeatures; ++j) {
        Real weight = wanted[j] * std::sqrt(slow.count[j] / slow.squares[j]);
        if (slow.columns.is_standardized(j)) {
          weight /= slow.columns.scale(j);
          wanted[kFeatures] -= weight * slow.columns.centre(j);
        }
        expect_near(w.w[j * kClasses + k], weight, "weight", seed);
      }
      if (slow.bias) expect_near(w.bias[k], wanted[kFeatures] / bias.scale, "bias", seed);
    }
  }
}

// A column in other units is told by its weight, and by nothing else.
TEST(MulticlassTournament, PowersOfTwoOnColumnsLeaveEveryScore) {
  const int exponents[kFeatures] = {0, 300, -300, -7, 450};
  const auto plain = tournament_of({}), scaled = tournament_of({});
  Ledger ledger, other;
  for (Point point : rows_of_classes(9, 400)) {
    play(*plain, point, ledger);
    for (std::size_t j = 0; j < kFeatures; ++j) point.x[j] = std::ldexp(point.x[j], exponents[j]);
    play(*scaled, point, other);
    ASSERT_EQ(ledger.mistakes, other.mistakes);
  }
  EXPECT_EQ(plain->save().numbers, scaled->save().numbers);
  const ClassWeightVector w = plain->result(), v = scaled->result();
  for (std::size_t i = 0; i < w.w.size(); ++i) EXPECT_EQ(w.w[i], std::ldexp(v.w[i], exponents[i / kClasses])) << i;
}

// Values that have no square, and rows of any weight, leave numbers that can be stored.
TEST(MulticlassTournament, StaysWithinTheDoubles) {
  const auto tournament = tournament_of({});
  Ledger ledger;
  Generator draws(3);
  for (std::size_t i = 0; i < 300; ++i) {
    Point point;
    for (std::size_t j = 0; j < kFeatures; ++j)
      point.x.push_back(std::ldexp(gaussian(draws), 2000 * (pick(draws, 2) == 0) - 1000));
    for (double& value : point.x) value = std::clamp(value, -1e308, 1e308);
    point.label = static_cast<int>(pick(draws, kClasses));
    point.weight = std::ldexp(1.0, 200 - static_cast<int>(pick(draws, 400)));
    play(*tournament, point, ledger);
  }
  const LearnerState state = tournament->save();
  for (const double moment : state.moments) ASSERT_TRUE(std::isfinite(moment));
  for (const double number : state.numbers) ASSERT_TRUE(std::isfinite(number));
  const auto again = tournament_of({});
  again->restore(state);
  EXPECT_EQ(again->save(), state);
}

// The log loss of a run beside that of every candidate at many scales, on rows whose source changes.
TEST(MulticlassTournament, LosesNoMoreThanItsTheoremAllows) {
  Real closest = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Generator draws(seed + 100);
    Points points = rows_of_classes(seed, 200, draws.next() / 2);
    for (std::size_t i = 100; seed % 3 == 0 && i < points.size(); ++i) points[i].label = 3 - points[i].label;
    const auto tournament = tournament_of({});
    Slow slow(true);
    Real own = 0;
    Ledger ledger;
    std::vector<std::vector<Vector>> said;
    std::erase_if(points, [](const Point& point) { return point.weight == 0; });
    for (const Point& point : points) {
      play(*tournament, point, ledger);
      slow.look_at(point);
      own += point.weight * Slow::log_loss(slow.f, static_cast<std::size_t>(point.label));
      said.push_back(slow.z);
      slow.update(static_cast<std::size_t>(point.label), point.weight);
      slow.learn(point);
    }
    const RegretOfExperts regret = *tournament->regret();
    EXPECT_LE(regret.most, regret.theorem);
    for (std::size_t c = 0; c < kCandidates; ++c) {
      for (const Real scale : {0.0L, 0.3L, 1.0L, 4.0L, 16.0L}) {
        Real loss = 0;
        for (std::size_t t = 0; t < said.size(); ++t) {
          Vector scores = said[t][c];
          for (Real& s : scores) s *= scale;
          loss += points[t].weight * Slow::log_loss(scores, static_cast<std::size_t>(points[t].label));
        }
        EXPECT_LE(own, loss + regret.theorem) << seed << " " << c << " " << static_cast<double>(scale);
        EXPECT_LE(own, loss + regret.most + 1e-9L) << seed << " " << c << " " << static_cast<double>(scale);
        closest = std::max(closest, (own - loss) / regret.theorem);
      }
    }
  }
  EXPECT_GT(closest, 0.05L) << "the theorem is near what happens, somewhere";
}

TEST(MulticlassTournament, ValidationRowsTrainNoMember) {
  const auto all = tournament_of({}, 0.5), learned = tournament_of({}, 0);
  Ledger ledger, other;
  std::size_t validation_rows = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    Points point = rows_of_classes(i + 1, 1);
    point[0].weight = 1;
    StoredPoints stored(point, ValueType::float64, false);
    Block block = stored.block();
    const std::uint64_t row = i + 1;
    block.row = &row;
    const double before = all->save().numbers[2 * kCandidates + 2];
    all->play(block, 0, {}, ledger);
    if (all->save().numbers[2 * kCandidates + 2] == before) {
      ++validation_rows;
      continue;
    }
    learned->play(block, 0, {}, other);
  }
  EXPECT_GT(validation_rows, 100U);
  EXPECT_LT(validation_rows, 200U);
  EXPECT_EQ(all->save().moments, learned->save().moments);
  EXPECT_NE(all->save().numbers, learned->save().numbers);
}

}  // namespace
}  // namespace halfspace::testing::of_multiclass_tournament
