// Estimates the value of a policy from a log that another policy wrote (off-policy evaluation).
//
// A logged row is (action a, reward r, propensity q): the logger drew a with probability q > 0. For a policy that would
// have drawn a with probability p, decided before it saw the row's reward,
//
//   IPS   (1/n) sum (p/q) r              unbiased; its interval is mean +- z s / sqrt(n)
//   SNIPS sum (p/q) r / sum (p/q)        a little biased, steadier; interval by the delta method
//
// Rewards are in [0, 1], and so is the value of every policy: an interval is clipped to [0, 1], which keeps its
// coverage. If all rewards are equal, their spread is 0 and proves nothing (no click in 20 rows does not prove a rate
// of 0): then the interval is Wilson's, for the effective number of rows; a reward in [0, 1] varies no more than a
// click of the same mean. Without any weight the interval is [0, 1].
//
// For a policy that learns from the log the terms are dependent, but their differences from the truth are a
// martingale's: the estimate stays unbiased, and the interval is asymptotic. Cost: O(1) a row.
// Source: Horvitz and Thompson 1952; Swaminathan and Joachims 2015 (self-normalised); Wilson 1927.
//
// Thread-safety: a value type.
#pragma once

#include <algorithm>
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

  // Returns the estimate and its interval; `z`: the number of standard errors; 1.96 covers 95 % asymptotically. An
  // unbiased estimate may be above 1, and is then outside of its interval.
  Interval ips(double z = 1.959963984540054) const {
    if (rows_ == 0) return {0, 0, 1};
    const double n = static_cast<double>(rows_);
    const double mean = terms_ / n;
    const double variance = rows_ < 2 ? 0.0 : (term_squares_ - n * mean * mean) / (n - 1);
    return interval(mean, variance / n, term_squares_ / n, z);
  }
  Interval snips(double z = 1.959963984540054) const {
    if (rows_ == 0 || weights_ == 0) return {0, 0, 1};
    const double ratio = terms_ / weights_;
    // Sum of (weight (reward - ratio))^2.
    const double squares = term_squares_ - 2 * ratio * products_ + ratio * ratio * weight_squares_;
    const double total = weights_ * weights_;
    return interval(ratio, squares / total, term_squares_ / total, z);
  }

  // Describes the state to an archive (base/fields/archive.h).
  template <class Self, class Archive, class Check>
  static void fields(Self& self, Archive& archive, const Check& check) {
    archive.value("rounds", self.rows_, [](std::uint64_t) { return ""; });
    for (auto* const sum :
         {&self.weights_, &self.weight_squares_, &self.terms_, &self.term_squares_, &self.products_, &self.largest_})
      archive.value("sum", *sum, check);
  }

  std::uint64_t rows() const noexcept { return rows_; }
  double largest_weight() const noexcept { return largest_; }
  // Returns the mean of p/q: near 1 if the propensities are right.
  double mean_weight() const noexcept { return rows_ == 0 ? 0.0 : weights_ / static_cast<double>(rows_); }
  // Returns the effective number of rows: (sum weight)^2 / sum weight^2.
  double effective_rows() const noexcept { return weight_squares_ == 0 ? 0.0 : weights_ * weights_ / weight_squares_; }

 private:
  // `squares`: the sum whose small difference the error was; below its rounding error the error is 0.
  Interval interval(double value, double error_squared, double squares, double z) const {
    if (!(error_squared > squares * 0x1p-40)) return of_equal_rewards(value, z);
    const double error = z * std::sqrt(error_squared);
    return {value, std::clamp(value - error, 0.0, 1.0), std::clamp(value + error, 0.0, 1.0)};
  }
  // Returns Wilson's score interval: all p with |value - p| <= z sqrt(p (1 - p) / n).
  Interval of_equal_rewards(double value, double z) const {
    const double n = effective_rows();
    if (n == 0) return {value, 0, 1};
    const double rate = std::clamp(value, 0.0, 1.0), share = z * z / n;
    const double middle = (rate + share / 2) / (1 + share);
    const double reach = std::sqrt(share * (rate * (1 - rate) + share / 4)) / (1 + share);
    return {value, std::clamp(middle - reach, 0.0, rate), std::clamp(middle + reach, rate, 1.0)};
  }

  std::uint64_t rows_ = 0;
  double weights_ = 0, weight_squares_ = 0, terms_ = 0, term_squares_ = 0, products_ = 0, largest_ = 0;
};

}  // namespace halfspace
