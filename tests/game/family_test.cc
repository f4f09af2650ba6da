// The rules with a state of their own, and EG: against their definitions written out slowly, and their theorems as
// properties of random small runs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "halfspace/train.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

const std::vector<RuleName> kFamily = {RuleName::second_order, RuleName::arow,    RuleName::arow_diagonal,
                                       RuleName::adagrad,      RuleName::alma,    RuleName::projected,
                                       RuleName::winnow1,      RuleName::winnow2, RuleName::eg};

bool is_winnow(RuleName rule) {
  return rule == RuleName::winnow1 || rule == RuleName::winnow2;
}

Composition random_composition(Chance& chance, RuleName rule) {
  Composition c;
  c.rule = rule;
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.5, 3.0})};
  switch (rule) {
    case RuleName::second_order:
    case RuleName::arow:
    case RuleName::arow_diagonal:
      c.regularization = chance.of({0.1, 1.0, 5.0});
      break;
    case RuleName::adagrad:
      c.ball = chance.of({0.1, 1.0, 4.0});
      break;
    case RuleName::projected:
      c.ball = chance.of({0.5, 3.0, 50.0});
      c.rate = chance.of({0.2, 1.0});
      break;
    case RuleName::alma:
      c.alpha = chance.of({0.3, 0.9, 1.0});
      break;
    case RuleName::eg:
      c.ball = chance.of({1.0, 5.0});
      c.rate = chance.of({0.01, 0.1, 0.4});
      break;
    default:
      c.bias = {Bias::last, 1};
      c.alpha = chance.of({1.2, 1.5, 2.0});
      if (chance.one_in(2)) c.threshold = chance.of({1.0, 2.0, 3.5});
  }
  return c;
}

// Rows of 0 and 1, labelled by an "or" of some features, with noise when not separable.
World disjunction_world(Chance& chance, bool separable) {
  World world;
  world.separable = separable;
  const int d = chance.between(1, 9);
  const int n = chance.between(1, 20);
  const int literals = chance.between(1, std::min(3, d));
  world.teacher = {1, std::vector<double>(static_cast<std::size_t>(d), 0.0), {-0.5}};
  for (int j = 0; j < literals; ++j) world.teacher.w[static_cast<std::size_t>(j)] = 1;
  for (int i = 0; i < n; ++i) {
    Point point;
    double sum = 0;
    for (int j = 0; j < d; ++j) {
      point.x.push_back(chance.one_in(3) ? 1 : 0);
      sum += world.teacher.w[static_cast<std::size_t>(j)] * point.x.back();
    }
    point.label = sum > 0 ? 1 : 0;
    if (!separable && chance.one_in(5)) point.label = 1 - point.label;
    world.points.push_back(point);
  }
  return world;
}

World random_world(Chance& chance, const Composition& c, bool separable) {
  return is_winnow(c.rule) ? disjunction_world(chance, separable)
                           : binary_world(chance, c.bias, separable, chance.one_in(2));
}

Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Gaussian elimination with pivots: the solution of A w = b, and ln det A.
Vector solve(std::vector<Vector> a, Vector b, Real* log_det = nullptr) {
  const std::size_t n = b.size();
  Real sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    sum += std::log(std::abs(a[k][k]));
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  if (log_det != nullptr) *log_det = sum;
  return b;
}

// One learner by the book, in vectors of all coordinates, bias last.
struct Book {
  Book(const Composition& composition, std::size_t coordinates) : c(composition), n(coordinates), w(n, 0.0L) {
    matrix.assign(n, Vector(n, 0.0L));
    for (std::size_t i = 0; i < n; ++i) matrix[i][i] = c.regularization;
    sum.assign(n, 0.0L);
    moment.assign(n, c.rule == RuleName::arow_diagonal ? 1.0L : 0.0L);
    if (is_winnow(c.rule)) w.assign(n, 1.0L);
    positive.assign(n, 1.0L);
    negative.assign(n, 1.0L);
    if (c.rule == RuleName::eg) mix();
  }

