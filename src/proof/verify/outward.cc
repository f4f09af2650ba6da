// Rounds rationals outward by integer division.
#include "proof/verify/outward.h"

#include <cmath>
#include <limits>

namespace halfspace::proof {
namespace {

constexpr double beyond_doubles = std::numeric_limits<double>::infinity();

mpz_class power_of(unsigned long base, long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), base, static_cast<unsigned long>(exponent));
  return power;
}

mpz_class quotient(const mpz_class& dividend, const mpz_class& divisor, bool up) {
  mpz_class result;
  if (up) {
    mpz_cdiv_q(result.get_mpz_t(), dividend.get_mpz_t(), divisor.get_mpz_t());
  } else {
    mpz_fdiv_q(result.get_mpz_t(), dividend.get_mpz_t(), divisor.get_mpz_t());
  }
  return result;
}

// Returns number * 10^shift, rounded to an integer.
mpz_class shifted(const mpq_class& number, long shift, bool up) {
  const mpz_class power = power_of(10, std::labs(shift));
  return shift >= 0 ? quotient(number.get_num() * power, number.get_den(), up)
                    : quotient(number.get_num(), number.get_den() * power, up);
}

// Writes digits * 10^exponent, the digits without trailing zeros.
std::string written(std::string digits, long exponent) {
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const long size = static_cast<long>(digits.size()), point = size + exponent;  // digits before the point
  constexpr long most_before = 21, most_zeros = 4;
  if (point > most_before || point < -most_zeros) {
    const std::string fraction = size > 1 ? "." + digits.substr(1) : "";
    return digits.substr(0, 1) + fraction + "e" + (point > 0 ? "+" : "") + std::to_string(point - 1);
  }
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
  return digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
}

// Of a number above 0.
std::string positive_decimal(const mpq_class& number, int digits, bool up) {
  const auto length = [](const mpz_class& whole) { return static_cast<long>(mpz_sizeinbase(whole.get_mpz_t(), 10)); };
  // Estimates the position of the first digit, and corrects it: the rounded integer must have `digits` digits.
  long shift = digits - (length(number.get_num()) - length(number.get_den()));
  const mpz_class most = power_of(10, digits), least = power_of(10, digits - 1);
  mpz_class whole = shifted(number, shift, up);
  for (; whole < least; ++shift) whole = shifted(number, shift + 1, up);
  for (; whole > most; --shift) whole = shifted(number, shift - 1, up);
  return written(whole.get_str(), -shift);
}

std::string rounded_decimal(const mpq_class& number, int digits, bool up) {
  if (number == 0) return "0";
  if (number < 0) return "-" + positive_decimal(mpq_class(-number), digits, !up);
  return positive_decimal(number, digits, up);
}

}  // namespace

std::string decimal_above(const mpq_class& number, int digits) { return rounded_decimal(number, digits, true); }

std::string decimal_below(const mpq_class& number, int digits) { return rounded_decimal(number, digits, false); }

double double_above(const mpq_class& number) {
  const double near = number.get_d();  // rounded to 0
  if (!std::isfinite(near)) return number < 0 ? std::numeric_limits<double>::lowest() : beyond_doubles;
  return mpq_class(near) < number ? std::nextafter(near, beyond_doubles) : near;
}

double double_below(const mpq_class& number) { return -double_above(mpq_class(-number)); }

mpq_class root_above(const mpq_class& square) {
  if (square <= 0) return 0;
  // Of square * 4^shift, an integer of about 200 bits.
  const auto bits = [](const mpz_class& whole) { return static_cast<long>(mpz_sizeinbase(whole.get_mpz_t(), 2)); };
  const long shift = (200 - bits(square.get_num()) + bits(square.get_den())) / 2;
  const mpz_class power = power_of(2, std::labs(shift));
  const mpz_class scale = power * power;
  const mpz_class whole = shift >= 0 ? quotient(square.get_num() * scale, square.get_den(), true)
                                     : quotient(square.get_num(), square.get_den() * scale, true);
  mpz_class root;
  mpz_sqrt(root.get_mpz_t(), whole.get_mpz_t());
  if (root * root < whole) ++root;
  mpq_class result = shift >= 0 ? mpq_class(root, power) : mpq_class(root * power);
  result.canonicalize();
  return result;
}

}  // namespace halfspace::proof
