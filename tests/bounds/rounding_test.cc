// Directed rounding: every figure errs on the safe side of its exact value, and by next to nothing. Exact rationals
// judge.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/rule_entry.h"
#include "support/exact.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// `bound` meets `holds`, which says "not below the exact value", and a hair less does not.
void expect_tight(double bound, const std::function<bool(const Rational&)>& holds, std::uint64_t seed, int which = 0) {
  ASSERT_TRUE(std::isfinite(bound)) << seed;
  EXPECT_TRUE(holds(exact(bound))) << "below the exact value, seed " << seed << ", formula " << which;
  if (bound == 0) return;
  EXPECT_FALSE(holds(exact(bound) - exact(std::abs(bound)) * exact(1e-12))) << "loose, seed " << seed;
}

bool at_least_square_root(const Rational& value, const Rational& square) {
  return value >= 0 && value * value >= square;
}

// Doubles with full mantissas over many magnitudes.
double any(Chance& chance, int low = -6, int high = 6) { return std::exp2(chance.real(low, high)); }

constexpr std::uint64_t kSeeds = 3000;

TEST(BoundFormulas, AreTheExactValuesRoundedUp) {
  for (std::uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    Chance chance(seed);
    const double r2 = any(chance), u2 = any(chance), margin = any(chance), rate = any(chance), b = any(chance);
    const Rational R2 = exact(r2), U2 = exact(u2), G = exact(margin), H = exact(rate), B = exact(b);
    const auto above = [](const Rational& value) { return [value](const Rational& x) { return x >= value; }; };
    expect_tight(novikoff_bound(r2, u2, margin), above(R2 * U2 / (G * G)), seed, 1);
    expect_tight(margin_perceptron_bound(r2, b, rate, u2, margin), above((R2 + 2 * B / H) * U2 / (G * G)), seed, 2);

    const double hinges = chance.one_in(4) ? 0 : any(chance), u = any(chance), radius = any(chance);
    const Rational L = exact(hinges), UR = exact(u) * exact(radius);
    expect_tight(
        hinge_bound(hinges, u, radius),
        [&](const Rational& x) { return at_least_square_root(x - L - UR * UR / 2, UR * UR * (UR * UR / 4 + L)); }, seed,
        3);
  }
}

TEST(BoundFormulas, FromAStartIsTheLargerRootRoundedUp) {
  for (std::uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    Chance chance(seed);
    const double r2 = any(chance), u2 = any(chance), margin = any(chance), rate = any(chance), w2 = any(chance);
    // <w0, u>, of either sign, within Cauchy and Schwarz.
    const double a = chance.real(-1, 1) * std::sqrt(u2 * w2) * (1 - 1e-9);
    const Rational A = exact(a), S = exact(rate) * exact(margin), U2 = exact(u2);
    expect_tight(
        start_bound(a, w2, rate, r2, u2, margin),
        [&](const Rational& m) {
          // No count from m on is allowed by the theorem: a + m s > 0, and (a + m s)^2 >= |u|^2 (|w0|^2 + m q) for
          // good.
          const Rational reach = A + m * S;
          const Rational growth = exact(rate) * exact(rate) * exact(r2);
          return reach >= 0 && reach * reach >= U2 * (exact(w2) + m * growth) && 2 * reach * S >= U2 * growth;
        },
        seed);
  }
}

TEST(BoundFormulas, MinnowIsRoundedUp) {
  for (std::uint64_t seed = 1; seed <= 20000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const auto dimension = static_cast<std::uint64_t>(chance.between(2, 5000));
    const double norm = any(chance), radius = any(chance);
    const double margin = norm * radius * chance.real(0.01, 1);
    const double rate = any(chance, -8, 3) / radius;
    const long double z = static_cast<long double>(rate) * radius;
    const long double log_cosh = z + std::log1p(std::exp(-2 * z)) - std::log(2.0L);
    const long double gain = static_cast<long double>(rate) * margin;
    const long double denominator = gain - norm * log_cosh;
    const double bound = minnow_bound(dimension, norm, margin, radius, rate);
    if (denominator <= gain * 1e-3L) {
      EXPECT_GT(bound, 0);  // near the pole: whatever is safe
      continue;
    }
    const long double real = norm * std::log(static_cast<long double>(dimension)) / denominator;
    EXPECT_GE(bound, real) << seed;
    EXPECT_LE(bound, real * (1 + 1e-11L)) << seed;
  }
  EXPECT_EQ(minnow_bound(1, 1, 1, 1, 1), 0);
  EXPECT_EQ(minnow_bound(8, 2, 1, 1, 3), std::numeric_limits<double>::infinity());
}