  // Second-order rules by what they come to: w = (r I + sum x x')^-1 sum y x.
  void whiten(const Vector& x, Real y) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) matrix[i][k] += x[i] * x[k];
      sum[i] += y * x[i];
    }
    w = solve(matrix, sum, &log_det);
    log_det -= static_cast<Real>(n) * std::log(static_cast<Real>(c.regularization));
  }
  void draw_back(Real ball) {
    const Real norm = std::sqrt(dot(w, w));
    if (norm <= ball) return;
    for (Real& value : w) value *= ball / norm;
  }
  void mix() {
    Real total = 0;
    for (std::size_t j = 0; j < n; ++j) total += positive[j] + negative[j];
    for (std::size_t j = 0; j < n; ++j) w[j] = (positive[j] - negative[j]) / total;
  }

  void learn(const Vector& x, Real y, Real score, bool mistake) {
    switch (c.rule) {
      case RuleName::second_order:
        if (mistake) whiten(x, y);
        break;
      case RuleName::arow:
        if (y * score < 1) whiten(x, y);
        break;
      case RuleName::arow_diagonal: {
        const Real loss = 1 - y * score;
        if (!(loss > 0)) break;
        Real q = 0;
        for (std::size_t j = 0; j < n; ++j) q += moment[j] * x[j] * x[j];
        const Real b = 1 / (q + c.regularization);
        for (std::size_t j = 0; j < n; ++j) {
          const Real g = moment[j] * x[j];
          w[j] += b * loss * y * g;
          moment[j] -= b * g * g;
        }
        break;
      }
      case RuleName::adagrad:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) {
          if (x[j] == 0) continue;
          const Real box = *c.ball;
          moment[j] += x[j] * x[j];
          w[j] += std::sqrt(2.0L) * box * y * x[j] / std::sqrt(moment[j]);
          w[j] = std::min(std::max(w[j], -box), box);
        }
        break;
      case RuleName::projected:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) w[j] += static_cast<Real>(*c.rate) * y * x[j];
        draw_back(*c.ball);
        break;
      case RuleName::alma: {
        const Real norm = std::sqrt(dot(x, x));
        const Real alpha = *c.alpha;
        if (norm == 0 || y * score / norm > (1 - alpha) * std::sqrt(8.0L) / alpha / std::sqrt(count)) break;
        for (std::size_t j = 0; j < n; ++j) w[j] += std::sqrt(2.0L / count) * y * x[j] / norm;
        draw_back(1);
        count += 1;
        break;
      }
      case RuleName::eg:
        if (!(y * score * *c.ball < 1)) break;
        for (std::size_t j = 0; j < n; ++j) {
          positive[j] *= std::exp(static_cast<Real>(*c.rate) * y * x[j]);
          negative[j] *= std::exp(-static_cast<Real>(*c.rate) * y * x[j]);
        }
        mix();
        break;
      default:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) {
          if (x[j] == 0) continue;
          if (y > 0) w[j] *= *c.alpha;
          if (y < 0) w[j] = c.rule == RuleName::winnow1 ? 0 : w[j] / *c.alpha;
        }
    }
  }

  const Composition& c;
  std::size_t n;
  Vector w, sum, moment, positive, negative;
  std::vector<Vector> matrix;
  Real log_det = 0, count = 1;
};

Real threshold_of(const Composition& c, std::size_t features) {
  return c.threshold.value_or(std::max(1.0, 0.5 * static_cast<double>(features)));
}

Vector coordinates(const Point& point, const Composition& c, std::size_t features) {
  Vector x(point.x.begin(), point.x.end());
  x.resize(features, 0.0L);
  if (c.bias.place != Bias::none && !is_winnow(c.rule)) x.push_back(c.bias.scale);
  return x;
}
Vector coordinates(const ClassWeightVector& w, const Composition& c, std::size_t features) {
  Vector all(w.w.begin(), w.w.end());
  all.resize(features, 0.0L);
  if (c.bias.place != Bias::none && !is_winnow(c.rule)) all.push_back(w.bias[0]);
  return all;
}

class FamilyOf : public ::testing::TestWithParam<RuleName> {};

