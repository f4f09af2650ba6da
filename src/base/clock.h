// The monotonic clock shared by time limits and time reports, the time of day, and the processor time of a thread.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace halfspace {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Returns the milliseconds since 1970 by the system's clock, which may be set.
inline std::uint64_t milliseconds_since_1970() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
}

// Returns the processor time that the calling thread has used, in seconds: other programs do not count.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace halfspace
