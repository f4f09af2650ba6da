// Series in fixed point.
//
// Errors in units of 2^-128. log_of_ratio: 2 atanh(z) with z <= 1/3, whose powers fall by 9: at most 41 terms, each off by
// less than 3, and a remainder below 1. exponential: the series at r / 2^8 < 2^-8 has at most 14 terms, off by less than 2
// each; each of 8 squarings doubles the error and adds 1, which makes less than 2^14; k * ln 2 for k < 2^8 is off by less
// than 2^15. logarithm: ln 2 times at most 128. Rounding m moves the loss by at most 1, as its slope is at most 1; rounding
// p moves H by at most H(2^-128) < 2^7 units, as H is concave and H(0) = 0; likewise a part of it. softmax_loss: the sum
// of exponentials, of which one is 1, is off by less than 2^15 for each, and its logarithm by 2^18 more.
#include "proof/verify/logarithm.h"

#include <algorithm>

namespace halfspace::proof {
namespace {

const mpz_class& unity() {
  static const mpz_class number = mpz_class(1) << fixed_bits;
  return number;
}

mpz_class product(const mpz_class& a, const mpz_class& b) {
  mpz_class result = a * b;
  mpz_fdiv_q_2exp(result.get_mpz_t(), result.get_mpz_t(), fixed_bits);
  return result;
}

// Returns ln(a / b) for b <= a <= 2 b.
mpz_class log_of_ratio(const mpz_class& a, const mpz_class& b) {
  mpz_class power = fixed(a - b, a + b), sum = power;
  const mpz_class square = product(power, power);
  for (unsigned long k = 3; sgn(power) != 0; k += 2) {
    power = product(power, square);
    sum += power / k;
  }
  return 2 * sum;
}

const mpz_class& log_of_two() {
  static const mpz_class number = log_of_ratio(2, 1);
  return number;
}

// Returns e^-x for x >= 0.
mpz_class exponential(const mpz_class& x) {
  constexpr unsigned long most = 128, halvings = 8;
  if (x >= most * unity()) return 0;  // below 2^-184
  const mpz_class k = x / log_of_two();
  mpz_class small = x - k * log_of_two();
  mpz_fdiv_q_2exp(small.get_mpz_t(), small.get_mpz_t(), halvings);
  mpz_class sum = unity(), term = unity();
  for (unsigned long n = 1; sgn(term) != 0; ++n) {
    term = product(term, small) / n;
    if (n % 2 == 0) {
      sum += term;
    } else {
      sum -= term;
    }
  }
  for (unsigned long i = 0; i < halvings; ++i) sum = product(sum, sum);
  return sum >> k.get_ui();
}

// Returns -ln p for p > 0.
mpz_class minus_logarithm(const mpz_class& p) {
  const auto bits = static_cast<unsigned long>(mpz_sizeinbase(p.get_mpz_t(), 2));  // p is in [2^(bits - 1), 2^bits)
  const mpz_class above = mpz_class(1) << bits;
  const mpz_class doublings = mpz_class(fixed_bits) - mpz_class(bits);
  return doublings * log_of_two() + log_of_ratio(above, p);
}

}  // namespace

mpz_class fixed(const mpz_class& numerator, const mpz_class& denominator) {
  mpz_class result = numerator << fixed_bits;
  mpz_fdiv_q(result.get_mpz_t(), result.get_mpz_t(), denominator.get_mpz_t());
  return result;
}

mpz_class logistic_loss(const mpz_class& margin) {
  const mpz_class tail = log_of_ratio(unity() + exponential(abs(margin)), unity());
  return sgn(margin) < 0 ? mpz_class(tail - margin) : tail;
}

mpz_class softmax_loss(std::span<const mpz_class> scores, std::size_t own) {
  const mpz_class& largest = *std::max_element(scores.begin(), scores.end());
  mpz_class sum;
  for (const mpz_class& score : scores) sum += exponential(largest - score);
  return largest - scores[own] - minus_logarithm(sum);
}

mpz_class entropy_part(const mpz_class& share) {
  return sgn(share) == 0 || share == unity() ? mpz_class(0) : product(share, minus_logarithm(share));
}

mpz_class binary_entropy(const mpz_class& share) {
  const mpz_class rest = unity() - share;
  return entropy_part(share) + entropy_part(rest);
}

}  // namespace halfspace::proof
