// Platt's curve is an optimum, the isotonic one is the best that never falls, and both go where scores go.
#include "halfspace/train/calibration.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace {
namespace {

struct Scored {
  std::vector<double> score;
  std::vector<std::uint8_t> positive;
};

// Rows whose chance of being positive rises with the score, at any scale; with `coarse` many scores are equal.
Scored random_scores(Generator& draws, std::size_t rows, bool coarse) {
  const double scale = std::pow(10.0, 12 * draws.next() - 6);
  const double slope = 3 * draws.next();
  Scored s;
  for (std::size_t i = 0; i < rows; ++i) {
    double z = gaussian(draws);
    if (coarse) z = std::round(2 * z) / 2;
    s.score.push_back(scale * z);
    s.positive.push_back(draws.next() < 1 / (1 + std::exp(-slope * z + 0.5)));
  }
  s.positive[0] = 0;
  s.positive[1] = 1;
  return s;
}

// The targets of Lin, Lin and Weng, and the gradient of the cross entropy at a curve, in extended precision and as
// written down.
TEST(Platt, TheGradientVanishes) {
  Generator draws(7);
  for (int round = 0; round < 300; ++round) {
    const Scored s = random_scores(draws, 2 + pick(draws, 400), round % 2 == 0);
    const Platt curve = fit_platt(s.score, s.positive);
    const long double positives = std::count(s.positive.begin(), s.positive.end(), 1);
    const long double negatives = static_cast<long double>(s.score.size()) - positives;
    long double by_a = 0, by_b = 0, size_a = 0, size_b = 0;
    for (std::size_t i = 0; i < s.score.size(); ++i) {
      const long double t = s.positive[i] != 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
      const long double p = 1 / (1 + std::exp(static_cast<long double>(curve.a) * s.score[i] + curve.b));
      by_a += (t - p) * s.score[i];
      by_b += t - p;
      size_a += std::abs(static_cast<long double>(s.score[i]));
      size_b += 1;
    }
    EXPECT_LE(std::abs(by_a), 1e-9L * size_a) << "round " << round;
    EXPECT_LE(std::abs(by_b), 1e-9L * size_b) << "round " << round;
  }
}

// At two scores the curve can be anything, so the best one is the mean of the targets at each, whatever their numbers.
TEST(Platt, OfTwoScoresIsTheMeanOfTheirTargets) {
  Generator draws(11);
  const auto some = [&](double most) { return static_cast<std::size_t>(1 + std::pow(most, draws.next())); };
  for (int round = 0; round < 400; ++round) {
    const double at[2] = {std::pow(10.0, 8 * draws.next() - 4) * (round % 3 == 0 ? 0 : 1), 0};
    const double shift = round % 2 == 0 ? 0 : gaussian(draws);
    Scored s;
    double positives[2], rows[2];
    for (int k = 0; k < 2; ++k) {
      const std::size_t ones = some(k == 0 ? 30 : 9), zeros = some(k == 0 ? 30 : 9000);
      s.score.insert(s.score.end(), ones + zeros, (k == 0 ? at[0] + 1e-3 : at[1]) + shift);
      s.positive.insert(s.positive.end(), ones, 1);
      s.positive.insert(s.positive.end(), zeros, 0);
      positives[k] = static_cast<double>(ones);
      rows[k] = static_cast<double>(ones + zeros);
    }
    const Platt curve = fit_platt(s.score, s.positive);
    const double all = positives[0] + positives[1], others = rows[0] + rows[1] - all;
    for (int k = 0; k < 2; ++k) {
      const double targets =
          positives[k] * (all + 1) / (all + 2) + (rows[k] - positives[k]) * (1 - (others + 1) / (others + 2));
      const double score = k == 0 ? s.score.front() : s.score.back();
      EXPECT_NEAR(curve.probability(score), targets / rows[k], 1e-6) << round << " " << score;
    }
  }
}

// One row in a hundred has the feature that tells the rare class; the scores of the others lie close together.
TEST(Platt, IsNotClippedWhereFarScoresTellARareClass) {
  Generator draws(12);
  Scored s;
  for (int i = 0; i < 4000; ++i) {
    const bool told = i % 101 == 50;
    s.score.push_back((told ? 1 : -1) + 1e-3 * gaussian(draws));
    s.positive.push_back(told != (i % 211 == 70));
  }
  const Platt curve = fit_platt(s.score, s.positive);
  EXPECT_FALSE(curve.clips());
  EXPECT_GT(curve.probability(1), 0.9);
  EXPECT_LT(curve.probability(-1), 0.02);
}

// One row in two hundred has a score of a million times the others', and labels as theirs.
Scored with_far_scores(Generator& draws, std::size_t rows) {
  Scored s;
  for (std::size_t i = 0; i < rows; ++i) {
    const double z = gaussian(draws);
    s.score.push_back(i % 200 == 7 ? 1e6 * z : z);
    s.positive.push_back(draws.next() < 1 / (1 + std::exp(-2 * z)));
  }
  return s;
}

TEST(Platt, ScoresFarOutDoNotFlattenIt) {
  Generator draws(5);
  for (int round = 0; round < 20; ++round) {
    const Scored s = with_far_scores(draws, 1000);
    Scored near;
    for (std::size_t i = 0; i < s.score.size(); ++i) {
      if (i % 200 == 7) continue;
      near.score.push_back(s.score[i]);
      near.positive.push_back(s.positive[i]);
    }
    const Platt curve = fit_platt(s.score, s.positive), without = fit_platt(near.score, near.positive);
    ASSERT_TRUE(curve.clips());
    ASSERT_FALSE(without.clips());
    for (const double score : near.score) EXPECT_NEAR(curve.probability(score), without.probability(score), 0.06);
    // Beyond the ends the curve is constant, and never sure.
    EXPECT_EQ(curve.probability(1e300), curve.probability(curve.high));
    EXPECT_EQ(curve.probability(-1e300), curve.probability(curve.low));
    EXPECT_LT(curve.probability(1e300), 1);
    EXPECT_GT(curve.probability(-1e300), 0);
  }
}

TEST(Platt, ClippedAtAnyScaleAndPlaceAndByWeightsAsByCopies) {
  Generator draws(6);
  const Scored s = with_far_scores(draws, 600);
  const Platt curve = fit_platt(s.score, s.positive);
  for (const double factor : {-0x1p-900, 0x1p-20, -1.0, 0x1p900}) {
    for (const double shift : {0.0, 16.0}) {
      std::vector<double> moved;
      for (const double score : s.score) moved.push_back(factor * (score + shift));
      const Platt other = fit_platt(moved, s.positive);
      ASSERT_TRUE(other.clips());
      for (std::size_t i = 0; i < moved.size(); i += 7)
        EXPECT_NEAR(other.probability(moved[i]), curve.probability(s.score[i]), 1e-6) << factor << " " << shift;
    }
  }
  Scored copies;
  std::vector<double> count;
  for (std::size_t i = 0; i < s.score.size(); ++i) {
    count.push_back(static_cast<double>(i % 4));
    copies.score.insert(copies.score.end(), i % 4, s.score[i]);
    copies.positive.insert(copies.positive.end(), i % 4, s.positive[i]);
  }
  const Platt weighed = fit_platt(s.score, s.positive, count), copied = fit_platt(copies.score, copies.positive);
  EXPECT_EQ(weighed.low, copied.low);
  EXPECT_EQ(weighed.high, copied.high);
  EXPECT_NEAR(weighed.a, copied.a, 1e-9);
  // Where half of the scores are equal and few differ, none is far.
  std::vector<double> rare(400, 0.0);
  std::vector<std::uint8_t> positive(400, 0);
  for (std::size_t i = 0; i < 4; ++i) rare[i] = positive[i] = 1;
  EXPECT_FALSE(fit_platt(rare, positive).clips());
}

// Rows that a score separates have no largest slope without drawn-in targets: here the optimum is finite.
TEST(Platt, IsFiniteWhereScoresSeparate) {
  for (const double scale : {1e-300, 1e-5, 1.0, 1e5, 1e300}) {
    const std::vector<double> score{-3 * scale, -2 * scale, 2 * scale, 3 * scale};
    const std::vector<std::uint8_t> positive{0, 0, 1, 1};
    const Platt curve = fit_platt(score, positive);
    EXPECT_TRUE(std::isfinite(curve.a) && std::isfinite(curve.b)) << scale;
    EXPECT_GT(curve.probability(score[3]), 0.7);
    EXPECT_LT(curve.probability(score[0]), 0.3);
  }
  const std::vector<double> same(10, 1.5);
  const std::vector<std::uint8_t> mixed{0, 1, 0, 1, 0, 1, 0, 0, 0, 0};
  EXPECT_NEAR(fit_platt(same, mixed).probability(1.5), (3 * 4.0 / 5 + 7 * 1.0 / 9) / 10, 1e-9);
}

// The isotonic fit by its min-max formula, point by point: max over starts of min over ends of the mean between. Cubic
// in the number of scores, and obvious.
std::vector<double> slow_isotonic(const Scored& s, const std::vector<double>& at) {
  std::vector<double> best;
  for (const double x : at) {
    double highest = 0;
    for (const double from : at) {
      if (from > x) continue;
      double lowest = 1;
      for (const double to : at) {
        if (to < x) continue;
        double rows = 0, positives = 0;
        for (std::size_t i = 0; i < s.score.size(); ++i) {
          if (s.score[i] < from || s.score[i] > to) continue;
          rows += 1;
          positives += s.positive[i];
        }
        lowest = std::min(lowest, positives / rows);
      }
      highest = std::max(highest, lowest);
    }
    best.push_back(highest);
  }
  return best;
}

TEST(Isotonic, IsTheMinMaxFit) {
  Generator draws(11);
  for (int round = 0; round < 200; ++round) {
    const Scored s = random_scores(draws, 2 + pick(draws, 30), round % 2 == 0);
    const Isotonic curve = fit_isotonic(s.score, s.positive);
    std::vector<double> at = s.score;
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    const std::vector<double> expected = slow_isotonic(s, at);
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(curve.at(at[i]), expected[i]) << "round " << round;
  }
}

TEST(Calibration, ProbabilitiesRiseWithTheScore) {
  Generator draws(13);
  for (int round = 0; round < 100; ++round) {
    const Scored s = random_scores(draws, 50, round % 2 == 0);
    const std::vector<std::int32_t> label(s.positive.begin(), s.positive.end());
    const std::vector<std::string> names{"no", "yes"};
    for (const auto method : {CalibrationMethod::platt, CalibrationMethod::isotonic}) {
      const Calibration c = calibrate(method, 1, s.score, label, names);
      // Scores may say the opposite by chance: then Platt's curve falls.
      const bool falls = method == CalibrationMethod::platt && c.platt[0].a > 0;
      const double widest = 1.5 * std::abs(*std::max_element(s.score.begin(), s.score.end(), [](double a, double b) {
                              return std::abs(a) < std::abs(b);
                            }));
      double before = falls ? 1 : 0;
      for (int k = -200; k <= 200; ++k) {
        const double score = widest * k / 200;
        const std::vector<double> p = c.probabilities({&score, 1});
        ASSERT_EQ(p.size(), 2U);
        EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
        EXPECT_TRUE(p[1] >= 0 && p[1] <= 1);
        EXPECT_TRUE(falls ? p[1] <= before : p[1] >= before) << name_of(method) << " at " << score;
        before = p[1];
      }
    }
  }
}

TEST(Calibration, ClassesShareOne) {
  Generator draws(17);
  std::vector<double> scores;
  std::vector<std::int32_t> label;
  for (int i = 0; i < 300; ++i) {
    label.push_back(i % 3);
    for (int k = 0; k < 3; ++k) scores.push_back(gaussian(draws) + (k == i % 3 ? 1.0 : 0.0));
  }
  const std::vector<std::string> names{"a", "b", "c"};
  for (const auto method : {CalibrationMethod::platt, CalibrationMethod::isotonic}) {
    const Calibration c = calibrate(method, 3, scores, label, names);
    for (std::size_t i = 0; i < 300; ++i) {
      const auto p = c.probabilities(std::span(scores).subspan(3 * i, 3));
      EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-12);
    }
  }
  // No curve gives these scores anything: then nothing is known.
  Calibration nothing{CalibrationMethod::isotonic, 1, {}, std::vector<Isotonic>(3, Isotonic{{0}, {0}})};
  const std::vector<double> zero(3, 0.0);
  EXPECT_EQ(nothing.probabilities(zero), std::vector<double>(3, 1.0 / 3));
}

