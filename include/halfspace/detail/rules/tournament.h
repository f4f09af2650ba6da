// A tournament: four rules learn from the same rows, and Hedge mixes their predictions.
//
//   columns     of numbers that most rows have are standardized and clipped (standard_columns.h), where there is a bias
//   units       each feature is measured in the largest power of two that a value of it has reached: x are such values
//   members     diagonal AROW (r = R, the mean of |x|^2 so far), SCW-I (phi = 0.5, C = 1, variances from 1 / R on), NAG
//               (logistic, rate 0.5, s = 1), coin betting (alpha = 100)
//   candidates  k = 1 .. 8: each member's weights, and their mean over the rounds; s_k is the score of one
//   f           the score of a round: sum of p z over the experts of hedge_mixture.h, plus the offset of label_runs.h
//   g = -y / (1 + e^(y f)), the slope of the log loss
//
// The result is one linear model: the candidates' weights averaged by Hedge's weights, without offset or clipping.
//
// Guarantee (de Rooij et al. 2014; convexity): f is fixed before the label is seen, and for every mean q of experts,
// fixed in hindsight,  sum of log losses of f <= sum of log losses of sum q z + 2 D + 2 D', D' being that of the offset.
// Proof. The log loss is convex: loss(f) - loss(h) <= g (f - h), which is linear in the experts; hedge_mixture.h bounds
// each of the two parts.
//
// With a validation share above 0, that share of the rows, chosen by row number, trains no member; these rows alone
// update the mixture, so that repeated passes do not reward overfitting. The first 100 training rows also update it, in
// case a small sample has no validation row. The guarantee then covers the rounds that update the mixture.
// Multiplying a column by a power of two changes no score; by another number, little: units differ by less than 2.
// When the centre and scale of a standardized column change, scores stay the same, those of coin betting nearly. When a
// column becomes standardized, its weights start again.
// Cost: O(stored values + standardized columns) a round, about twice that of a perceptron; 64 bytes a feature, one line
// of the cache. Members learn in single precision.
// Source: hedge_mixture.h. Members: arow_diagonal.h, scw.h, nag.h, coin.h.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/kernels/tournament_kernels.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/detail/rules/hedge_mixture.h"
#include "halfspace/detail/rules/label_runs.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/standard_columns.h"
#include "halfspace/game/learner.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName tournament{24};
}  // namespace rule

// The members' weights and their mixture. One thread only, for scores too.
class TournamentWeights {
 public:
  using Point = WeightVector;
  static constexpr std::size_t moments_each = kernels::tournament_numbers + StandardColumns::numbers_each;
  static constexpr std::size_t candidates = kernels::tournament_candidates;

