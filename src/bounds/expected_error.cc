// Roots of monotone functions, then widened by more than the arithmetic can have erred.
//
// Error analysis. Elementary functions are right to 2^-52 of a value, sums and products to 2^-53. A relative error e in the
// terms of an exponent, of at most three such, moves the root by at most 16 e of its value: 16 is the largest l. Newton's
// steps end below 2^-46. `allowance` covers sixteen such errors.
#include "halfspace/bounds/expected_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/saddle_point.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

constexpr double allowance = 0x1p-42;

double widened_up(double value) { return std::min(1.0, value * (1 + allowance)); }

double widened_down(double value) { return std::max(0.0, value * (1 - allowance)); }

// The slopes l_k = 2^(k/2), k = -52 .. 8, and their shares. The slope that is best for S mistakes is about 3 / sqrt(S (1 - r)):
// the shares are largest for 2^-4.5 .. 2^-1.5, some hundred to some thousand mistakes, and fall off slowly on both sides, so
// that no number of rounds up to 2^53 is far from a good one.
constexpr int first_power = -52, last_power = 8, best_from = -9, best_to = -3;

struct Slope {
  double l, log_share, up, down;  // up: exp(l) - 1; down: 1 - exp(-l)
};
using Slopes = std::array<Slope, last_power - first_power + 1>;

const Slopes& slopes() {
  static const Slopes all = [] {
    Slopes made;
    double sum = 0;
    for (int k = first_power; k <= last_power; ++k) {
      const double off = k < best_from ? best_from - k : k > best_to ? k - best_to : 0;
      const double share = k > best_to ? 1 / ((1 + off) * std::sqrt(1 + off)) : 1 / (1 + off);
      const double l = std::ldexp(k % 2 == 0 ? 1.0 : std::numbers::sqrt2, (k - (k % 2 != 0)) / 2);
      made[static_cast<std::size_t>(k - first_power)] = {l, share, elementary::expm1(l), -elementary::expm1(-l)};
      sum += share;
    }
    for (Slope& slope : made) slope.log_share = elementary::log(slope.log_share / sum);
    return made;
  }();
  return all;
}

// The logarithm of a sum, and its derivative.
struct Point {
  double value, derivative;
};

// `term` gives of a slope the exponent of its summand, and the exponent's derivative.
template <class Term>
Point mixture(const Term& term) {
  std::array<Point, std::tuple_size_v<Slopes>> terms;
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    terms[k] = term(slopes()[k]);
    largest = std::max(largest, terms[k].value);
  }
  double sum = 0, derivative = 0;
  for (const Point& one : terms) {
    if (one.value < largest - 60) continue;  // all of them together are below 2^-80 of the sum
    const double weight = elementary::exp(one.value - largest);
    sum += weight;
    derivative += weight * one.derivative;
  }
  return {largest + elementary::log(sum), derivative / sum};
}

// Newton's steps from a side from which they never pass the root: the function is convex and positive there, or concave and
// negative. They end where rounding turns them back.
template <class Function>
double root(double from, const Function& function) {
  for (int step = 0; step < 200; ++step) {
    const Point at = function(from);
    const double next = from - at.value / at.derivative;
    if (!(std::abs(next - from) > std::abs(from) * 0x1p-46)) return next;
    from = next;
  }
  return from;
}

double lower_expected(double t, double s, double log_odds) {
  const auto excess = [&](double r) {
    Point point = mixture([&](const Slope& k) {
      return Point{k.log_share + k.l * s - t * elementary::log1p(k.up * r), -t * k.up / (1 + k.up * r)};
    });
    point.value -= log_odds;
    return point;
  };
  const double mean = s / t;
  double from = std::max(mean / 2, mean - 3 * std::sqrt(mean * (1 - mean) / t) - 1 / t);
  while (excess(from).value < 0) {
    from = std::max(from / 4, from - (mean - from));
    if (from < 0x1p-200) return 0;
  }
  return root(from, excess);
}

