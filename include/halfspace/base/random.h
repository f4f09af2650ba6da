// Randomness through one interface: a source of doubles u in [0, 1).
//
// Every random choice of the library is a function of such draws, so a test can supply the draws and a saved model can
// continue them. `Generator` is fixed for ever: the same seed gives the same run on every machine.
//
// Thread-safety: none of these may be shared between threads without a lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halfspace {

class Draws {
 public:
  virtual ~Draws() = default;
  virtual double next() = 0;  // u in [0, 1)
};

// xoshiro256++ 1.0 (Blackman and Vigna 2019), seeded by SplitMix64; a draw is the upper 53 bits times 2^-53.
class Generator final : public Draws {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Generator(std::uint64_t seed = 1);
  double next() override;

  const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }

 private:
  std::uint64_t next_bits();
  State state_;
};

// Draws supplied by the caller, in order. Throws Error(usage) when they are used up.
class RecordedDraws final : public Draws {
 public:
  explicit RecordedDraws(std::vector<double> draws) : draws_(std::move(draws)) {}
  double next() override;
  bool used_up() const noexcept { return used_ == draws_.size(); }

 private:
  std::vector<double> draws_;
  std::size_t used_ = 0;
};

// Picks uniformly among 0 .. count-1: floor(u * count). In doubles this is below `count` for every count < 2^53.
std::uint64_t pick(Draws& draws, std::uint64_t count);

// Returns the entry of a distribution for u in [0, 1): the least i with u < p_0 + ... + p_i, summed from the left. If
// rounding leaves none, the largest i with p_i > 0: an entry of probability 0 is never picked. Some p_i must be
// positive.
std::size_t pick(double u, std::span<const double> p);

// Fills `order` with a random permutation of 0 .. order.size()-1 (Fisher and Yates, from the end): one draw for each
// position but the first.
void shuffle(Draws& draws, std::vector<std::uint32_t>& order);

// Draws a standard normal deviate (Box and Muller, the cosine branch): two draws.
double gaussian(Draws& draws);

}  // namespace halfspace
