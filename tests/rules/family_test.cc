// The rules with a state of their own, and EG, against their definitions written out slowly.
#include "rules/family.h"

#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"

namespace halfspace::testing {
namespace {

// One learner by the book, in vectors of all coordinates, bias last.
struct Book {
  Book(const Composition& composition, std::size_t coordinates) : c(composition), n(coordinates), w(n, 0.0L) {
    matrix.assign(n, Vector(n, 0.0L));
    for (std::size_t i = 0; i < n; ++i) matrix[i][i] = c.value(parameter::regularization);
    sum.assign(n, 0.0L);
    moment.assign(n, c.rule == rule::arow_diagonal ? 1.0L : 0.0L);
    if (is_winnow(c.rule)) w.assign(n, 1.0L);
    positive.assign(n, 1.0L);
    negative.assign(n, 1.0L);
    if (c.rule == rule::eg) mix();
  }

  // Second-order rules by what they come to: w = (r I + sum x x')^-1 sum y x, a row of weight c as c rows.
  void whiten(const Vector& x, Real y, Real weight) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) matrix[i][k] += weight * x[i] * x[k];
      sum[i] += weight * y * x[i];
    }
    w = solve(matrix, sum, &log_det);
    log_det -= static_cast<Real>(n) * std::log(static_cast<Real>(c.value(parameter::regularization)));
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

  void learn(const Vector& x, Real y, Real score, bool mistake, Real weight) {
    if (weight == 0) return;
    switch (c.rule) {
      case rule::second_order:
        if (mistake) whiten(x, y, weight);
        break;
      case rule::arow:
        if (y * score < 1) whiten(x, y, weight);
        break;
      case rule::arow_diagonal: {
        const Real loss = 1 - y * score;
        if (!(loss > 0)) break;
        Real q = 0;
        for (std::size_t j = 0; j < n; ++j) q += moment[j] * x[j] * x[j];
        const Real b = 1 / (q + c.value(parameter::regularization) / weight);
        for (std::size_t j = 0; j < n; ++j) {
          const Real g = moment[j] * x[j];
          w[j] += b * loss * y * g;
          moment[j] -= b * g * g;
        }
        break;
      }
      case rule::adagrad:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) {
          if (x[j] == 0) continue;
          const Real box = c.value(parameter::ball);
          moment[j] += weight * x[j] * weight * x[j];
          w[j] += std::sqrt(2.0L) * box * y * weight * x[j] / std::sqrt(moment[j]);
          w[j] = std::min(std::max(w[j], -box), box);
        }
        break;
      case rule::projected:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) w[j] += static_cast<Real>(c.value(parameter::rate)) * weight * y * x[j];
        draw_back(c.value(parameter::ball));
        break;
      case rule::alma: {
        const Real norm = std::sqrt(dot(x, x));
        const Real alpha = c.value(parameter::alpha);
        if (norm == 0 || y * score / norm > (1 - alpha) * std::sqrt(8.0L) / alpha / std::sqrt(count)) break;
        for (std::size_t j = 0; j < n; ++j) w[j] += std::sqrt(2.0L / count) * y * x[j] / norm;
        draw_back(1);
        count += 1;
        break;
      }
      case rule::eg:
        if (!(y * score * c.value(parameter::ball) < 1)) break;
        for (std::size_t j = 0; j < n; ++j) {
          positive[j] *= std::exp(static_cast<Real>(c.value(parameter::rate)) * weight * y * x[j]);
          negative[j] *= std::exp(-static_cast<Real>(c.value(parameter::rate)) * weight * y * x[j]);
        }
        mix();
        break;
      default:
        if (!mistake) break;
        for (std::size_t j = 0; j < n; ++j) {
          if (x[j] == 0) continue;
          if (y > 0) w[j] *= c.value(parameter::alpha);
          if (y < 0) w[j] = c.rule == rule::winnow1 ? 0 : w[j] / c.value(parameter::alpha);
        }
    }
  }

  const Composition& c;
  std::size_t n;
  Vector w, sum, moment, positive, negative;
  std::vector<Vector> matrix;
  Real log_det = 0, count = 1;
};

class FamilyOf : public ::testing::TestWithParam<RuleName> {};