// Predictions, steps and weights after every round are those of the definition; a round whose score only rounding
// decides ends the comparison.
TEST_P(FamilyOf, FollowsItsDefinition) {
  std::uint64_t compared = 0, updates = 0;
  for (std::uint64_t seed = 1; seed <= 250 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, GetParam());
    c.order = OrderName::cyclic;
    Played run(c, random_world(chance, c, chance.one_in(2)));
    if (run.world.points.empty()) continue;
    const std::size_t features = features_of(run.world.points);
    const bool winnow = is_winnow(c.rule);
    Book book(c, features + (c.bias.place != Bias::none && !winnow ? 1 : 0));
    bool decided = true;
    run.learner->observer = [&](const RoundView& view) {
      const Point& point = run.world.points[view.row - 1];
      const Vector x = coordinates(point, c, features);
      const Real y = point.label == 0 ? -1 : 1;
      const Real score = dot(book.w, x) - (winnow ? threshold_of(c, features) : 0.0L);
      Real size = 1e-6;
      for (const Real value : x) size += std::abs(value);
      const Real wanted = c.rule == RuleName::alma ? (1 - *c.alpha) * std::sqrt(8.0L) / *c.alpha /
                                                         std::sqrt(book.count) * std::sqrt(dot(x, x))
                          : c.rule == RuleName::eg ? 1 / *c.ball
                                                   : 1.0L;
      // (Ties at the start are exact, and so are Winnow's sums of powers of two.)
      const bool exact = (winnow && c.alpha == 2.0) || (score == 0 && view.outcome.score == 0);
      if (!exact && (std::abs(score) < 1e-9L * size || std::abs(y * score - wanted) < 1e-9L * size)) decided = false;
      if (!decided) return;
      const bool mistake = is_mistake(c.tie, static_cast<double>(y), static_cast<double>(score));
      EXPECT_EQ(view.outcome.mistake, mistake) << seed << " round " << view.round;
      EXPECT_NEAR(static_cast<double>(view.outcome.score - score), 0, 1e-7 * static_cast<double>(size)) << seed;
      book.learn(x, y, score, mistake);
      const Vector w = coordinates(run.learner->present(), c, features);
      for (std::size_t j = 0; j < w.size(); ++j) {
        EXPECT_NEAR(static_cast<double>(w[j] - book.w[j]), 0, 1e-7 * (1 + std::abs(static_cast<double>(book.w[j]))))
            << seed << " round " << view.round << " weight " << j;
      }
      ++compared;
    };
    run.play({Clean::no, 4, {}, {}}, chance.draws());
    updates += run.ledger.updates;
    // The log determinant that the bounds use.
    if (decided && (c.rule == RuleName::arow || c.rule == RuleName::second_order)) {
      EXPECT_NEAR(run.learner->save().numbers[0], static_cast<double>(book.log_det),
                  1e-7 * (1 + static_cast<double>(run.ledger.rounds)));
    }
  }
  EXPECT_GT(compared, 2000U);
  EXPECT_GT(updates, 300U);
}

// The mean of the weights after every round, kept lazily, is that mean.
TEST_P(FamilyOf, AverageIsTheMeanOfTheWeightsAfterEveryRound) {
  for (std::uint64_t seed = 1; seed <= 120 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, GetParam());
    c.order = OrderName::cyclic;
    c.keep = KeepName::average;
    Played run(c, random_world(chance, c, false));
    if (run.world.points.empty()) continue;
    const std::size_t features = features_of(run.world.points);
    Vector sum;
    Real largest = 0;
    run.learner->observer = [&](const RoundView&) {
      const Vector w = coordinates(run.learner->present(), c, features);
      sum.resize(w.size(), 0.0L);
      for (std::size_t j = 0; j < w.size(); ++j) {
        sum[j] += w[j];
        largest = std::max(largest, std::abs(w[j]));
      }
    };
    run.play({Clean::no, 12, {}, {}}, chance.draws());
    const Vector mean = coordinates(run.learner->handed_out(), c, features);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      EXPECT_NEAR(static_cast<double>(mean[j]), static_cast<double>(sum[j] / static_cast<Real>(run.ledger.rounds)),
                  1e-12 * static_cast<double>(1 + largest))
          << seed << " weight " << j;
    }
  }
}

// What a theorem speaks of, of one run: margins of a comparator on every round, and the run's own steps.
struct Told {
  std::vector<std::size_t> row;  // of each round
  std::vector<Outcome> outcome;
};

