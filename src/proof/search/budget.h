// The limits of a search: time, memory, interruption.
//
// Long loops call check(), and large allocations call need() first; both throw GaveUp. The search that owns the budget
// catches it and returns what it has. Less than a second of work lies between two checks, so that a program may give
// signs of life in `on_check`; what it throws ends the search.
//
// Thread-safety: read only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace halfspace::proof {

struct GaveUp {
  bool for_memory = false;
};

struct Budget {
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* interrupt = nullptr;
  std::uint64_t memory = UINT64_MAX;  // bytes of one allocation
  const std::function<void()>* on_check = nullptr;

  bool passed() const {
    if (on_check != nullptr) (*on_check)();
    return (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) ||
           (end != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= end);
  }
  void check() const {
    if (passed()) throw GaveUp{};
  }
  void need(std::uint64_t bytes) const {
    if (bytes > memory) throw GaveUp{.for_memory = true};
  }
};

inline const Budget unlimited{};

}  // namespace halfspace::proof
