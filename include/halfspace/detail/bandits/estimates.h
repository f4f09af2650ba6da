// The common part of the exponential-weights bandits: a total of estimates for each arm, and the draw.
//
// Thread-safety: a value type. Memory: two doubles an arm; no allocation in a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/play.h"
#include "halfspace/detail/base/softmax.h"

namespace halfspace {

class Estimates {
 public:
  explicit Estimates(std::size_t arms) : total_(arms), p_(arms) {}

  std::size_t arms() const noexcept { return total_.size(); }
  std::span<const double> totals() const noexcept { return total_; }
  std::uint64_t rounds() const noexcept { return rounds_; }  // begun
  std::span<const double> last_distribution() const noexcept { return p_; }

  // Restores a state; `totals` has one entry an arm.
  void restore(std::span<const double> totals, std::uint64_t rounds) {
    std::copy(totals.begin(), totals.end(), total_.begin());
    rounds_ = rounds;
  }

  // Returns p = (1 - mixing) softmax(rate * totals) + mixing / K.
  std::span<const double> distribution(double rate, double mixing = 0) {
    softmax(total_, rate, p_);
    if (mixing > 0) {
      for (double& p : p_) p = (1 - mixing) * p + mixing / static_cast<double>(p_.size());
    }
    return p_;
  }

  // Draws from the last distribution().
  Play begin_round(double u) {
    const std::size_t arm = pick(u, p_);
    return {static_cast<std::uint32_t>(arm), p_[arm], ++rounds_};
  }

  Play begin_round_with(std::uint32_t arm, double probability) { return {arm, probability, ++rounds_}; }

  void add(std::size_t arm, double estimate) { total_[arm] += estimate; }

 private:
  std::vector<double> total_, p_;
  std::uint64_t rounds_ = 0;
};

// A player of this kind: draws from its own distribution(), and its state is the estimates.
template <class Player>
class EstimatesPlayer {
 public:
  explicit EstimatesPlayer(std::size_t arms) : estimates_(arms) {}

  Play play(double u) {
    static_cast<Player&>(*this).distribution();
    return estimates_.begin_round(u);
  }
  std::span<const double> last_distribution() const noexcept { return estimates_.last_distribution(); }
  std::span<const double> totals() const noexcept { return estimates_.totals(); }
  std::uint64_t rounds() const noexcept { return estimates_.rounds(); }
  void restore(std::span<const double> totals, std::uint64_t rounds) { estimates_.restore(totals, rounds); }

 protected:
  Estimates estimates_;
};

}  // namespace halfspace
