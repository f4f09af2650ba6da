// Distributes ranges by a counter.
#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

thread_local bool one_thread = false;

}  // namespace

OneThread::OneThread() : before_(one_thread) { one_thread = true; }
OneThread::~OneThread() { one_thread = before_; }

std::size_t processors() {
  cpu_set_t bound;
  if (sched_getaffinity(0, sizeof bound, &bound) == 0) return static_cast<std::size_t>(CPU_COUNT(&bound));
  return std::max(1u, std::thread::hardware_concurrency());  // more than fit a cpu_set_t
}

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::input_output, "cannot start a thread: " + error.code().message())
        .fix("end other programs, or raise the limits on threads (ulimit -u) and memory");
  }
}

void on_threads(std::size_t threads, const std::function<void()>& work) {
  if (one_thread) threads = 1;
  std::vector<std::thread> helpers;
  try {
    helpers.reserve(threads);
    while (helpers.size() + 1 < threads) helpers.emplace_back(work);
  } catch (const std::exception&) {
    // The system starts no more threads: the existing ones do all the work.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
}

void in_parallel(std::size_t count, std::size_t step, const std::function<void(std::size_t, std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take_part = [&] {
    for (;;) {
      const std::size_t begin = next.fetch_add(step);
      if (begin >= count) return;
      try {
        work(begin, std::min(begin + step, count));
      } catch (...) {
        next = count;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  on_threads(std::min((count + step - 1) / step, processors()), take_part);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace halfspace
