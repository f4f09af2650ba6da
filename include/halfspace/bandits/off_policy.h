// Estimates of what a policy would have earned, from a log that another policy wrote (off-policy evaluation).
//
// A logged row is (action a, reward r, propensity q): the logger drew a with probability q > 0. For a policy that would
// have drawn a with probability p, decided before the row's reward was seen,
//
//   IPS   (1/n) sum (p/q) r              unbiased; its interval is mean +- z s / sqrt(n)
//   SNIPS sum (p/q) r / sum (p/q)        a little biased, steadier; interval by the delta method
//
// For a policy that learns as it goes the terms are no longer independent, but their differences from the truth are a
// martingale's: unbiasedness stands, and the interval is asymptotic. Cost: O(1) a row.
// Source: Horvitz and Thompson 1952; Swaminathan and Joachims 2015 (self-normalised).
//
// Thread-safety: a value type.
#pragma once

#include <cmath>
#include <cstdint>

namespace halfspace {

struct Interval {
  double value = 0, lower = 0, upper = 0;
};

class OffPolicyEstimate {
 public:
  void add(double policy_probability, double propensity, double reward) {
    const double weight = policy_probability / propensity;
    const double term = weight * reward;
    ++rows_;
    weights_ += weight;
    weight_squares_ += weight * weight;
    terms_ += term;
    term_squares_ += term * term;
    products_ += term * weight;
    largest_ = std::fmax(largest_, weight);
  }

  // Returns the estimate and its interval; `z`: how many standard errors; 1.96 covers 95 % asymptotically. Zeros when
  // there is no row.
  Interval ips(double z = 1.959963984540054) const {
    if (rows_ == 0) return {};
    const double n = static_cast<double>(rows_);
    const double mean = terms_ / n;
    const double variance = rows_ < 2 ? 0.0 : std::fmax(0.0, (term_squares_ - n * mean * mean) / (n - 1));
    const double error = z * std::sqrt(variance / n);
    return {mean, mean - error, mean + error};
  }
  Interval snips(double z = 1.959963984540054) const {
    if (rows_ == 0 || weights_ == 0) return {};
    const double ratio = terms_ / weights_;
    // Sum of (weight (reward - ratio))^2.
    const double squares = term_squares_ - 2 * ratio * products_ + ratio * ratio * weight_squares_;
    const double error = z * std::sqrt(std::fmax(0.0, squares)) / weights_;
    return {ratio, ratio - error, ratio + error};
  }

  std::uint64_t rows() const noexcept { return rows_; }
  double largest_weight() const noexcept { return largest_; }
  // Returns the mean of p/q: near 1 when the propensities are right.
  double mean_weight() const noexcept { return rows_ == 0 ? 0.0 : weights_ / static_cast<double>(rows_); }
  // Rows of an ideal log that say as much: (sum weight)^2 / sum weight^2.
  double effective_rows() const noexcept { return weight_squares_ == 0 ? 0.0 : weights_ * weights_ / weight_squares_; }

 private:
  std::uint64_t rows_ = 0;
  double weights_ = 0, weight_squares_ = 0, terms_ = 0, term_squares_ = 0, products_ = 0, largest_ = 0;
};

}  // namespace halfspace
