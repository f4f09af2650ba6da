// What libstdc++ 12 and SQLite ask of glibc, and one of version 2.28 does not have. Linked by cmake/portable.cmake alone.
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#include <cstdint>
#include <cstdlib>

#include "halfspace/detail/base/elementary.h"

#pragma GCC visibility push(hidden)
extern "C" {

// Since glibc 2.32: not 0 while a process has one thread, whose counts of references then need no atomic operations.
extern const char __libc_single_threaded = 0;

// Since glibc 2.29: a log that leaves errno alone. SQLite ranks the finds of its full-text search by it.
double log(double value) noexcept { return halfspace::elementary::log(value); }

// Since glibc 2.30. A jump of the other clock moves the wait's end; std::condition_variable then asks its own clock.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  constexpr long second = 1'000'000'000;
  timespec now{}, until{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += end->tv_sec - now.tv_sec;
  until.tv_nsec += end->tv_nsec - now.tv_nsec;
  until.tv_sec += until.tv_nsec < 0 ? -1 : until.tv_nsec / second;
  until.tv_nsec = (until.tv_nsec + second) % second;
  return pthread_cond_timedwait(condition, mutex, &until);
}

// Since glibc 2.36. std::random_device draws by it.
std::uint32_t arc4random() noexcept {
  std::uint32_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) std::abort();
  return drawn;
}
}
#pragma GCC visibility pop