TEST(BoundFormulas, MinnowsBestIsRightForEveryMargin) {
  for (int i = 0; i < 400; ++i) {
    const double r = std::exp2(-i / 4.0);
    // KL by its series in long double (it converges for r < 1).
    long double divergence = 0;
    for (int k = 4000; k > 0; --k) {
      divergence = static_cast<long double>(r) * r * (divergence + 1.0L / (2.0L * k * (2.0L * k - 1)));
    }
    if (i == 0) divergence = std::log(2.0L);
    const long double real = std::log(100.0L) / divergence;
    EXPECT_NEAR(static_cast<double>(minnow_best_bound(r, 100) / real), 1, 1e-13) << i;
    if (i == 0) continue;  // the best rate is infinite
    EXPECT_NEAR(minnow_bound(100, 1, r, 1, minnow_best_rate(r, 1)) / static_cast<double>(real), 1, 1e-9) << i;
  }
  EXPECT_EQ(minnow_best_bound(0.5, 1), 0);
}

Rational exact_score(const std::vector<double>& w, const std::vector<double>& x) {
  Rational sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += exact(w[j]) * exact(x[j]);
  return sum;
}

TEST(Evaluation, ErrsOnTheSafeSide) {
  for (std::uint64_t seed = 1; seed <= 800 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const BiasOptions bias{chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.1, 3.7})};
    World world;
    const int d = chance.between(1, 30);
    const int n = chance.between(1, 8);
    for (int i = 0; i < n; ++i) {
      Point point;
      for (int j = 0; j < d; ++j) point.x.push_back(chance.normal());
      point.label = chance.between(0, 1);
      point.weight = any(chance, -2, 2);
      world.points.push_back(point);
    }
    ClassWeightVector u{1, {}, {bias.position == Bias::none ? 0.0 : chance.normal()}};
    for (int j = 0; j < d; ++j) u.w.push_back(chance.normal());
    if (chance.one_in(2)) {  // small margins, in which the sums cancel
      for (Point& point : world.points) {
        double s = u.bias[0] * bias.scale;
        for (int j = 1; j < d; ++j) s += u.w[static_cast<std::size_t>(j)] * point.x[static_cast<std::size_t>(j)];
        point.x[0] = -s / u.w[0] * (1 + 1e-14 * chance.normal());
      }
    }
    const Rows rows = rows_of(world.points);
    const Evaluation e = evaluate(rows, u, bias);

    std::vector<double> w = u.w;
    if (bias.position != Bias::none) w.push_back(u.bias[0]);
    Rational smallest, radius = 0, norm = 0, size = 0;
    double infinity = bias.position == Bias::none ? 0 : bias.scale;
    std::uint64_t sure_errors = 0, unsure = 0;
    for (std::size_t i = 0; i < world.points.size(); ++i) {
      const std::vector<double> x = with_bias(world.points[i], bias);
      const Rational s = exact_score(w, x);
      const Rational margin = world.points[i].label == 1 ? s : Rational(-s);
      if (i == 0 || margin < smallest) smallest = margin;
      const Rational squared = exact_score(x, x);
      radius = std::max(radius, squared);
      for (int j = 0; j < d; ++j) infinity = std::max(infinity, std::abs(x[static_cast<std::size_t>(j)]));
      Rational terms = 0;
      for (std::size_t j = 0; j < x.size(); ++j) terms += abs(exact(w[j]) * exact(x[j]));
      size = std::max(size, terms);
      if (abs(margin) <= terms * exact(1e-13)) {
        ++unsure;
      } else {
        sure_errors += margin < 0;
      }
    }
    norm = exact_score(w, w);
    EXPECT_LE(exact(e.smallest_margin), smallest) << seed;
    EXPECT_GE(exact(e.smallest_margin), smallest - size * exact(1e-13)) << seed;
    EXPECT_GE(exact(e.radius_squared), radius) << seed;
    EXPECT_LE(exact(e.radius_squared), radius * exact(1 + 1e-12)) << seed;
    EXPECT_GE(exact(e.squared_norm), norm) << seed;
    EXPECT_LE(exact(e.squared_norm), norm * exact(1 + 1e-12)) << seed;
    EXPECT_LE(exact(e.least_squared_norm), norm) << seed;
    EXPECT_GE(exact(e.least_squared_norm), norm * exact(1 - 1e-12)) << seed;
    EXPECT_EQ(e.infinity_radius, infinity) << seed;
    EXPECT_GE(e.errors, sure_errors) << seed;
    EXPECT_LE(e.errors, sure_errors + unsure) << seed;
    // The geometric margin: down, whatever its sign. m <= s / |u|  <=>  m |u| <= s.
    const Rational m = exact(e.margin());
    EXPECT_TRUE(smallest >= 0 ? m <= 0 || m * m * norm <= smallest * smallest
                              : m < 0 && m * m * norm >= smallest * smallest)
        << seed;

    const double scale = any(chance, -3, 3);
    for (const int power : {1, 2}) {
      const auto visits = [](std::uint64_t i) { return static_cast<double>(i + 1); };
      const double ours = hinge_sum(rows, u, bias, scale, power, visits);
      Rational real = 0;
      for (std::size_t i = 0; i < world.points.size(); ++i) {
        const Rational s = exact_score(w, with_bias(world.points[i], bias));
        const Rational hinge = 1 - exact(scale) * (world.points[i].label == 1 ? s : Rational(-s));
        if (hinge <= 0) continue;
        real += Rational(static_cast<long>(i + 1)) * exact(world.points[i].weight) *
                (power == 2 ? Rational(hinge * hinge) : hinge);
      }
      EXPECT_GE(exact(ours), real) << seed;
      EXPECT_LE(exact(ours), real * exact(1 + 1e-11) + size * exact(1e-10)) << seed;
    }
  }
}

