// Roots of monotone functions in extended precision, then widened by more than the arithmetic can have erred.
//
// Error analysis. The functions of the C library are right to a few units of the long double's last place, 2^-64 of a value
// (or less, where it has more digits). A relative error e in the terms of an exponent moves the root by at most 16 e of its
// value: 16 is the largest l. `allowance` covers sixteen such errors.
#include "halfspace/bounds/expected_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace halfspace {
namespace {

using Real = long double;
constexpr Real allowance = 0x1p-56L;

double rounded_up(Real value) {
  const Real wide = value * (1 + allowance);
  const double near = static_cast<double>(wide);
  return std::min(1.0, static_cast<Real>(near) < wide ? std::nextafter(near, 2.0) : near);
}

double rounded_down(Real value) {
  const Real narrow = value * (1 - allowance);
  const double near = static_cast<double>(narrow);
  return std::max(0.0, static_cast<Real>(near) > narrow ? std::nextafter(near, -1.0) : near);
}

// The slopes l_k = 2^(k/2), k = -52 .. 8, and their shares. The slope that is best for S mistakes is about 3 / sqrt(S (1 - r)):
// the shares are largest for 2^-4.5 .. 2^-1.5, some hundred to some thousand mistakes, and fall off slowly on both sides, so
// that no number of rounds up to 2^53 is far from a good one.
constexpr int first_power = -52, last_power = 8, best_from = -9, best_to = -3;

struct Slope {
  Real l, log_share, up, down;  // up: exp(l) - 1; down: 1 - exp(-l)
};
using Slopes = std::array<Slope, last_power - first_power + 1>;

const Slopes& slopes() {
  static const Slopes all = [] {
    Slopes made;
    Real sum = 0;
    for (int k = first_power; k <= last_power; ++k) {
      const Real off = k < best_from ? best_from - k : k > best_to ? k - best_to : 0;
      const Real share = k > best_to ? 1 / ((1 + off) * std::sqrt(1 + off)) : 1 / (1 + off);
      const Real l = std::ldexp(k % 2 == 0 ? Real{1} : std::numbers::sqrt2_v<Real>, (k - (k % 2 != 0)) / 2);
      made[static_cast<std::size_t>(k - first_power)] = {l, share, std::expm1(l), -std::expm1(-l)};
      sum += share;
    }
    for (Slope& slope : made) slope.log_share = std::log(slope.log_share / sum);
    return made;
  }();
  return all;
}

// The logarithm of a sum, and its derivative.
struct Point {
  Real value, derivative;
};

// `term` gives of a slope the exponent of its summand, and the exponent's derivative.
template <class Term>
Point mixture(const Term& term) {
  std::array<Point, std::tuple_size_v<Slopes>> terms;
  Real largest = -std::numeric_limits<Real>::infinity();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    terms[k] = term(slopes()[k]);
    largest = std::max(largest, terms[k].value);
  }
  Real sum = 0, derivative = 0;
  for (const Point& one : terms) {
    if (one.value < largest - 60) continue;  // all of them together are below 2^-80 of the sum
    const Real weight = std::exp(one.value - largest);
    sum += weight;
    derivative += weight * one.derivative;
  }
  return {largest + std::log(sum), derivative / sum};
}

// Newton's steps from a side from which they never pass the root: the function is convex and positive there, or concave and
// negative. They end where rounding turns them back.
template <class Function>
Real root(Real from, const Function& function) {
  for (int step = 0; step < 200; ++step) {
    const Point at = function(from);
    const Real next = from - at.value / at.derivative;
    if (!(std::abs(next - from) > std::abs(from) * 0x1p-63L)) return next;
    from = next;
  }
  return from;
}

Real lower_expected(Real t, Real s, Real log_odds) {
  const auto excess = [&](Real r) {
    Point point = mixture([&](const Slope& k) {
      return Point{k.log_share + k.l * s - t * std::log1p(k.up * r), -t * k.up / (1 + k.up * r)};
    });
    point.value -= log_odds;
    return point;
  };
  const Real mean = s / t;
  Real from = std::max(mean / 2, mean - 3 * std::sqrt(mean * (1 - mean) / t) - 1 / t);
  while (excess(from).value < 0) {
    from = std::max(from / 4, from - (mean - from));
    if (from < 0x1p-200L) return 0;
  }
  return root(from, excess);
}

// Near 1 the upper bound is found as what the lower bound of the right rows leaves.
Real upper_expected(Real t, Real s, Real log_odds) {
  if (s > t / 2) return 1 - lower_expected(t, t - s, log_odds);
  const auto excess = [&](Real r) {
    Point point = mixture([&](const Slope& k) {
      return Point{k.log_share - k.l * s - t * std::log1p(-k.down * r), t * k.down / (1 - k.down * r)};
    });
    point.value -= log_odds;
    return point;
  };
  const Real mean = s / t;
  for (Real width = 3 * std::sqrt(mean * (1 - mean) / t) + 10 / t;; width *= 2) {
    const Real from = std::min(Real{1}, mean + width);
    if (excess(from).value >= 0) return root(from, excess);
    if (from == 1) return 1;
  }
}

// ln(n!) - ln(sqrt(2 pi n) (n / e)^n).
Real stirling_error(Real n) {
  if (n <= 30) {
    Real product = 1;
    for (Real i = 2; i <= n; ++i) product *= i;
    return std::log(product) - (n + Real{0.5}) * std::log(n) + n - std::log(2 * std::numbers::pi_v<Real>) / 2;
  }
  const Real s = 1 / (n * n);
  return (Real{1} / 12 -
          (Real{1} / 360 - (Real{1} / 1260 - (Real{1} / 1680 - (Real{1} / 1188 - s * 691 / 360360) * s) * s) * s) * s) /
         n;
}

