// The advice of an expert that gives none.
#pragma once

#include <limits>

namespace halfspace {

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace halfspace
