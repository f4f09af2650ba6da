// A multiclass tournament: four learners of one vector a class train on the same rows, and Hedge mixes their scores.
//
//   columns     of numbers that most rows have are standardized and clipped (standard_columns.h), where there is a bias
//   units       each feature is measured in the root mean square of its nonzero values so far, this row's included: x are
//               such values (clipped to magnitudes from 2^-500 to 2^500), and the bias is 1
//   members     SCW-I (scw.h, phi = 1, C = 1) for all vectors together: the row x for its class, -x for its rival, the
//               best of the others (Kesler's construction), of a variance a weight; SCW-I for every class against the
//               rest; the multiclass perceptron (multiclass.h, max-score); NAG for all vectors together: with p the
//               softmax of its scores and n the sum of its squared slopes for a weight,
//                 w_k <- w_k - 0.5 sqrt(t / sum of |x|^2 so far) (p_k - [k = y]) x / sqrt(n)
//   candidates  k = 1 .. 8: each member's weights, and their mean over the rounds; s_k the vector of scores of one, a
//               score a class, less their mean
//   z_k = s_k / (the root mean square of s_k's scores in earlier rounds), clipped to [-10, 10]
//   f = sum of p z over the 25 experts of hedge_mixture.h, plus the offsets of label_runs.h
//   g = softmax(f) - e_y, the slope of the log loss -ln softmax(f)_y
//
// The result is one linear model, a vector a class: the candidates' weights averaged by Hedge's weights, without offsets
// or clipping.
//
// Guarantee: for every mean q of experts, fixed in hindsight,  sum of log losses of f <= sum of log losses of sum q z +
// 2 D + 2 D', D' being that of the offsets. Proof. The log loss is convex: loss(f) - loss(h) <= <g, f - h>, which is
// linear in the experts; hedge_mixture.h has the rest. It does not depend on the members' steps.
//
// A validation share above 0 works as in tournament.h. Multiplying a column by a power of two changes nothing; by another
// number, only rounding.
// Cost: O(classes x (stored values + standardized columns)) a round, 88 bytes a feature and class.
// Source: our own; Wang, Zhao and Hoi, ICML 2012; Crammer and Singer, JMLR 3 (2003); Ross, Mineiro and Langford, UAI 2013,
// for NAG; hedge_mixture.h.
//
// Thread-safety: one thread. Ownership: owns its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/detail/rules/hedge_mixture.h"
#include "halfspace/detail/rules/label_runs.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/standard_columns.h"
#include "halfspace/game/learner.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName multiclass_tournament{25};
}  // namespace rule

class MulticlassTournament {
 public:
  using Point = ClassWeightVector;
  static constexpr bool margins_cacheable = false;

