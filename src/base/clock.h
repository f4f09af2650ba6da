// The monotonic clock shared by time limits and time reports.
#pragma once

#include <chrono>

namespace halfspace {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace halfspace