struct ScoredClasses {
  std::vector<double> scores;  // three a row
  std::vector<std::int32_t> label;
};

// Draws labels from the softmax of t s + c, the scores at a scale.
ScoredClasses tempered_rows(Generator& draws, std::size_t rows, double t, const double (&c)[3], double scale) {
  ScoredClasses found;
  for (std::size_t i = 0; i < rows; ++i) {
    double e[3], all = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double s = 2 * gaussian(draws);
      found.scores.push_back(s * scale);
      all += e[k] = std::exp(t * s + c[k]);
    }
    const double u = draws.next() * all;
    found.label.push_back(u < e[0] ? 0 : u < e[0] + e[1] ? 1 : 2);
  }
  for (std::int32_t k = 0; k < 3; ++k) found.label[static_cast<std::size_t>(k)] = k;
  return found;
}

// The gradient of the cross entropy against smoothed targets, as written down, in extended precision.
TEST(Temperature, TheGradientVanishes) {
  Generator draws(5);
  for (int round = 0; round < 60; ++round) {
    const double scale = std::pow(10.0, 12 * draws.next() - 6);
    const ScoredClasses rows = tempered_rows(draws, 10 + pick(draws, 300), 2 * draws.next(), {0.5, -1, 0}, scale);
    const std::vector<Platt> curves = fit_temperature(3, rows.scores, rows.label);
    long double of_class[3] = {};
    for (const std::int32_t y : rows.label) of_class[y] += 1;
    long double by_t = 0, by_c[3] = {};
    for (std::size_t i = 0; i < rows.label.size(); ++i) {
      long double e[3], all = 0;
      for (std::size_t k = 0; k < 3; ++k)
        all += e[k] = std::exp(-static_cast<long double>(curves[k].a) * rows.scores[3 * i + k] - curves[k].b);
      const auto y = static_cast<std::size_t>(rows.label[i]);
      const long double own = (of_class[y] + 1) / (of_class[y] + 2);
      for (std::size_t k = 0; k < 3; ++k) {
        const long double more = e[k] / all - (k == y ? own : (1 - own) / 2);
        by_t += more * rows.scores[3 * i + k] / scale;
        by_c[k] += more;
      }
    }
    const auto n = static_cast<long double>(rows.label.size());
    // At a temperature of 0 it may still fall towards negative ones.
    if (curves[0].a < 0) {
      EXPECT_LE(std::abs(by_t), 1e-3L * n) << "round " << round;
    } else {
      EXPECT_GE(by_t, -1e-3L * n) << "round " << round;
    }
    for (const long double by : by_c) EXPECT_LE(std::abs(by), 1e-3L * n) << "round " << round;
  }
}

