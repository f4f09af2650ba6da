// Whom a tournament follows: Hedge over the scores of candidates, each at scales 1, 4 and 16, and over the score 0.
//
//   z_k = s_k / (the root mean square of s_k in the rounds before), between -10 and 10
//   experts     v z_k for v = 1, 4, 16, and the score 0: N = 3 candidates + 1
//   p is proportional to e^(-eta L), L the sums of <g, z> over the rounds, g the slope of the loss of what was followed;
//   eta = ln N / D (AdaHedge)
//   D <- D + what the linear loss of what was followed exceeds the mixed loss -ln(sum p e^(-eta <g, z>)) / eta by;
//   D = 1 at first
//
// Guarantee: H <= L of the best expert + 2 D, H the linear losses of what was followed. Of the mixed losses M,
// M <= L + ln N / eta = L + D, as eta falls only, and H - M <= D.
// Source: Freund and Schapire, JCSS 55 (1997), for Hedge; de Rooij, van Erven, Grünwald and Koolen, "Follow the leader if
// you can, Hedge if you must", JMLR 15 (2014).
//
// Thread-safety: value type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "halfspace/base/domain.h"
#include "halfspace/game/learner.h"
#include "halfspace/kernels/tournament_kernels.h"
#include "halfspace/rules/parameter.h"

namespace halfspace {

namespace parameter {
inline constexpr Parameter validation_share{.name = "validation-share", .placeholder = "SHARE"};
}  // namespace parameter

// Returns true for a validation row, which trains no member: this share of the rows, chosen by row number.
inline bool is_validation_row(std::uint64_t row, double share) noexcept {
  return share > 0 && static_cast<double>((row * 0x9E3779B97F4A7C15U) >> 40) < share * 0x1p24;
}
// The first training rows also update the mixture, in case a small sample has no validation row.
inline constexpr double early_validation = 100;

class Followed {
 public:
  static constexpr std::size_t most = kernels::tournament_candidates;
  static constexpr double clip = 10;

  explicit Followed(std::size_t candidates);  // at most `most`

  // Returns what candidate k counts: the sum of the weights of its experts, each times its scale.
  double share(std::size_t k) const noexcept { return share_[k]; }
  const double* shares() const noexcept { return share_; }
  double root_mean_square(std::size_t k) const { return weight_ > 0 ? std::sqrt(squares_[k] / weight_) : 0.0; }
  // Returns z of a score, `scale` being root_mean_square(k): a candidate beyond the doubles, or one that has said nothing
  // yet, says nothing.
  static double standard(double score, double scale) {
    const double standard = score / scale;
    return std::isfinite(standard) ? std::clamp(standard, -clip, clip) : 0.0;
  }
  // Returns what its weights are to be multiplied by in the mean that is handed out.
  double factor(std::size_t k) const {
    const double factor = share_[k] / root_mean_square(k);
    return std::isfinite(factor) ? factor : 0.0;
  }

  // Counts a round: <g, z_k> and the square of the score of each candidate, <g, what was followed>, the row's weight, by
  // which all are multiplied already.
  void update(const double* losses, const double* squares, double suffered, double weight);
  // Returns H - L beside 2 D; empty before the first update. `rounds`: those that trained the members;
  // `most_said`: what no |<g, z>| of a candidate at scale 1 exceeds, for a row of weight 1.
  std::optional<RegretOfExperts> regret(double rounds, double most_said) const;
  // Returns p, summed over the experts of each candidate, and under "nobody" that of the score 0: the most likely first.
  // Candidate k is `members[k]`, those behind the last are their means.
  std::vector<FollowedMember> probabilities(std::span<const std::string_view> members) const;

  // The state, in two parts: the first, and what is suffered.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    for (std::size_t k = 0; k < self.candidates_; ++k) archive.number("linear loss", self.loss_[k], domain::finite);
    for (std::size_t k = 0; k < self.candidates_; ++k)
      archive.number("squared scores", self.squares_[k], domain::not_negative);
    archive.number("weight of the updates", self.weight_, domain::not_negative);
    archive.number("mixability gap", self.gap_, domain::positive);
  }
  template <class Self, class Archive>
  static void field_suffered(Self& self, Archive& archive) {
    archive.number("linear loss suffered", self.suffered_, domain::finite);
  }
  void restored();

 private:
  std::size_t candidates_;
  double loss_[most], squares_[most] = {}, share_[most] = {};
  double suffered_ = 0, weight_ = 0, gap_ = 1, rate_ = 0, mixed_ = 0;
};

}  // namespace halfspace