Told tell(Played& run, const Until& until, Chance& chance) {
  Told told;
  run.learner->observer = [&](const RoundView& view) {
    told.row.push_back(view.row - 1);
    told.outcome.push_back(view.outcome);
  };
  run.play(until, chance.draws());
  return told;
}

// The theorems as they stand in the rules' headers, for many comparators, from nothing but the rounds.
TEST_P(FamilyOf, TheTheoremHoldsForEveryComparator) {
  const RuleName rule = GetParam();
  int said_something = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled});
    const bool separable = chance.one_in(2);
    Played run(c, random_world(chance, c, separable));
    if (run.world.points.empty()) continue;
    const Told told = tell(run, {Clean::no, 10, {}, {}}, chance);
    const std::size_t features = features_of(run.world.points);
    const auto mistakes = static_cast<Real>(run.ledger.mistakes);
    for (int trial = 0; trial < 8; ++trial) {
      ClassWeightVector any = run.world.teacher;
      if (trial >= 4) {
        for (double& value : any.w) value = is_winnow(rule) ? chance.real(0, 2) : chance.normal();
      }
      Vector u = coordinates(any, c, features);
      const Real scale = std::exp2(static_cast<Real>(chance.between(-4, 3)));
      for (Real& value : u) value *= scale;
      if (rule == RuleName::adagrad) {
        for (Real& value : u) value = std::min<Real>(std::max<Real>(value, -*c.ball), *c.ball);
      }
      Real one_norm = 0;
      for (const Real value : u) one_norm += std::abs(value);
      if (rule == RuleName::eg && one_norm > *c.ball) {
        for (Real& value : u) value *= *c.ball / one_norm;
      }
      if (rule == RuleName::projected && dot(u, u) > *c.ball * *c.ball) {
        const Real norm = std::sqrt(dot(u, u));
        for (Real& value : u) value *= *c.ball / norm;
      }
      const Real norm = dot(u, u);
      // Sums over the mistakes (M) and over all steps (S).
      Real hinge_m = 0, hinge_s = 0, hinge2_s = 0, square_m = 0, square_s = 0, norms_m = 0, reach = 0, winnow = 0;
      Real unmistaken = 0, gained = 0, drift = 0, leverage = 0, largest = 0;
      std::size_t steps = 0, corrected = 0;
      std::vector<Vector> gram(u.size(), Vector(u.size(), 0.0L));
      Vector moment(u.size(), rule == RuleName::arow_diagonal ? 1.0L : 0.0L);
      for (std::size_t t = 0; t < told.row.size(); ++t) {
        const Outcome& outcome = told.outcome[t];
        const Point& point = run.world.points[told.row[t]];
        Vector x = coordinates(point, c, features);
        const Real y = point.label == 0 ? -1 : 1;
        const Real length = std::sqrt(dot(x, x));
        if (rule == RuleName::alma && length > 0) {
          for (Real& value : x) value /= length;
        }
        const Real margin = y * dot(u, x);
        const Real hinge = std::max<Real>(0, 1 - margin);
        if (outcome.mistake) {
          hinge_m += hinge;
          square_m += margin * margin;
          norms_m += dot(x, x);
          if (is_winnow(rule)) {
            const Real theta = threshold_of(c, features);
            const Real log_alpha = std::log(static_cast<Real>(*c.alpha));
            winnow += y > 0 ? log_alpha * margin - (*c.alpha - 1) * theta
                            : (1 - 1 / static_cast<Real>(*c.alpha)) * theta + log_alpha * margin;
          }
        }
        if (outcome.updated) {
          ++steps;
          corrected += outcome.mistake;
          hinge_s += hinge;
          hinge2_s += hinge * hinge;
          square_s += margin * margin;
          for (const Real value : x) reach = std::max(reach, std::abs(value));
          for (std::size_t i = 0; i < u.size(); ++i) {
            for (std::size_t k = 0; k < u.size(); ++k) gram[i][k] += x[i] * x[k];
          }
          if (rule == RuleName::arow_diagonal) {
            Real q = 0;
            for (std::size_t j = 0; j < u.size(); ++j) q += moment[j] * x[j] * x[j];
            const Real loss = outcome.step;
            const Real r = c.regularization;
            for (std::size_t j = 0; j < u.size(); ++j) moment[j] -= moment[j] * moment[j] * x[j] * x[j] / (q + r);
            if (outcome.mistake) leverage = std::max(leverage, q / r);
            if (!outcome.mistake) gained += loss * loss / (1 + q / r);
          } else if (rule == RuleName::adagrad) {
            for (std::size_t j = 0; j < u.size(); ++j) moment[j] += x[j] * x[j];
          }
          if (!outcome.mistake) unmistaken += 1;
        }
        largest = std::max(largest, length);
      }
      Real bound = std::numeric_limits<Real>::infinity();
      const Real hair = 1e-7L * (1 + mistakes);
      switch (rule) {
        case RuleName::second_order:
        case RuleName::arow: {
          std::vector<Vector> a = gram;
          for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t k = 0; k < a.size(); ++k) a[i][k] = a[i][k] / c.regularization + (i == k ? 1.0L : 0.0L);
          }
          Real log_det = 0;
          solve(a, Vector(a.size(), 0.0L), &log_det);
          bound = rule == RuleName::arow
                      ? hinge_s - unmistaken + std::sqrt((c.regularization * norm + square_s) * (log_det + unmistaken))
                      : hinge_m + std::sqrt((c.regularization * norm + square_m) * log_det);
          break;
        }
        case RuleName::arow_diagonal: {
          // The drift of the run is the learner's own number; its parts are checked by the definition above.
          drift = run.learner->save().numbers[2];
          Real moved = 0;
          for (std::size_t j = 0; j < u.size(); ++j) {
            moved += (c.regularization / moment[j] - c.regularization) * u[j] * u[j];
          }
          const Real root = std::sqrt(drift) + std::sqrt(moved);
          bound = (1 + leverage) * (c.regularization * norm + hinge2_s + root * root - gained);
          break;
        }
        case RuleName::adagrad: {
          Real roots = 0;
          for (const Real value : moment) roots += std::sqrt(value);
          bound = hinge_m + 2 * std::sqrt(2.0L) * *c.ball * roots;
          break;
        }
        case RuleName::projected:
          bound = hinge_m + norm / (2 * *c.rate) + *c.rate / 2 * norms_m;
          break;
        case RuleName::alma: {
          if (c.bias.place == Bias::none) continue;
          const Real m = static_cast<Real>(steps);
          const Real of_all = hinge_s + std::sqrt(norm) * 2 * std::sqrt(2.0L) * (2 / *c.alpha - 1) * std::sqrt(m);
          EXPECT_EQ(run.ledger.mistakes, corrected);
          bound = of_all - (m - mistakes);
          break;
        }
        case RuleName::eg:
          bound = hinge_s + *c.ball * std::log(2 * static_cast<Real>(u.size())) / *c.rate +
                  *c.ball * *c.rate * reach * reach * static_cast<Real>(steps) / 2;
          break;
        case RuleName::winnow2: {
          // The divergence itself: never less than what the mistakes take off it.
          Real divergence = 0;
          for (const Real value : u) divergence += (value > 0 ? value * std::log(value) : 0.0L) + 1 - value;
          EXPECT_LE(winnow, divergence + 1e-7L * (1 + std::abs(winnow))) << seed;
          said_something += winnow > 0.3L * divergence;
          continue;
        }
        default: {
          if (!separable) continue;
          Real literals = 0;
          for (const double value : run.world.teacher.w) literals += value;
          const Real theta = threshold_of(c, features);
          if (theta < 1 / static_cast<Real>(*c.alpha)) continue;
          bound = *c.alpha * literals * std::max<Real>(0, std::log(theta) / std::log(static_cast<Real>(*c.alpha)) + 1) +
                  static_cast<Real>(features) / theta;
          break;
        }
      }
      EXPECT_LE(mistakes, bound + hair) << seed << " " << name_of(rule) << " steps " << steps;
      said_something += bound < static_cast<Real>(told.row.size());
    }
  }
  EXPECT_GT(said_something, 50);
}

