// The values that a number may have: validates hyper-parameters and fields of model files, and writes the error
// messages.
#pragma once

#include <cmath>
#include <limits>
#include <string>

namespace halfspace {

struct Domain {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool above = false;  // excludes `least` itself
  bool below = false;  // excludes `most` itself
  bool whole = false;

  constexpr bool bounded_above() const { return most < std::numeric_limits<double>::max(); }
  bool holds(double value) const {
    return value >= least && value <= most && !(above && value == least) && !(below && value == most) &&
           (!whole || value == std::floor(value));
  }
  // Returns "must be a positive number", for the error about an option.
  std::string demand() const;
  // Returns "-1 is not a positive number", for the error about a field; empty for a value inside.
  std::string problem(double value) const;
};

namespace domain {

inline constexpr Domain finite{};
inline constexpr Domain positive{.least = 0, .above = true};
inline constexpr Domain not_negative{.least = 0};
inline constexpr Domain above_one{.least = 1, .above = true};
inline constexpr Domain between_0_and_1{.least = 0, .most = 1, .above = true, .below = true};
constexpr Domain count(double least, double most = 0x1.0p53) { return {.least = least, .most = most, .whole = true}; }

}  // namespace domain
}  // namespace halfspace