// Near 1 the upper bound is found as what the lower bound of the right rows leaves.
double upper_expected(double t, double s, double log_odds) {
  if (s > t / 2) return 1 - lower_expected(t, t - s, log_odds);
  const auto excess = [&](double r) {
    Point point = mixture([&](const Slope& k) {
      return Point{k.log_share - k.l * s - t * elementary::log1p(-k.down * r), t * k.down / (1 - k.down * r)};
    });
    point.value -= log_odds;
    return point;
  };
  const double mean = s / t;
  for (double width = 3 * std::sqrt(mean * (1 - mean) / t) + 10 / t;; width *= 2) {
    const double from = std::min(1.0, mean + width);
    if (excess(from).value >= 0) return root(from, excess);
    if (from == 1) return 1;
  }
}

// Of X, binomial of n and p, q = 1 - p, 0 <= k < n: ln P(X <= k), and P(X = k) / P(X <= k). For p > k / n: the terms fall.
struct Tail {
  double log, last_share;
};
Tail binomial_tail(double n, double k, double p, double q) {
  const double log_last = k == 0 ? n * (p < q ? elementary::log1p(-p) : elementary::log(q))
                                 : stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
                                       deviance(n - k, n * q) +
                                       elementary::log(n / (2 * std::numbers::pi * k * (n - k))) / 2;
  double sum = 1, term = 1;
  for (double j = k; j > 0; --j) {
    const double ratio = j * q / ((n - j + 1) * p);
    term *= ratio;
    sum += term;
    if (term * ratio < sum * (1 - ratio) * 0x1p-60) break;  // the rest is below a geometric series
  }
  return {log_last + elementary::log(sum), 1 / sum};
}

// The least p with P(X <= k) <= d.
double upper_kept_out(double n, double k, double log_d) {
  const auto excess = [&](double p) {
    const Tail tail = binomial_tail(n, k, p, 1 - p);
    return Point{tail.log - log_d, -(n - k) * tail.last_share / (1 - p)};
  };
  const double mean = k / n;
  double from = mean + 2 * std::sqrt(mean * (1 - mean) / n) + 3 / n;
  if (!(from < 1)) from = (1 + mean) / 2;
  while (excess(from).value > 0) from = from + std::min(from - mean, (1 - from) / 2);
  return root(from, excess);
}

// The largest p with P(X >= k) <= d.
double lower_kept_out(double n, double k, double log_d) {
  const auto excess = [&](double p) {
    const Tail tail = binomial_tail(n, n - k, 1 - p, p);
    return Point{tail.log - log_d, k * tail.last_share / p};
  };
  const double mean = k / n;
  double from = std::max(mean / 2, mean - 2 * std::sqrt(mean * (1 - mean) / n) - 1 / n);
  while (excess(from).value > 0) from = std::max(from / 2, from - (mean - from));
  return root(from, excess);
}

double half_of_rest(double confidence) { return (1 - confidence) / 2; }

// P(|T| <= t) of Student's distribution with a whole number of degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4).
double student_within(double t, std::size_t freedom) {
  const double root_of_freedom = std::sqrt(static_cast<double>(freedom));
  const double angle = elementary::atan(t / root_of_freedom), cosine = elementary::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (std::size_t i = odd ? 3 : 2; i < freedom; i += 2) {
    term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
    sum += term;
  }
  sum *= elementary::sin(angle);
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
  const double t = static_cast<double>(rounds), s = static_cast<double>(mistakes),
               log_odds = -elementary::log(half_of_rest(confidence));
  return {mistakes == 0 ? 0 : widened_down(lower_expected(t, s, log_odds)),
          mistakes == rounds ? 1 : widened_up(upper_expected(t, s, log_odds))};
}

ErrorBounds kept_out_error(std::uint64_t rows, std::uint64_t errors, double confidence, double choices) {
  if (rows == 0) return {};
  const double n = static_cast<double>(rows), k = static_cast<double>(errors);
  const double log_d = elementary::log(half_of_rest(confidence)) - elementary::log(choices);
  return {errors == 0 ? 0 : widened_down(lower_kept_out(n, k, log_d)),
          errors == rows ? 1 : widened_up(upper_kept_out(n, k, log_d))};
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