// ALMA's own theorem, where the teacher separates.
TEST(Alma, CorrectionsAreFewAndTheMarginIsNearTheLargest) {
  int halted = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, RuleName::alma);
    c.order = OrderName::cyclic;
    Played run(c, binary_world(chance, c.bias, true));
    if (run.world.points.empty()) continue;
    const std::size_t features = features_of(run.world.points);
    const Vector u = coordinates(run.world.teacher, c, features);
    const auto least = [&](const Vector& w) {
      Real smallest = std::numeric_limits<Real>::infinity();
      for (const Point& point : run.world.points) {
        const Vector x = coordinates(point, c, features);
        const Real length = std::sqrt(dot(x, x));
        smallest = std::min(smallest, (point.label == 0 ? -1 : 1) * dot(w, x) / length / std::sqrt(dot(w, w)));
      }
      return smallest;
    };
    const Real margin = least(u);
    run.play({Clean::pass, 3000, {}, {}}, chance.draws());
    const Real factor = 2 / *c.alpha - 1;
    EXPECT_LE(static_cast<Real>(run.ledger.updates), 2 / (margin * margin) * factor * factor + 8 / *c.alpha - 4)
        << seed;
    if (run.ledger.stopped != Stopped::clean) continue;
    ++halted;
    EXPECT_GE(least(coordinates(run.learner->present(), c, features)), (1 - *c.alpha) * margin * (1 - 1e-9L)) << seed;
  }
  EXPECT_GT(halted, 200);
}

