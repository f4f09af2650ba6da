// A bandit player, and one round of it.
//
// A player draws an arm and later sees only the loss of that arm. Feedback may come late and out of order: a Play
// carries what learning from it needs. Losses are in [0, 1]; the gain is 1 - loss.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace halfspace {

struct Play {
  std::uint32_t arm = 0;
  double probability = 0;   // the arm's probability when drawn; > 0
  std::uint64_t round = 0;  // 1-based
  bool operator==(const Play&) const = default;
};

//   play(u)          draws with u in [0, 1) (random.h, pick) and begins the next round
//   learn(play, l)   the loss of an earlier play, once
//   distribution()   of the next round; last_distribution(): the last one computed by distribution() or play()
//   totals()         the estimates of each arm: with rounds(), the state needed to continue bit for bit
template <class B>
concept BanditPlayer = requires(B player, const B kept, double number, const Play& play) {
  { player.play(number) } -> std::same_as<Play>;
  player.learn(play, number);
  { player.distribution() } -> std::same_as<std::span<const double>>;
  { kept.last_distribution() } -> std::same_as<std::span<const double>>;
  { kept.totals() } -> std::same_as<std::span<const double>>;
  { kept.rounds() } -> std::same_as<std::uint64_t>;
  player.restore(std::span<const double>(), std::uint64_t());
};

}  // namespace halfspace
