// Implements the generator and functions of its draws. Fixed for ever: tests/base/random_test.cc holds its first draws.

#include "halfspace/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {

Generator::Generator(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) {  // SplitMix64: never gives the all-zero state
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Generator::next_bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Generator::next() { return static_cast<double>(next_bits() >> 11) * 0x1.0p-53; }

double RecordedDraws::next() {
  if (used_ == draws_.size()) throw Error(ErrorKind::usage, "the recorded draws are used up");
  return draws_[used_++];
}

std::uint64_t pick(Draws& draws, std::uint64_t count) {
  return static_cast<std::uint64_t>(draws.next() * static_cast<double>(count));
}

std::size_t pick(double u, std::span<const double> p) {
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] > 0)) continue;
    sum += p[i];
    last = i;
    if (u < sum) return i;
  }
  return last;
}

void shuffle(Draws& draws, std::vector<std::uint32_t>& order) {
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[pick(draws, i)]);
}

double gaussian(Draws& draws) {
  const double radius = std::sqrt(-2.0 * elementary::log1p(-draws.next()));
  return radius * elementary::cos(2.0 * std::numbers::pi * draws.next());
}

}  // namespace halfspace