  TournamentWeights(BiasOptions bias, double validation_share);

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(records_.size()); }
  void grow(std::uint32_t features) {
    if (features > records_.size()) records_.resize(features);
  }
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  // Returns f.
  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    if (columns_.none()) return score_measured(x);
    return score_measured(columns_.measure(x));
  }

  // Trains on the row that was scored last: `amount` is y / (1 + e^(y f)).
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const bool validates = is_validation_row(x.row, validation_share_);
    if (validates || validation_share_ == 0 || rounds_ < early_validation) update_mixture(amount, x.weight);
    if (validates) return;
    const std::uint32_t* const index = last_.index;
    const std::uint32_t size = last_.size;
    const kernels::TournamentSteps steps = steps_of(amount > 0 ? 1.0 : -1.0, x.weight);
    kernels::TournamentNorms norms;
    if (normalised_.size() < scaled_.size()) normalised_.resize(scaled_.size());
    kernels::tournament_step(records_.data(), index, scaled_.data(), size, steps, norms, normalised_.data());
    const float along = finish_step(steps, norms, amount > 0 ? 1.0 : -1.0, x.weight);
    if (along != 0) kernels::tournament_move(records_.data(), index, normalised_.data(), size, along, steps.rounds);
    rounds_ += 1;
    if (columns_.learn(x)) begin_period();
  }

  // Returns the mixture as one linear model.
  WeightVector point() const;
  // Return the members' means over the rounds, each alone.
  std::size_t alternatives() const { return kernels::tournament_members; }
  WeightVector alternative(std::size_t k) const;
  // Return what a model file stores: point(), and all numbers as moments.
  WeightVector stored() const { return point(); }
  void restore(const WeightVector& stored) { grow(static_cast<std::uint32_t>(stored.w.size())); }
  void save_moments(std::vector<double>& moments) const;
  // Throws Error(data) if the number of moments does not match the weights.
  void restore_moments(const std::vector<double>& moments);
  void restored() {
    mixture_.restored();
    runs_.restored();
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    HedgeMixture::fields(self.mixture_, archive);
    archive.number("rounds learned", self.rounds_, domain::not_negative);
    archive.number("nag: weight of the rounds", self.nag_rounds_, domain::not_negative);
    archive.number("nag: normalised squares", self.nag_squares_, domain::not_negative);
    HedgeMixture::field_suffered(self.mixture_, archive);
    StandardColumns::fields(self.columns_, archive);
    LabelRuns::fields(self.runs_, archive);
  }

  std::optional<RegretOfExperts> regret() const {
    return both(mixture_.regret(rounds_, HedgeMixture::clip), runs_.regret(rounds_));
  }
  std::vector<MixtureMember> followed() const {
    static constexpr std::string_view members[] = {"AROW", "SCW-I", "NAG", "coin betting"};
    return mixture_.probabilities(members);
  }
  const double* shares() const noexcept { return mixture_.shares(); }

 private:
  template <class Value, bool dense>
  double score_measured(const Example<Value, dense>& x) const {
    last_.sums = {};
    last_.index = x.index;
    last_.size = x.size;
    const std::size_t room = x.size + kernels::tournament_room;
    if (scaled_.size() < room) scaled_.resize(2 * room);
    kernels::tournament_scores(records_.data(), kernels::view(x), last_.sums, scaled_.data());
    return mix_scores();
  }
  // Returns f from the sums of the row at hand.
  double mix_scores() const;
  // Adapts the members' weights to new centres and scales of columns, so that scores stay the same.
  void begin_period();
  // Returns the sum of the members' weights and of their means, each times its factor.
  WeightVector mixed(const double* last, const double* mean) const;
  // Adds the round's losses to the candidates'.
  void update_mixture(double amount, double weight);
  kernels::TournamentSteps steps_of(double sign, double weight) const;
  // Takes the steps of the bias and returns the length of NAG's step.
  float finish_step(const kernels::TournamentSteps& steps, kernels::TournamentNorms& norms, double sign, double weight);

  // The row that was scored last.
  struct Scored {
    const std::uint32_t* index = nullptr;
    std::uint32_t size = 0;
    kernels::TournamentSums sums;
    double score[candidates] = {}, standard[candidates] = {}, mixed = 0;  // f without the offset
    float bias[1 + kernels::tournament_room] = {};                        // in its unit
  };

  BiasOptions bias_;
  double validation_share_;
  // Scoring may rescale a feature's unit; learning is unaffected.
  mutable std::vector<kernels::TournamentRecord> records_;
  mutable kernels::TournamentRecord bias_record_;
  mutable std::vector<float> scaled_;  // the row that was scored last, in units
  std::vector<float> normalised_;
  HedgeMixture mixture_{candidates};
  double rounds_ = 0;
  double nag_rounds_ = 0, nag_squares_ = 0;
  StandardColumns columns_;
  LabelRuns runs_{1};
  mutable Scored last_;
};

// The mixture contains the means already: the keeper adds none.
template <>
struct Average<TournamentWeights> {
  WeightVector none;

  explicit Average(const TournamentWeights&) {}
  void grow(std::uint32_t) {}
  template <class X>
  void before_update(const TournamentWeights&, const X&, std::uint64_t) {}
  template <class X>
  void after_update(const TournamentWeights&, const X&, double, Moved, std::uint64_t) {}
  WeightVector point(const TournamentWeights& weights, std::uint64_t) const { return weights.point(); }
  WeightVector& kept() noexcept { return none; }
  const WeightVector& kept() const noexcept { return none; }
};

struct Tournament {
  static constexpr bool looks_at_weights = true;

  Tie tie = Tie::positive;

  template <class X>
  double step(double sign, double score, const TournamentWeights&, const X& x) const {
    return x.weight > 0 ? 1 / (1 + elementary::exp(sign * score)) : 0.0;
  }
};

}  // namespace halfspace
