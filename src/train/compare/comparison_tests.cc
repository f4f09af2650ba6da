// Tails of distributions by continued fractions, finite sums and one quadrature.
#include "halfspace/detail/train/comparison_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "base/saddle_point.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

constexpr double tie_width = 1e-12;
constexpr double infinite = std::numeric_limits<double>::infinity();

void require(bool holds, const std::string& why, const std::string& fix) {
  if (!holds) throw Error(ErrorKind::usage, why).fix(fix);
}

void require_finite(std::span<const double> values) {
  for (const double value : values)
    require(std::isfinite(value), "a value to test is not finite", "leave out what has no score");
}

// The regularized incomplete beta function I_x(a, b) for x <= (a + 1) / (a + b + 2): Lentz's method on the continued
// fraction of Abramowitz and Stegun 26.5.8. `y` is 1 - x.
double beta_fraction(double a, double b, double x, double y) {
  if (x == 0) return 0;
  const double n = a + b;
  const double front = std::sqrt(b / (2 * std::numbers::pi * a * n)) *
                       elementary::exp(stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) -
                                       deviance(b, n * y));
  double c = 1, d = 1 / (1 - n * x / (a + 1)), value = d;
  for (double m = 1; m < 1'000'000; m += 1) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= c * d;
    const double odd = -(a + m) * (n + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    value *= c * d;
    if (std::abs(c * d - 1) < 0x1p-50) break;
  }
  return front * value;
}

double incomplete_beta(double a, double b, double x, double y) {
  return x <= (a + 1) / (a + b + 2) ? beta_fraction(a, b, x, y) : 1 - beta_fraction(b, a, y, x);
}

double probability(double value) { return std::clamp(value, 0.0, 1.0); }

// P(|T| >= |t|) of Student's distribution.
double student_tails(double t, double freedom) {
  const double square = t * t;
  return probability(incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)));
}

// P(F >= f) of the F distribution.
double f_tail(double f, double first, double second) {
  const double whole = second + first * f;
  return probability(incomplete_beta(second / 2, first / 2, second / whole, first * f / whole));
}

// P(X >= x) of the chi-squared distribution with a whole number of degrees of freedom: a finite sum.
double chi_squared_tail(double x, std::size_t freedom) {
  const double half = x / 2;
  const bool odd = freedom % 2 == 1;
  double sum = odd ? elementary::erfc(std::sqrt(half)) : elementary::exp(-half);
  // Q(a + 1, h) = Q(a, h) + h^a e^-h / Gamma(a + 1)
  double term = odd ? std::sqrt(half / std::numbers::pi) * 2 * elementary::exp(-half) : half * elementary::exp(-half);
  for (std::size_t k = odd ? 1 : 2; k < freedom; k += 2) {
    sum += term;
    term *= half / (static_cast<double>(k) / 2 + 1);
  }
  return probability(sum);
}

double normal_tails(double z) { return probability(elementary::erfc(std::abs(z) / std::numbers::sqrt2)); }

// Calls group(first, last) for each run of `order` whose values, which ascend, are ties.
template <class Values, class Group>
void each_tie(const std::vector<std::size_t>& order, const Values& value, const Group& group) {
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && value(order[last]) - value(order[last - 1]) <= tie_width) ++last;
    group(first, last);
    first = last;
  }
}

std::vector<std::size_t> positions(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Returns the ranks, 1 for the lowest value.
template <class Values>
std::vector<double> ascending_ranks(std::size_t count, const Values& value) {
  std::vector<std::size_t> order = positions(count);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
  std::vector<double> ranks(count);
  each_tie(order, value, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + 1 + last) / 2;
  });
  return ranks;
}

