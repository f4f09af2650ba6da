// The values that a number may have, described once: validates hyper-parameters and numbers of model files, and words
// the error.
//
// Thread-safety: value type.
#pragma once

#include <cmath>
#include <limits>
#include <string>

namespace halfspace {

struct Domain {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool above = false;  // `least` itself is outside
  bool below = false;  // `most` itself is outside
  bool whole = false;

  constexpr bool bounded_above() const { return most < std::numeric_limits<double>::max(); }
  bool holds(double value) const {
    return value >= least && value <= most && !(above && value == least) && !(below && value == most) &&
           (!whole || value == std::floor(value));
  }
  // Returns "must be a positive number", for the option whose value is outside.
  std::string demand() const;
  // Returns "-1 is not a positive number", for a field of a file; empty for a value that holds.
  std::string problem(double value) const;
};

namespace domain {

inline constexpr Domain finite{};
inline constexpr Domain positive{.least = 0, .above = true};
inline constexpr Domain not_negative{.least = 0};
inline constexpr Domain above_one{.least = 1, .above = true};
inline constexpr Domain between_0_and_1{.least = 0, .most = 1, .above = true, .below = true};
constexpr Domain count(double least, double most = 0x1.0p53) {
  return {.least = least, .most = most, .whole = true};
}

}  // namespace domain
}  // namespace halfspace
