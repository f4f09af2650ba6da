// What a search may take: time, memory, patience.
//
// Long loops ask check(), and whoever is about to make something large asks need(); both throw GaveUp, which the search
// that was given the budget catches: it answers with what it has. Between two checks there is well under a second of work.
//
// Thread-safety: read only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace halfspace::proof {

struct GaveUp {
  bool for_memory = false;
};

struct Budget {
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* interrupt = nullptr;
  std::uint64_t memory = UINT64_MAX;  // bytes of any one thing

  bool passed() const {
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
