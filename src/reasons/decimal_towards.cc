// Rounds decimals to one side, and compares them exactly.
#include "reasons/decimal_towards.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/number_words.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace::reasons {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double value_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

bool beyond_doubles(const mpq_class& number) { return abs(number) > mpq_class(std::numeric_limits<double>::max()); }

double decimal_towards(const mpq_class& number, bool up, int digits) {
  if (beyond_doubles(number)) return number > 0 ? infinity : -infinity;
  double near = number.get_d();  // towards 0
  while (up ? mpq_class(near) < number : mpq_class(near) > number) {
    near = std::nextafter(near, up ? infinity : -infinity);
    if (!std::isfinite(near)) return near;
  }
  const double decimal = value_of(up ? rounded_up(near, digits) : rounded_down(near, digits));
  const bool right = std::isfinite(decimal) && (up ? mpq_class(decimal) >= number : mpq_class(decimal) <= number);
  return right ? decimal : near;
}

double decimal_beyond(const mpq_class& number, bool up, int digits, double distance) {
  const double near = decimal_towards(number, up, digits);
  if (!std::isfinite(near)) return near;
  const double size = distance == 0 && near == 0 ? 1.0 : std::max(std::abs(near), std::min(std::abs(distance), 1.0));
  const double step = size * elementary::power_of_ten(1 - digits);
  return decimal_towards(mpq_class(near) + (up ? mpq_class(step) : mpq_class(-step)), up, digits);
}

double root_down(const mpq_class& number, int digits) {
  mpq_class part = number;
  mp_bitcnt_t power = 0;  // of two, taken out of the root
  for (; beyond_doubles(part); power += 512) mpq_div_2exp(part.get_mpq_t(), part.get_mpq_t(), 1024);
  double root = std::sqrt(part.get_d());
  while (root > 0 && mpq_class(root) * mpq_class(root) > part) root = std::nextafter(root, 0.0);
  mpq_class whole(root);
  mpq_mul_2exp(whole.get_mpq_t(), whole.get_mpq_t(), power);
  return decimal_towards(whole, false, digits);
}

}  // namespace halfspace::reasons