// x ln(x / m) + m - x, without cancellation where x is near m.
Real deviance(Real x, Real m) {
  const Real v = (x - m) / (x + m);
  if (std::abs(v) > Real{0.1}) return x * std::log(x / m) + m - x;
  Real sum = (x - m) * v, power = 2 * x * v;
  for (int j = 3;; j += 2) {
    power *= v * v;
    const Real more = sum + power / static_cast<Real>(j);
    if (more == sum) return sum;
    sum = more;
  }
}

// Of X, binomial of n and p, q = 1 - p, 0 <= k < n: ln P(X <= k), and P(X = k) / P(X <= k). For p > k / n: the terms fall.
struct Tail {
  Real log, last_share;
};
Tail binomial_tail(Real n, Real k, Real p, Real q) {
  // P(X = k) as Loader 2000 has it, "Fast and accurate computation of binomial probabilities".
  const Real log_last = k == 0 ? n * (p < q ? std::log1p(-p) : std::log(q))
                               : stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
                                     deviance(n - k, n * q) +
                                     std::log(n / (2 * std::numbers::pi_v<Real> * k * (n - k))) / 2;
  Real sum = 1, term = 1;
  for (Real j = k; j > 0; --j) {
    const Real ratio = j * q / ((n - j + 1) * p);
    term *= ratio;
    sum += term;
    if (term * ratio < sum * (1 - ratio) * 0x1p-70L) break;  // the rest is below a geometric series
  }
  return {log_last + std::log(sum), 1 / sum};
}

// The least p with P(X <= k) <= d.
Real upper_kept_out(Real n, Real k, Real log_d) {
  const auto excess = [&](Real p) {
    const Tail tail = binomial_tail(n, k, p, 1 - p);
    return Point{tail.log - log_d, -(n - k) * tail.last_share / (1 - p)};
  };
  const Real mean = k / n;
  Real from = mean + 2 * std::sqrt(mean * (1 - mean) / n) + 3 / n;
  if (!(from < 1)) from = (1 + mean) / 2;
  while (excess(from).value > 0) from = from + std::min(from - mean, (1 - from) / 2);
  return root(from, excess);
}

// The largest p with P(X >= k) <= d.
Real lower_kept_out(Real n, Real k, Real log_d) {
  const auto excess = [&](Real p) {
    const Tail tail = binomial_tail(n, n - k, 1 - p, p);
    return Point{tail.log - log_d, k * tail.last_share / p};
  };
  const Real mean = k / n;
  Real from = std::max(mean / 2, mean - 2 * std::sqrt(mean * (1 - mean) / n) - 1 / n);
  while (excess(from).value > 0) from = std::max(from / 2, from - (mean - from));
  return root(from, excess);
}

Real half_of_rest(double confidence) {
  return (1 - static_cast<Real>(confidence)) / 2;
}

// P(|T| <= t) of Student's distribution with a whole number of degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4).
double student_within(double t, std::size_t freedom) {
  const double root_of_freedom = std::sqrt(static_cast<double>(freedom));
  const double angle = std::atan(t / root_of_freedom), cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (std::size_t i = odd ? 3 : 2; i < freedom; i += 2) {
    term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
    sum += term;
  }
  sum *= std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

double student_quantile(double confidence, std::size_t freedom) {
  double low = 0, high = 1;
  while (student_within(high, freedom) < confidence && high < 0x1p60) high *= 2;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_within(middle, freedom) < confidence ? low : high) = middle;
  }
  return high;
}

}  // namespace

ErrorBounds expected_error(std::uint64_t rounds, std::uint64_t mistakes, double confidence) {
  if (rounds == 0) return {};
  const Real t = static_cast<Real>(rounds), s = static_cast<Real>(mistakes),
             log_odds = -std::log(half_of_rest(confidence));
  return {mistakes == 0 ? 0 : rounded_down(lower_expected(t, s, log_odds)),
          mistakes == rounds ? 1 : rounded_up(upper_expected(t, s, log_odds))};
}

ErrorBounds kept_out_error(std::uint64_t rows, std::uint64_t errors, double confidence, double choices) {
  if (rows == 0) return {};
  const Real n = static_cast<Real>(rows), k = static_cast<Real>(errors);
  const Real log_d = std::log(half_of_rest(confidence)) - std::log(static_cast<Real>(choices));
  return {errors == 0 ? 0 : rounded_down(lower_kept_out(n, k, log_d)),
          errors == rows ? 1 : rounded_up(upper_kept_out(n, k, log_d))};
}

ErrorBounds folds_error(std::span<const double> fold_errors, double confidence) {
  const double count = static_cast<double>(fold_errors.size());
  double mean = 0, squares = 0;
  for (const double error : fold_errors) mean += error / count;
  for (const double error : fold_errors) squares += (error - mean) * (error - mean);
  // Each fold is tested on 1 / (count - 1) as many rows as it learned from.
  const double variance = (1 / count + 1 / (count - 1)) * squares / (count - 1);
  const double width = student_quantile(confidence, fold_errors.size() - 1) * std::sqrt(variance);
  return {std::max(0.0, mean - width), std::min(1.0, mean + width)};
}

}  // namespace halfspace