// Predictions, steps and weights after every round are those of the definition; a round whose score only rounding
// decides ends the comparison.
TEST_P(FamilyOf, FollowsItsDefinition) {
  std::uint64_t compared = 0, updates = 0;
  for (std::uint64_t seed = 1; seed <= 250 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, GetParam());
    c.order = OrderName::cyclic;
    World world = random_world(chance, c, chance.one_in(2));
    if (chance.one_in(2)) {
      for (Point& point : world.points) point.weight = chance.of({0.0, 0.5, 1.0, 4.0});
    }
    Played run(c, std::move(world));
    if (run.world.points.empty()) continue;
    const std::size_t features = features_of(run.world.points);
    const bool winnow = is_winnow(c.rule);
    Book book(c, features + (c.bias.position != Bias::none && !winnow ? 1 : 0));
    bool decided = true;
    run.learner->observer = [&](const RoundView& view) {
      const Point& point = run.world.points[view.row - 1];
      const Vector x = coordinates(point, c, features);
      const Real y = point.label == 0 ? -1 : 1;
      const Real score = dot(book.w, x) - (winnow ? threshold_of(c, features) : 0.0L);
      Real size = 1e-6;
      for (const Real value : x) size += std::abs(value);
      const Real wanted = c.rule == rule::alma
                              ? (1 - c.value(parameter::alpha)) * std::sqrt(8.0L) / c.value(parameter::alpha) /
                                    std::sqrt(book.count) * std::sqrt(dot(x, x))
                          : c.rule == rule::eg ? 1 / c.value(parameter::ball)
                                               : 1.0L;
      // (Ties at the start are exact, and so are Winnow's sums of powers of two.)
      const bool exact = (winnow && c.value(parameter::alpha) == 2.0) || (score == 0 && view.outcome.score == 0);
      if (!exact && (std::abs(score) < 1e-9L * size || std::abs(y * score - wanted) < 1e-9L * size)) decided = false;
      if (!decided) return;
      const bool mistake = point.weight > 0 && is_mistake(c.tie, static_cast<double>(y), static_cast<double>(score));
      EXPECT_EQ(view.outcome.mistake, mistake) << seed << " round " << view.round;
      EXPECT_NEAR(static_cast<double>(view.outcome.score - score), 0, 1e-7 * static_cast<double>(size)) << seed;
      book.learn(x, y, score, mistake, point.weight);
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
    if (decided && (c.rule == rule::arow || c.rule == rule::second_order)) {
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
    const Vector mean = coordinates(run.learner->result(), c, features);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      EXPECT_NEAR(static_cast<double>(mean[j]), static_cast<double>(sum[j] / static_cast<Real>(run.ledger.rounds)),
                  1e-12 * static_cast<double>(1 + largest))
          << seed << " weight " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Family, FamilyOf, ::testing::ValuesIn(kFamily), named);

TEST(SecondOrder, AMatrixBeyondTheMemoryIsRefusedWithAFix) {
  Composition c;
  c.rule = rule::arow;
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
  c.rule = rule::winnow2;
  Played run(c, {{{{1, 0.5}, 1}}, {1, {1, 1}, {0}}, false});
  Generator draws(1);
  EXPECT_THROW(run.play({}, draws), Error);
}

// A feature that a dense row has as 0 is one that it does not have.
TEST(Winnow, AStoredZeroDoesNotMove) {
  for (const RuleName rule : {rule::winnow1, rule::winnow2}) {
    Composition c;
    c.rule = rule;
    c.set(parameter::theta, 1.75);
    const auto learner = make_learner(c, 2);
    learner->grow(2);
    Ledger ledger;
    const StoredPoints missed({{{1, 0}, 1}}, ValueType::float64, true), misled({{{1, 0}, 0}}, ValueType::float64, true);
    learner->play(missed.block(), 0, {}, ledger);
    EXPECT_GT(learner->present().w[0], 1);
    EXPECT_EQ(learner->present().w[1], 1);
    for (int k = 0; k < 3; ++k) learner->play(missed.block(), 0, {}, ledger);
    learner->play(misled.block(), 0, {}, ledger);
    EXPECT_EQ(ledger.mistakes, rule == rule::winnow1 ? 2U : 3U);
    EXPECT_EQ(learner->present().w[1], 1);
  }
}

}  // namespace
}  // namespace halfspace::testing