// One product, one rounding: here rounding the product the wrong way shows in the sum.
TEST(Evaluation, HingeOfAProductThatMustBeRounded) {
  const Rows rows = rows_of({{{0.1}, 1, 1.0}});
  for (int k = 1; k < 200; ++k) {
    const double scale = 9.9 / k;
    const double ours = hinge_sum(rows, {1, {1.0}, {0}}, {Bias::none, 1}, scale, 1, [](std::uint64_t) { return 1.0; });
    EXPECT_GE(exact(ours), Rational(1) - exact(scale) * exact(0.1)) << k;
  }
}

TEST(Evaluation, OfClassesIsTheMarginAgainstTheBestRival) {
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const BiasOptions bias{chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.1})};
    ClassWeightVector u{3, {}, {}};
    const std::size_t d = 4;
    for (std::size_t i = 0; i < 3 * d; ++i) u.w.push_back(chance.normal());
    for (int k = 0; k < 3; ++k) u.bias.push_back(bias.position == Bias::none ? 0 : chance.normal());
    Points points;
    for (int i = 0; i < 5; ++i) {
      points.push_back(
          {{chance.normal(), chance.normal(), chance.normal(), chance.normal()}, chance.between(0, 2), 1.0});
    }
    const Evaluation e = evaluate(rows_of(points), u, bias);
    Rational smallest;
    std::uint64_t errors = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<Rational> scores;
      for (std::size_t k = 0; k < 3; ++k) {
        scores.push_back(exact(u.bias[k]) * exact(bias.scale));
        for (std::size_t j = 0; j < d; ++j) scores[k] += exact(u.w[j * 3 + k]) * exact(points[i].x[j]);
      }
      const auto label = static_cast<std::size_t>(points[i].label);
      for (std::size_t k = 0; k < 3; ++k) {
        if (k == label) continue;
        const Rational margin = scores[label] - scores[k];
        if ((i == 0 && k == (label == 0 ? 1U : 0U)) || margin < smallest) smallest = margin;
      }
      errors += std::max_element(scores.begin(), scores.end()) - scores.begin() != points[i].label;
    }
    EXPECT_LE(exact(e.smallest_margin), smallest) << seed;
    EXPECT_GE(exact(e.smallest_margin), smallest - exact(1e-13)) << seed;
    EXPECT_EQ(e.errors, errors) << seed;
  }
}

TEST(WholeMistakes, IsTheFloor) {
  EXPECT_EQ(whole_mistakes(2.999), 2);
  EXPECT_EQ(whole_mistakes(3), 3);
  EXPECT_EQ(whole_mistakes(-1), 0);
  EXPECT_EQ(whole_mistakes(1e300), UINT64_MAX);
  EXPECT_EQ(whole_mistakes(std::nan("")), UINT64_MAX);
}

}  // namespace
}  // namespace halfspace::testing