// P(W <= w) over all signs of the ranks. Sums are doubled, so that those of midranks are whole.
double signed_rank_tail(const std::vector<double>& ranks, double w) {
  const auto doubled = [](double rank) { return static_cast<std::size_t>(std::lround(2 * rank)); };
  std::vector<double> share = {1};  // of the signs so far, by their sum
  for (const double rank : ranks) {
    const std::size_t step = doubled(rank);
    share.resize(share.size() + step, 0);
    for (std::size_t sum = share.size(); sum-- > 0;)
      share[sum] = (share[sum] + (sum >= step ? share[sum - step] : 0)) / 2;
  }
  const std::size_t most = std::min(share.size() - 1, doubled(w));
  double tail = 0;
  for (std::size_t sum = 0; sum <= most; ++sum) tail += share[sum];
  return tail;
}

// The range's distribution at q, and its derivative.
struct RangePoint {
  double value, derivative;
};

// k times the integral of phi(z) (Phi(z) - Phi(z - q))^(k - 1): z is the largest of k, the others are within q below.
// The trapezoidal rule on an analytic integrand that decays like exp(-z^2 / 2) converges faster than any power of the
// step; at 1/32 its error is below that of rounding.
RangePoint range_point(double q, unsigned k) {
  constexpr double step = 1 / 32.0;
  const auto density = [](double z) { return elementary::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
  const auto below = [](double z) { return elementary::erfc(-z / std::numbers::sqrt2) / 2; };
  double value = 0, derivative = 0;
  for (int i = -10 * 32; i <= 10 * 32; ++i) {
    const double z = static_cast<double>(i) * step;
    const double within = z > 0 ? below(-(z - q)) - below(-z) : below(z) - below(z - q);
    const double rest = elementary::pow(within, static_cast<double>(k) - 2);
    value += density(z) * rest * within;
    derivative += density(z) * rest * density(z - q);
  }
  const double count = k;
  return {count * step * value, count * (count - 1) * step * derivative};
}

void check_sizes(unsigned k, std::size_t n) {
  require(k >= 2, "a comparison needs two competitors", "give another");
  require(n >= 2, "a test over data sets needs two of them", "give another");
}

double standard_error_of_ranks(unsigned k, std::size_t n) {
  return std::sqrt(static_cast<double>(k) * (static_cast<double>(k) + 1) / (6 * static_cast<double>(n)));
}

}  // namespace

TestResult mcnemar_exact(std::uint64_t b, std::uint64_t c) {
  const std::uint64_t fewer = std::min(b, c);
  if (b == c) return {static_cast<double>(fewer), 1};
  // P(X <= fewer) for X binomial of b + c and 1/2.
  const double tail = incomplete_beta(static_cast<double>(std::max(b, c)), static_cast<double>(fewer) + 1, 0.5, 0.5);
  return {static_cast<double>(fewer), probability(2 * tail)};
}

TestResult corrected_resampled_t(std::span<const double> differences, double test_share) {
  require(differences.size() >= 2, "a t test needs two differences", "give more folds");
  require(test_share >= 0 && std::isfinite(test_share), "the ratio of test rows to training rows is negative",
          "give 1 / (folds - 1)");
  require_finite(differences);
  const double n = static_cast<double>(differences.size());
  double mean = 0, squares = 0;
  for (const double d : differences) mean += d / n;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  if (*most - *least <= tie_width) {
    if (std::abs(*most) <= tie_width) return {};
    return {*most > 0 ? infinite : -infinite, 0};
  }
  const double t = mean / std::sqrt((1 / n + static_cast<double>(test_share)) * squares / (n - 1));
  return {t, student_tails(t, n - 1)};
}

TestResult wilcoxon_signed_rank(std::span<const double> differences) {
  require_finite(differences);
  constexpr std::size_t most_exact = 200;
  std::vector<double> others;
  for (const double d : differences) {
    if (std::abs(d) > tie_width) others.push_back(d);
  }
  if (others.empty()) return {};
  const std::vector<double> ranks = ascending_ranks(others.size(), [&](std::size_t i) { return std::abs(others[i]); });
  double up = 0, down = 0;
  for (std::size_t i = 0; i < others.size(); ++i) (others[i] > 0 ? up : down) += ranks[i];
  const double smaller = std::min(up, down);
  if (others.size() <= most_exact) return {smaller, std::min(1.0, 2 * signed_rank_tail(ranks, smaller))};
  double squares = 0;  // of the ranks: ties make them fewer
  for (const double rank : ranks) squares += static_cast<double>(rank) * rank;
  return {smaller, normal_tails((smaller - (up + down) / 2) / (std::sqrt(squares) / 2))};
}

