// One work on many parts, by as many threads as the process may run at once.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

namespace halfspace {

// Returns how many threads the process may run at once, at least 1: the processors it is bound to, which may be fewer
// than the machine has.
std::size_t processors();

// Starts a thread. Throws Error(input_output) where the system gives none.
std::thread start_thread(std::function<void()> work);

// Calls `work` on so many threads at once, the caller's among them, or on fewer where the system gives no more; returns
// when all have come to rest. `work` throws nothing.
void on_threads(std::size_t threads, const std::function<void()>& work);

// Calls work(begin, end) on ranges of at most `step` that cover [0, count), each once, in any order and on many threads
// at once, the caller's among them. A thread is started only for a range that is left. The first exception passes
// through when all have come to rest; ranges not yet begun are then left out.
void in_parallel(std::size_t count, std::size_t step, const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace halfspace
