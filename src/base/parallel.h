// Runs work on as many threads as the process may use.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

namespace halfspace {

// Returns the number of threads the process may run in parallel, at least 1: the processors it is bound to, which may
// be fewer than the machine has.
std::size_t processors();

// Starts a thread. Throws Error(input_output) if the system cannot start one.
std::thread start_thread(std::function<void()> work);

// Calls `work` on `threads` threads, including the caller's, or on fewer if the system starts no more; returns when all
// have finished. `work` throws nothing.
void on_threads(std::size_t threads, const std::function<void()>& work);

// Calls work(begin, end) on ranges of at most `step` that cover [0, count), each once, in any order and on many threads
// in parallel, including the caller's. Starts a thread only for a remaining range. Rethrows the first exception when
// all threads have finished; ranges not yet begun are then skipped.
void in_parallel(std::size_t count, std::size_t step, const std::function<void(std::size_t, std::size_t)>& work);

// While it exists, in_parallel() and on_threads() called from this thread start no others: for work that is one of many
// parts already.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  bool before_;
};

}  // namespace halfspace
