// What the labels shortly before say of the next, where they come in runs: an offset to scores.
//
//   o  <-  0.9 o - 0.1 g     after every round, g the slope of the loss at the scores that were followed: a number, or one a
//                            class. It is what those scores missed of late, between -1 and 1
//   offset = sum of q v o    for v = 1, 4, 16, and the expert that says 0: q by AdaHedge over their linear losses
//                            <g, v o>, as in followed.h
//
// Guarantee: as followed.h, with the offset among what is followed: both parts of the linear loss are within 2 D of their
// own best expert's, and one of these says 0. So where labels come in no runs, at most 2 D of loss is the price.
// It is part of no model that is handed out: of rows from elsewhere the labels before say nothing.
//
// Thread-safety: value type.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "halfspace/rules/followed.h"

namespace halfspace {

class LabelRuns {
 public:
  explicit LabelRuns(std::size_t scores) : missed_(scores) {}

  // Returns what is to be added to score k.
  double offset(std::size_t k) const noexcept { return followed_.share(0) * missed_[k]; }
  // Counts a round. `slope`: of the loss, a number a score, of a row of weight 1.
  void update(std::span<const double> slope, double weight) {
    double loss = 0, suffered = 0;
    for (std::size_t k = 0; k < missed_.size(); ++k) {
      loss += weight * slope[k] * missed_[k];
      suffered += weight * slope[k] * offset(k);
      missed_[k] = 0.9 * missed_[k] - 0.1 * slope[k];
    }
    followed_.update(&loss, &weight, suffered, weight);
  }
  // As Followed has it: of the offset's part of the loss.
  std::optional<RegretOfExperts> regret(double rounds) const {
    return followed_.regret(rounds, static_cast<double>(missed_.size()));
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    Followed::fields(self.followed_, archive);
    Followed::field_suffered(self.followed_, archive);
    for (auto& missed : self.missed_) archive.number("missed of late", missed, Domain{.least = -1, .most = 1});
  }
  void restored() { followed_.restored(); }

 private:
  Followed followed_{1};
  std::vector<double> missed_;
};

// The regret of what is followed in two parts.
inline std::optional<RegretOfExperts> both(const std::optional<RegretOfExperts>& a,
                                           const std::optional<RegretOfExperts>& b) {
  if (!a || !b) return std::nullopt;
  return RegretOfExperts{a->most + b->most, a->theorem + b->theorem, a->weight};
}

}  // namespace halfspace
