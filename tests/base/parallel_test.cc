// Ranges of work on many threads.
#include "base/parallel.h"

#include <sched.h>

#include <atomic>
#include <thread>

#include "support/test.h"

namespace halfspace {
namespace {

TEST(Processors, ThoseTheProcessIsBoundTo) {
  EXPECT_GE(processors(), 1u);
  std::thread([] {  // a thread is bound alone
    cpu_set_t bound;
    ASSERT_EQ(sched_getaffinity(0, sizeof bound, &bound), 0);
    int one = 0;
    while (!CPU_ISSET(one, &bound)) ++one;
    CPU_ZERO(&bound);
    CPU_SET(one, &bound);
    ASSERT_EQ(sched_setaffinity(0, sizeof bound, &bound), 0);
    EXPECT_EQ(processors(), 1u);
  })
      .join();
}

TEST(InParallel, EveryPartOnce) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 1000}) {
    for (const std::size_t step : {1, 8}) {
      std::vector<std::atomic<int>> times(count);
      in_parallel(count, step, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        EXPECT_LE(end - begin, step);
        for (std::size_t i = begin; i < end; ++i) ++times[i];
      });
      for (const auto& t : times) EXPECT_EQ(t, 1);
    }
  }
}

TEST(InParallel, AnExceptionPassesThrough) {
  EXPECT_THROW(in_parallel(100, 3,
                           [](std::size_t begin, std::size_t end) {
                             if (begin <= 50 && 50 < end) throw std::runtime_error("50");
                           }),
               std::runtime_error);
}

}  // namespace
}  // namespace halfspace
