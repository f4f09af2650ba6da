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