TEST(Temperature, IsThatOfTheLabels) {
  Generator draws(9);
  for (const double scale : {1e-200, 1.0, 1e200}) {
    const ScoredClasses rows = tempered_rows(draws, 20'000, 0.7, {1, 0, -1}, scale);
    const std::vector<Platt> curves = fit_temperature(3, rows.scores, rows.label);
    EXPECT_NEAR(-curves[0].a * scale, 0.7, 0.03);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(-curves[k].b, 1.0 - static_cast<double>(k), 0.06);
  }
}

TEST(Temperature, AWeightIsAsManyRows) {
  Generator draws(3);
  const ScoredClasses rows = tempered_rows(draws, 60, 1, {0, 0, 0.5}, 1);
  ScoredClasses copies;
  std::vector<double> count;
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    count.push_back(1 + static_cast<double>(i % 3));
    for (std::size_t k = 0; k <= i % 3; ++k) {
      copies.label.push_back(rows.label[i]);
      copies.scores.insert(copies.scores.end(), &rows.scores[3 * i], &rows.scores[3 * i] + 3);
    }
  }
  const std::vector<Platt> weighed = fit_temperature(3, rows.scores, rows.label, count);
  const std::vector<Platt> copied = fit_temperature(3, copies.scores, copies.label);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(weighed[k].a, copied[k].a, 1e-9);
    EXPECT_NEAR(weighed[k].b, copied[k].b, 1e-9);
  }
}