std::vector<double> average_ranks(std::span<const double> scores) {
  require_finite(scores);
  return ascending_ranks(scores.size(), [&](std::size_t i) { return -scores[i]; });
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order = positions(p_values.size());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, static_cast<double>(order.size() - i) * p_values[order[i]]));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

FriedmanTest friedman(std::span<const std::vector<double>> scores) {
  const std::size_t sets = scores.size(), competitors = sets == 0 ? 0 : scores[0].size();
  check_sizes(static_cast<unsigned>(competitors), sets);
  const double n = static_cast<double>(sets), k = static_cast<double>(competitors);
  std::vector<double> sums(competitors, 0);
  double spread = 0;  // squared distances of all ranks from their mean
  for (const std::vector<double>& row : scores) {
    require(row.size() == competitors, "data sets have different numbers of scores", "give each competitor's on each");
    const std::vector<double> ranks = average_ranks(row);
    for (std::size_t j = 0; j < competitors; ++j) {
      sums[j] += ranks[j];
      spread += (ranks[j] - (k + 1) / 2) * (ranks[j] - (k + 1) / 2);
    }
  }
  FriedmanTest test;
  double between = 0;  // of the mean ranks
  for (const double sum : sums) {
    test.mean_ranks.push_back(sum / n);
    between += (sum / n - (k + 1) / 2) * (sum / n - (k + 1) / 2);
  }
  if (spread == 0) return test;  // nothing but ties
  const double chi_squared = (k - 1) * n * n * between / spread;
  const double left = n * (k - 1) - chi_squared;
  test.chi_squared = chi_squared;
  test.chi_squared_p = chi_squared_tail(chi_squared, competitors - 1);
  double orders = 0;  // the logarithm of their number
  for (double i = 2; i <= k; i += 1) orders += elementary::log(i);
  const double agree = elementary::exp(-(n - 1) * orders);
  if (left <= n * k * 0x1p-50) {
    test.f = infinite;
    test.p_value = probability(agree);
  } else {
    const double f = (n - 1) * chi_squared / left;
    test.f = f;
    test.p_value = std::max(f_tail(f, k - 1, (k - 1) * (n - 1)), probability(agree));
  }
  return test;
}

double studentized_range(double q, unsigned k) {
  require(k >= 2, "a range needs two values", "give more");
  require(!std::isnan(q), "a range is not a number", "give a number");
  if (!(q > 0)) return 0;
  return std::isinf(q) ? 1 : probability(range_point(q, k).value);
}

double studentized_range_quantile(double probability, unsigned k) {
  require(k >= 2, "a range needs two values", "give more");
  require(probability > 0 && probability < 1, "a probability of a quantile is within 0 and 1", "give 0.95");
  // Newton's steps, by bisection where they leave the bracket.
  double low = 0, high = 1;
  while (high < 64 && range_point(high, k).value < probability) high *= 2;
  double q = (low + high) / 2;
  for (int step = 0; step < 100; ++step) {
    const RangePoint at = range_point(q, k);
    (at.value < probability ? low : high) = q;
    double next = q - (at.value - probability) / at.derivative;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - q) <= q * 0x1p-48) return next;
    q = next;
  }
  return q;
}

double nemenyi_critical_difference(unsigned k, std::size_t n, double confidence) {
  check_sizes(k, n);
  const double q = studentized_range_quantile(confidence, k);
  return static_cast<double>(q / std::numbers::sqrt2 * standard_error_of_ranks(k, n));
}

double nemenyi_p_value(double rank_difference, unsigned k, std::size_t n) {
  check_sizes(k, n);
  require_finite({&rank_difference, 1});
  const double q = std::abs(static_cast<double>(rank_difference)) * std::numbers::sqrt2 / standard_error_of_ranks(k, n);
  return 1 - studentized_range(q, k);
}

}  // namespace halfspace
