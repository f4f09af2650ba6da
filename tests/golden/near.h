// arith=float64: how near is near.
#pragma once

#include <cmath>
#include <string>

#include "golden_case.h"

namespace halfspace::testing {

inline void expect_near(double ours, const Json& golden, const std::string& what) {
  const double wanted = number(golden);
  EXPECT_NEAR(ours, wanted, 1e-14 + 1e-12 * std::abs(wanted)) << what;
}

}  // namespace halfspace::testing