// Classes that the scores separate, scores that are all 0, and scores that say the opposite.
TEST(Temperature, IsFiniteAndNotNegative) {
  const std::vector<std::int32_t> label{0, 1, 2, 0, 1, 2};
  for (const double right : {1.0, 0.0, -1.0}) {
    std::vector<double> scores;
    for (const std::int32_t y : label) {
      for (std::int32_t k = 0; k < 3; ++k) scores.push_back(k == y ? right : 0);
    }
    const std::vector<Platt> curves = fit_temperature(3, scores, label);
    EXPECT_LE(curves[0].a, 0);
    if (right != 0) {
      EXPECT_EQ(curves[0].a == 0, right < 0);
    }
    for (const Platt& curve : curves) EXPECT_TRUE(std::isfinite(curve.a) && std::abs(curve.b) < 1e-6);
  }
  const std::vector<std::string> names{"no", "yes"};
  EXPECT_THROW(
      calibrate(CalibrationMethod::temperature, 1, std::vector<double>{1, 2}, std::vector<std::int32_t>{0, 1}, names),
      Error);
}

TEST(Calibration, AClassWithoutRowsIsNamed) {
  const std::vector<std::string> names{"no", "yes"};
  const std::vector<double> scores{1, 2};
  const std::vector<std::int32_t> label{0, 0};
  try {
    calibrate(CalibrationMethod::platt, 1, scores, label, names);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(has(error.message(), "'yes'"));
  }
}

}  // namespace
}  // namespace halfspace
