// An offset to the scores by the labels just before, for streams whose labels come in runs.
//
//   o  <-  0.9 o - 0.1 g     after every round, g the slope of the loss at the mixture's scores: one number, or one a
//                            class. It is the recent error of those scores, between -1 and 1
//   offset = sum of q v o    over v = 1, 4, 16, and the expert whose offset is 0: q by AdaHedge over their linear losses
//                            <g, v o>, as in hedge_mixture.h
//
// Guarantee: as in hedge_mixture.h, for each of the two parts of the linear loss: it is within 2 D of its own best
// expert's, one of which is 0. Where labels do not come in runs, the offset costs at most 2 D of loss.
// The offset is not part of the returned weights: previous labels carry no information about unrelated rows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "halfspace/detail/rules/hedge_mixture.h"

namespace halfspace {

class LabelRuns {
 public:
  explicit LabelRuns(std::size_t scores) : missed_(scores) {}

  // Returns the number to add to score k.
  double offset(std::size_t k) const noexcept { return mixture_.share(0) * missed_[k]; }
  // Adds a round. `slope`: of the loss, one number a score, for a row of weight 1.
  void update(std::span<const double> slope, double weight) {
    double loss = 0, suffered = 0;
    for (std::size_t k = 0; k < missed_.size(); ++k) {
      loss += weight * slope[k] * missed_[k];
      suffered += weight * slope[k] * offset(k);
      missed_[k] = 0.9 * missed_[k] - 0.1 * slope[k];
    }
    mixture_.update(&loss, &weight, suffered, weight);
  }
  // Returns the regret of the offset's part of the loss.
  std::optional<RegretOfExperts> regret(double rounds) const {
    return mixture_.regret(rounds, static_cast<double>(missed_.size()));
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    HedgeMixture::fields(self.mixture_, archive);
    HedgeMixture::field_suffered(self.mixture_, archive);
    for (auto& missed : self.missed_) archive.number("missed of late", missed, Domain{.least = -1, .most = 1});
  }
  void restored() { mixture_.restored(); }

 private:
  HedgeMixture mixture_{1};
  std::vector<double> missed_;
};

// Returns the sum of the regrets of the two parts of a score.
inline std::optional<RegretOfExperts> both(const std::optional<RegretOfExperts>& a,
                                           const std::optional<RegretOfExperts>& b) {
  if (!a || !b) return std::nullopt;
  return RegretOfExperts{a->most + b->most, a->theorem + b->theorem, a->weight};
}

}  // namespace halfspace
