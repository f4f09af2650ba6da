// Checks for the fields of a model file: functions of a value that return what is wrong with it, or an empty string.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "base/fields/archive.h"

namespace halfspace::fields {

inline std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
template <std::integral Whole>
std::string shown(Whole value) {
  return std::to_string(value);
}

struct Finite {
  static bool holds(double value) { return std::isfinite(value); }
  std::string operator()(double value) const { return holds(value) ? std::string() : shown(value) + " is not finite"; }
};
inline constexpr Finite finite;
inline constexpr auto positive = [](double value) {
  return std::isfinite(value) && value > 0 ? std::string() : shown(value) + " is not a positive number";
};
struct NotNegative {
  static bool holds(double value) { return value >= 0 && value <= std::numeric_limits<double>::max(); }
  std::string operator()(double value) const {
    return holds(value) ? std::string() : shown(value) + " is not a number of at least 0";
  }
};
inline constexpr NotNegative not_negative;
// Checks a sum that may overflow to infinity.
inline constexpr auto sum_of_positives = [](double value) {
  return value >= 0 ? std::string() : shown(value) + " is not a sum of non-negative terms";
};
// Checks a count that is stored as a double.
inline auto count_in(double least, double most) {
  return [=](double value) {
    if (value >= least && value <= most && value == std::floor(value)) return std::string();
    return shown(value) + " is not a count from " + shown(least) + " to " + shown(most);
  };
}
inline auto at_most(std::uint64_t most, const char* what) {
  return [=](std::uint64_t value) {
    return value <= most ? std::string() : shown(value) + " is more than " + what + " (" + shown(most) + ")";
  };
}
inline auto exactly(std::uint64_t expected, const char* why) {
  return [=](std::uint64_t value) {
    return value == expected ? std::string() : shown(value) + " where " + why + " asks for " + shown(expected);
  };
}

inline constexpr auto at_least_one = [](std::uint64_t count) {
  return count > 0 ? std::string() : std::string("there must be at least one");
};

}  // namespace halfspace::fields
