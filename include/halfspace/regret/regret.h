// The ledger of regret: the player's loss, the loss of each choice, and the best choice in hindsight.
//
//   RegretLedger ledger(2);
//   const std::vector<double> losses{0.0, 1.0};  // NaN: the choice slept, and is not compared with in this round
//   ledger.add(losses, 1.0, 0.5);                // the player drew the second choice, of probability 0.5
//   ledger.regret();                             // what it paid, less what the best choice would have
//
// Thread-safety: a value type; one thread writes. Memory: three numbers a choice.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace halfspace {

class RegretLedger {
 public:
  explicit RegretLedger(std::size_t choices) : loss_(choices), player_(choices), awake_(choices) {}

  // Adds one round: the loss of every choice (NaN: it slept), the player's loss, and its expected loss before its draw
  // (the same for a player that draws nothing).
  void add(std::span<const double> losses, double paid, double expected) {
    ++rounds_;
    paid_ += paid;
    expected_ += expected;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      if (std::isnan(losses[i])) {
        slept_ = true;
        continue;
      }
      loss_[i] += losses[i];
      player_[i] += expected;
      ++awake_[i];
    }
  }

  std::uint64_t rounds() const noexcept { return rounds_; }
  double paid() const noexcept { return paid_; }
  double expected() const noexcept { return expected_; }
  bool slept() const noexcept { return slept_; }  // some choice, in some round
  double loss(std::size_t choice) const { return loss_[choice]; }
  std::uint64_t awake(std::size_t choice) const { return awake_[choice]; }
  // Returns the regret of the player's expectation against this choice, on the rounds in which it was awake.
  double expected_regret(std::size_t choice) const {
    if (std::isinf(loss_[choice])) return -std::numeric_limits<double>::infinity();
    return player_[choice] - loss_[choice];
  }

  // Returns the best choice in hindsight: the one with the largest regret, the lowest number among equals. If none
  // slept, it is the one with the least loss.
  std::size_t best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < loss_.size(); ++i) {
      const bool better = slept_ ? expected_regret(i) > expected_regret(best) : loss_[i] < loss_[best];
      if (awake_[i] > 0 && (awake_[best] == 0 || better)) best = i;
    }
    return best;
  }
  double expected_regret() const { return loss_.empty() ? 0.0 : expected_regret(best()); }
  // Returns the player's loss minus that of the best choice; in expectation on the rounds of the best if some choice
  // slept.
  double regret() const { return loss_.empty() ? 0.0 : slept_ ? expected_regret() : paid_ - loss_[best()]; }

 private:
  std::vector<double> loss_, player_;
  std::vector<std::uint64_t> awake_;
  std::uint64_t rounds_ = 0;
  double paid_ = 0, expected_ = 0;
  bool slept_ = false;
};

}  // namespace halfspace
