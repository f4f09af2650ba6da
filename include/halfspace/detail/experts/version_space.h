// The experts that have never been wrong.
//
// Thread-safety: a value type. Memory: one byte an expert.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halfspace/experts/advice.h"

namespace halfspace {

class VersionSpace {
 public:
  explicit VersionSpace(std::size_t experts) : alive_(experts, 1), count_(experts) {}

  bool contains(std::size_t expert) const noexcept { return alive_[expert] != 0; }
  std::size_t count() const noexcept { return count_; }
  std::size_t experts() const noexcept { return alive_.size(); }

  // Drops every expert that is awake and wrong.
  void reveal(Advice advice, int outcome) {
    ++rounds_;
    const bool before = count_ > 0;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (alive_[i] != 0 && awake(advice[i]) && label_of(advice[i]) != outcome) {
        alive_[i] = 0;
        --count_;
      }
    }
    if (before && count_ == 0) emptied_ = rounds_;
  }

  // Returns the round (1-based) whose outcome left no expert, or 0: every bound for a perfect expert held until the
  // round before.
  std::uint64_t emptied() const noexcept { return emptied_; }

 private:
  std::vector<std::uint8_t> alive_;
  std::size_t count_;
  std::uint64_t rounds_ = 0, emptied_ = 0;
};

}  // namespace halfspace
