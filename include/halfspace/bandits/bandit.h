// A bandit whose algorithm is chosen at run time: connects names (command line, saved state) to templates.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "halfspace/bandits/exp3.h"
#include "halfspace/detail/bandits/exp3_ix.h"
#include "halfspace/detail/bandits/exp3_mix.h"
#include "halfspace/detail/bandits/exp3_p.h"
#include "halfspace/detail/base/names.h"

namespace halfspace {

enum class BanditName : std::uint8_t {
  exp3 = 0,
  exp3_anytime = 1,
  exp3_mix = 2,
  exp3p = 3,
  exp3p_auer = 4,
  exp3_ix = 5,
  exp3_ix_anytime = 6,
};
template <>
struct NamesOf<BanditName> {
  static constexpr Name<BanditName> table[] = {
      {BanditName::exp3, "exp3", "exponential weights of estimated losses, at the best rate for the number of rounds"},
      {BanditName::exp3_anytime, "exp3-anytime", "the same with a decreasing rate, for any number of rounds"},
      {BanditName::exp3_mix, "exp3-mix", "Exp3 mixed with uniform draws"},
      {BanditName::exp3p, "exp3p", "Exp3.P: a bound that holds with high probability"},
      {BanditName::exp3p_auer, "exp3p-auer", "Exp3.P with the constants of its authors"},
      {BanditName::exp3_ix, "exp3-ix", "implicit exploration: a high-probability bound, and the best in practice"},
      {BanditName::exp3_ix_anytime, "exp3-ix-anytime", "the same for any number of rounds (default live)"}};
};
constexpr std::optional<BanditName> bandit_named(std::string_view name) { return value_named<BanditName>(name); }
// Returns true if its parameters depend on the number of rounds.
bool needs_horizon(BanditName name);

struct BanditOptions {
  static constexpr std::uint64_t most_arms = std::uint64_t{1} << 24;

  BanditName name = BanditName::exp3_ix_anytime;
  std::uint64_t arms = 0;
  std::uint64_t rounds = 0;  // the horizon, if needed
  double delta = 0.05;       // exp3p, exp3p_auer
  bool operator==(const BanditOptions&) const = default;
};

class Bandit {
 public:
  // Throws Error(usage) if an option is out of range.
  explicit Bandit(const BanditOptions& options);

  std::span<const double> distribution() {
    return std::visit([](auto& player) { return player.distribution(); }, player_);
  }
  Play play(double u) {
    return std::visit([u](auto& player) { return player.play(u); }, player_);
  }
  // Returns the distribution of the last play.
  std::span<const double> last_distribution() const {
    return std::visit([](const auto& player) { return player.last_distribution(); }, player_);
  }
  void learn(const Play& play, double loss) {
    std::visit([&](auto& player) { player.learn(play, loss); }, player_);
  }
  std::span<const double> totals() const {
    return std::visit([](const auto& player) { return player.totals(); }, player_);
  }
  std::uint64_t rounds() const {
    return std::visit([](const auto& player) { return player.rounds(); }, player_);
  }
  // Restores a state; `totals` has one entry an arm.
  void restore(std::span<const double> totals, std::uint64_t rounds) {
    std::visit([&](auto& player) { player.restore(totals, rounds); }, player_);
  }

 private:
  using Player =
      std::variant<Exp3<FixedRate>, Exp3<AnytimeRate>, Exp3Mix, Exp3P, Exp3Ix<FixedRate>, Exp3Ix<AnytimeRate>>;
  static Player make(const BanditOptions& options);

  Player player_;
};

}  // namespace halfspace