// A truth that turns: the projected perceptron against a comparator that turns with it.
TEST(Projected, TracksAMovingComparator) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = RuleName::projected;
    c.bias.place = Bias::none;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    c.ball = chance.of({1.0, 2.0, 6.0});
    c.rate = chance.of({0.1, 0.5, 2.0});
    World world;
    std::vector<Vector> truth;
    for (int t = 0; t < 400; ++t) {
      const double angle = 0.5 * (t / 50);
      Point point;
      point.x = {chance.normal(), chance.normal()};
      const Vector u{*c.ball * std::cos(angle), *c.ball * std::sin(angle)};
      point.label = dot(u, {point.x[0], point.x[1]}) > 0;
      world.points.push_back(point);
      truth.push_back(u);
    }
    world.teacher = {1, {1, 0}, {0}};
    Played run(c, std::move(world));
    const Told told = tell(run, {}, chance);
    Real hinges = 0, squares = 0, path = 0;
    for (std::size_t t = 0; t < told.row.size(); ++t) {
      const Point& point = run.world.points[t];
      const Vector x{point.x[0], point.x[1]};
      if (t > 0) path += std::hypot(truth[t][0] - truth[t - 1][0], truth[t][1] - truth[t - 1][1]);
      if (!told.outcome[t].mistake) continue;
      hinges += std::max<Real>(0, 1 - (point.label == 0 ? -1 : 1) * dot(truth[t], x));
      squares += dot(x, x);
    }
    const Real ball = *c.ball;
    EXPECT_LE(static_cast<Real>(run.ledger.mistakes),
              hinges + (ball * ball + 4 * ball * path) / (2 * *c.rate) + *c.rate / 2 * squares + 1e-9L)
        << seed;
    const auto bound = bound_of_run(run.for_bound(), {{"last", run.learner->present()}});
    ASSERT_TRUE(bound);
    EXPECT_GE(bound->value, static_cast<double>(run.ledger.mistakes));
  }
}

// The bound shown beside a run is never below its mistakes, whatever the comparator, the order and the rows' weights.
TEST_P(FamilyOf, TheBoundOfARunIsNeverBelowItsMistakes) {
  const RuleName rule = GetParam();
  int bounded = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                         OrderName::random_mistake, OrderName::random});
    c.keep = chance.of({KeepName::last, KeepName::average});
    World world = random_world(chance, c, chance.one_in(2));
    if (chance.one_in(3)) {
      for (Point& point : world.points) point.weight = chance.of({0.0, 0.5, 1.0, 4.0});
    }
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    run.play({Clean::no, 10, 60, {}}, chance.draws());
    ClassWeightVector any = run.world.teacher;
    for (double& value : any.w) value = std::abs(chance.normal());
    for (const Comparator& comparator : std::vector<Comparator>{{"last", run.learner->present()},
                                                                {"handed out", run.learner->handed_out()},
                                                                {"teacher", run.world.teacher},
                                                                {"any", any}}) {
      const auto bound = bound_of_run(run.for_bound(), {comparator});
      if (!bound) continue;
      ++bounded;
      EXPECT_FALSE(bound->exceeded) << seed << " " << bound->theorem;
      EXPECT_GE(whole_mistakes(bound->value), run.ledger.mistakes) << seed << " " << bound->theorem;
    }
  }
  EXPECT_GT(bounded, rule == RuleName::winnow1 ? 100 : 300);
}