  MulticlassTournament(Tie tie, BiasOptions bias, std::uint32_t classes, double validation_share);

  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(units_.size()); }
  const BiasOptions& bias() const noexcept { return bias_; }
  template <class Value, bool dense>
  double squared_norm(const Example<Value, dense>& x) const {
    return x.squared_norm + bias_.squared();
  }
  void grow(std::uint32_t features);

  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    score(measured_row(x));
    return outcome_of(x.label, x.weight);
  }
  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Measured row = measured_row(x);
    score(row);
    const Outcome outcome = outcome_of(x.label, x.weight);
    if (outcome.updated && learn(row) && columns_.learn(x)) begin_period();
    finished_ += x.weight > 0;
    return outcome;
  }

  Point result() const { return present(); }
  // Returns the mixture as one linear model.
  Point present() const;
  // Return the members' means over the rounds, each alone.
  std::size_t alternatives() const { return members; }
  Point alternative(std::size_t k) const;
  void finish() {}

  LearnerState save() const;
  // Throws Error(data) if the state does not fit.
  void restore(const LearnerState& state);
  StateShape state_shape() const;

  std::optional<RegretOfExperts> regret() const {
    return both(mixture_.regret(rounds_, 2 * HedgeMixture::clip), runs_.regret(rounds_));
  }
  std::vector<MixtureMember> followed() const {
    static constexpr std::string_view names[] = {"SCW-I", "SCW-I of each class against the rest",
                                                 "multiclass perceptron", "NAG"};
    return mixture_.probabilities(names);
  }
  const double* shares() const noexcept { return mixture_.shares(); }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    HedgeMixture::fields(self.mixture_, archive);
    archive.number("rounds learned", self.rounds_, domain::not_negative);
    archive.number("squares of rows", self.row_squares_, domain::not_negative);
    HedgeMixture::field_suffered(self.mixture_, archive);
    StandardColumns::fields(self.columns_, archive);
    LabelRuns::fields(self.runs_, archive);
  }

 private:
  // Returns the sum of the members' weights and of their means, each times its factor.
  Point mixed(const double* last, const double* mean) const;

  static constexpr std::size_t members = 4;  // in this order:
  static constexpr std::size_t together = 0, rest = 1, perceptron = 2, nag = 3;
  static constexpr std::size_t candidates = 2 * members;  // each member's weights, then their means

  // Of a feature's nonzero values.
  struct Unit {
    double squares = 0, count = 0;
  };

  // A row in units, without bias.
  using Measured = Example<double, false>;
  template <class Value, bool dense>
  Measured measured(const Example<Value, dense>& x) const {
    if (scaled_.size() < x.size) make_room(2 * std::size_t{x.size});
    for (std::uint32_t i = 0; i < x.size; ++i) scaled_[i] = x.value_at(i);
    measure(x.index, x.size);
    return {x.index, scaled_.data(), x.size, x.label, x.weight, 0.0, x.row};
  }
  template <class Value, bool dense>
  Measured measured_row(const Example<Value, dense>& x) const {
    return columns_.none() ? measured(x) : measured(columns_.measure(x));
  }
  void make_room(std::size_t values) const;
  void measure(const std::uint32_t* index, std::size_t size) const;
  void score(const Measured& x) const;
  Outcome outcome_of(std::int32_t label, double weight) const;
  // Returns false for a validation row, which trains no member.
  bool learn(const Measured& x);
  // Adapts the members' weights to new centres and scales of columns, so that scores stay the same.
  void begin_period();
  void update_mixture(std::uint32_t label, double weight);
  void step_together(const Measured& x);
  void step_against_rest(const Measured& x);
  void step_perceptron(const Measured& x);
  void step_nag(const Measured& x);
  // Moves a class's vector of a member along x, by amount times the variances if the member has them.
  void move(const Measured& x, std::size_t member, std::uint32_t k, double amount, double shrinkage);
  bool has_bias() const noexcept { return bias_.position != Bias::none; }
  std::size_t width() const noexcept { return candidates * classes_; }
  // Variances of the first two members, then NAG's squares.
  std::size_t confident() const noexcept { return 2 * std::size_t{classes_}; }
  std::size_t variances() const noexcept { return 3 * std::size_t{classes_}; }
  std::size_t moments_each() const noexcept { return width() + variances() + 2 + StandardColumns::numbers_each; }

  Tie tie_;
  BiasOptions bias_;
  std::uint32_t classes_;
  double validation_share_;
  // A feature's numbers are contiguous, class by class: the members' weights, then their corrections (weight -
  // correction / rounds is the mean).
  std::vector<double> weights_, bias_weights_;
  std::vector<double> variance_, bias_variance_;  // of the first two members
  std::vector<Unit> units_;
  HedgeMixture mixture_{candidates};
  double rounds_ = 0, row_squares_ = 0;
  std::uint64_t finished_ = 0;
  StandardColumns columns_;
  LabelRuns runs_;
  // The row that was scored last.
  mutable std::vector<double> scaled_, squared_,
      squared_before_;  // values in units, their squares, those without units
  mutable std::vector<double> sums_, row_variance_, standard_, mixture_score_, slope_;
};

}  // namespace halfspace
