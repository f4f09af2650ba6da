// A mixture of candidates: Hedge over their scores, each at scales 1, 4 and 16, and over the score 0.
//
//   z_k = s_k / (the root mean square of s_k in earlier rounds), clipped to [-10, 10]
//   experts     v z_k for v = 1, 4, 16, and the score 0: N = 3 candidates + 1
//   f = sum of p z, the score of the mixture; g is the slope of its loss
//   p is proportional to e^(-eta L), L the sums of <g, z> over the rounds; eta = ln N / D (AdaHedge)
//   D <- D + <g, f> - m, m = -ln(sum of p e^(-eta <g, z>)) / eta the mixed loss; D = 1 at first
//
// Guarantee: H <= L of the best expert + 2 D, H the sum of <g, f>. Proof: the mixed losses add up to
// M <= L + ln N / eta = L + D, because eta never grows, and H - M <= D.
// Source: Freund and Schapire, JCSS 55 (1997), for Hedge; de Rooij, van Erven, Grünwald and Koolen, "Follow the leader if
// you can, Hedge if you must", JMLR 15 (2014).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/domain.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/game/learner.h"

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

class HedgeMixture {
 public:
  static constexpr std::size_t max_candidates = 8;
  static constexpr double scales[] = {1, 4, 16};
  static constexpr double clip = 10;

  explicit HedgeMixture(std::size_t candidates);  // at most max_candidates

  // Returns the share of z_k in f: the sum of the weights of k's experts, each times its scale.
  double share(std::size_t k) const noexcept { return share_[k]; }
  const double* shares() const noexcept { return share_; }
  double root_mean_square(std::size_t k) const { return weight_ > 0 ? std::sqrt(squares_[k] / weight_) : 0.0; }
  // Returns z of a score, `scale` being root_mean_square(k); 0 for a score that overflows or whose scale is still 0.
  static double standard(double score, double scale) {
    const double standard = score / scale;
    return std::isfinite(standard) ? std::clamp(standard, -clip, clip) : 0.0;
  }
  // Returns the factor of k's weights in the returned weights.
  double factor(std::size_t k) const {
    const double factor = share_[k] / root_mean_square(k);
    return std::isfinite(factor) ? factor : 0.0;
  }

  // Adds a round: <g, z_k> and the squared score of each candidate, <g, f>, and the row's weight, already multiplied
  // into the others.
  void update(const double* losses, const double* squares, double suffered, double weight);
  // Returns H - L with its bound 2 D; empty before the first update. `rounds`: those that trained the members;
  // `largest`: an upper bound on |<g, z>| of a candidate at scale 1, for a row of weight 1.
  std::optional<RegretOfExperts> regret(double rounds, double largest) const;
  // Returns p, summed over the experts of each candidate, and under "nobody" that of the score 0, largest first.
  // Candidate k is `members[k]`; those after the last member are the members' means.
  std::vector<MixtureMember> probabilities(std::span<const std::string_view> members) const;

  // Describes the state, in two parts, as model files store it.
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
  // Computes the weights from a state that was read.
  void restored();

 private:
  // Writes each candidate's share at the current rate, and returns the logarithm of the sum of e^-(rate loss) over all
  // experts.
  double hedge(double* share) const;

  std::size_t candidates_;
  double loss_[max_candidates], squares_[max_candidates] = {}, share_[max_candidates] = {};
  double suffered_ = 0, weight_ = 0, gap_ = 1, rate_ = 0, mixed_ = 0;
};

}  // namespace halfspace