// Streams that outgrow the memory for their rows, and runs that are taken up again: bounded as far as the theorem
// allows, and never below the mistakes.
TEST_P(FamilyOf, LongStreamsAndResumedRunsAreBounded) {
  const RuleName rule = GetParam();
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("family-" + std::string(name_of(rule)));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "d.svm").string();
  {
    Generator draws(3);
    std::ofstream file(path);
    for (int i = 0; i < 6000; ++i) {
      std::string row;
      double truth = 0;
      for (int j = 1; j <= 12; ++j) {
        if (draws.next() < 0.6) continue;
        row += " " + std::to_string(j) + ":1";
        truth += j <= 3 ? 1 : 0;
      }
      // (ALMA's last weights must have a positive mean margin on what was corrected.)
      const bool noisy = draws.next() < (rule == RuleName::winnow1 ? 0 : rule == RuleName::alma ? 0.01 : 0.1);
      file << ((truth > 0) != noisy ? "+1" : "-1") << row << "\n";
    }
  }
  TrainOptions options;
  options.read.path = path;
  options.composition.rule = rule;
  const TrainResult kept = train(options);
  ASSERT_TRUE(kept.bound) << name_of(rule);
  EXPECT_FALSE(kept.bound->exceeded);
  // Only the rows that moved the weights are kept.
  options.stream_memory = 1 << 12;
  const TrainResult moved = train(options);
  ASSERT_TRUE(moved.bound) << name_of(rule);
  EXPECT_FALSE(moved.bound->exceeded);
  EXPECT_EQ(moved.model.ledger, kept.model.ledger);
  // Not even these.
  options.memory.memory = 1 << 15;
  const TrainResult segments = train(options);
  EXPECT_EQ(segments.model.ledger, kept.model.ledger);
  const bool from_any_start = rule != RuleName::second_order && rule != RuleName::arow && rule != RuleName::winnow1;
  if (from_any_start) {
    ASSERT_TRUE(segments.bound) << name_of(rule);
  }
  if (segments.bound) {
    EXPECT_FALSE(segments.bound->exceeded) << segments.bound->value;
  }
  // Taken up again after its end, with the same rows once more.
  TrainOptions again;
  again.read.path = path;
  again.resume = &kept.model;
  const TrainResult resumed = train(again);
  EXPECT_EQ(resumed.bound.has_value(), from_any_start) << name_of(rule);
  if (resumed.bound) {
    EXPECT_FALSE(resumed.bound->exceeded);
  }
  std::filesystem::remove_all(folder);
}

std::string named(const ::testing::TestParamInfo<RuleName>& info) {
  std::string name(name_of(info.param));
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Family, FamilyOf, ::testing::ValuesIn(kFamily), named);

TEST(SecondOrder, AMatrixBeyondTheMemoryIsRefusedWithAFix) {
  Composition c;
  c.rule = RuleName::arow;
  const auto learner = make_learner(c, 2, 8 * 20 * 20);
  learner->grow(19);  // and the bias
  try {
    learner->grow(20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("21 coordinates"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find("arow-diagonal"), std::string::npos) << error.hint();
  }
}

TEST(Winnow, ValuesOtherThanZeroAndOneAreRefused) {
  Composition c;
  c.rule = RuleName::winnow2;
  Played run(c, {{{{1, 0.5}, 1}}, {1, {1, 1}, {0}}, false});
  Generator draws(1);
  EXPECT_THROW(run.play({}, draws), Error);
}

}  // namespace
}  // namespace halfspace::testing
