// A tournament for several classes: four learners of one vector a class read the same rows, and Hedge says whom to
// follow.
//
//   columns     of numbers that most rows have are standardized and clipped (standard_columns.h), where there is a bias
//   units       each feature is measured in the root mean square of its values so far that are not 0, this row's too: x
//               is such values (beyond 2^+-500 they count as that), and the bias is 1
//   members     SCW-I (scw.h, phi = 1, C = 1) for all vectors together: the row x for its class, -x for its rival, the
//               best of the others (Kesler's construction), of a variance a weight; SCW-I for every class against the
//               rest; the multiclass perceptron (multiclass.h, max-score); NAG for all vectors together: with p the
//               softmax of its scores and n the sum of its squared slopes for a weight,
//                 w_k <- w_k - 0.5 sqrt(t / sum of |x|^2 so far) (p_k - [k = y]) x / sqrt(n)
//   candidates  k = 1 .. 8: each member's weights, and their mean over the rounds; s_k the vector of scores of one, a
//               score a class, less their mean
//   z_k = s_k / (the root mean square of s_k's scores in the rounds before), between -10 and 10
//   f = sum of p z over the experts of followed.h, 25 of them, and offsets by the labels before (label_runs.h);
//   g = softmax(f) - e_y, the slope of its log loss
//
// Handed out is one linear model, a vector a class: the mean of the candidates' weights that f is without offsets, of scores and columns unclipped.
//
// Guarantee: for every mean of experts q, fixed in hindsight,  sum of log losses of f <= sum of log losses of sum q z +
// 2 D + 2 D', D' that of the offsets, the log loss being -ln softmax(f)_y. Proof. It is convex: loss(f) - loss(h) <= <g, f - h>, linear in the experts;
// followed.h has the rest. The members' steps have no part in it.
//
// A validation share above 0 works as in tournament.h. A column times a power of two changes nothing, times another
// number rounding alone.
// Cost: O(classes x (stored values + standardized columns)) a round, 88 bytes a feature and class.
// Source: our own; Wang, Zhao and Hoi, ICML 2012; Crammer and Singer, JMLR 3 (2003); Ross, Mineiro and Langford, UAI 2013,
// for NAG; followed.h.
//
// Thread-safety: one thread. Ownership: owns its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "halfspace/game/learner.h"
#include "halfspace/kernels/example.h"
#include "halfspace/kernels/kernels.h"
#include "halfspace/linear/state.h"
#include "halfspace/linear/weights/plain.h"
#include "halfspace/rules/followed.h"
#include "halfspace/rules/label_runs.h"
#include "halfspace/rules/rule_name.h"
#include "halfspace/rules/standard_columns.h"

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
    ++finished_;
    return outcome;
  }

  Point handed_out() const { return present(); }
  // The mean of the candidates' weights that is followed now.
  Point present() const;
  // The members' means over the rounds, each alone.
  std::size_t alternatives() const { return members; }
  Point alternative(std::size_t k) const;
  void finish() {}

  LearnerState save() const;
  // Throws Error(data) when the state does not fit.
  void restore(const LearnerState& state);
  StateShape state_shape() const;

  std::optional<RegretOfExperts> regret() const {
    return both(followed_.regret(rounds_, 2 * Followed::clip), runs_.regret(rounds_));
  }
  std::vector<FollowedMember> followed() const {
    static constexpr std::string_view names[] = {"SCW-I", "SCW-I of each class against the rest",
                                                 "multiclass perceptron", "NAG"};
    return followed_.probabilities(names);
  }
  const double* shares() const noexcept { return followed_.shares(); }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    Followed::fields(self.followed_, archive);
    archive.number("rounds learned", self.rounds_, domain::not_negative);
    archive.number("squares of rows", self.row_squares_, domain::not_negative);
    Followed::field_suffered(self.followed_, archive);
    StandardColumns::fields(self.columns_, archive);
    LabelRuns::fields(self.runs_, archive);
  }

 private:
  // Returns the weights of the members and of their means, times these.
  Point mixed(const double* last, const double* mean) const;

  static constexpr std::size_t members = 4;  // in this order:
  static constexpr std::size_t together = 0, rest = 1, perceptron = 2, nag = 3;
  static constexpr std::size_t candidates = 2 * members;  // each member's weights, then their means

  // Of a feature's values that are not 0.
  struct Unit {
    double squares = 0, count = 0;
  };

  // A row in units, and its squares; the bias is not in it.
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
  // Centres and scales of columns change: the members' weights are told, so that they say what they said.
  void begin_period();
  void update_mixture(std::uint32_t label, double weight);
  void step_together(const Measured& x);
  void step_against_rest(const Measured& x);
  void step_perceptron(const Measured& x);
  void step_nag(const Measured& x);
  // Moves a class's vector of a member along x, by amount times the variances where there are some.
  void move(const Measured& x, std::size_t member, std::uint32_t k, double amount, double shrinkage);
  // The class, other than `label`, whose score is the highest.
  std::uint32_t rival_of(const double* scores, std::uint32_t label) const;
  bool has_bias() const noexcept { return bias_.place != Bias::none; }
  std::size_t width() const noexcept { return candidates * classes_; }
  // Variances of the first two members, then NAG's squares.
  std::size_t confident() const noexcept { return 2 * std::size_t{classes_}; }
  std::size_t variances() const noexcept { return 3 * std::size_t{classes_}; }
  std::size_t moments_each() const noexcept { return width() + variances() + 2 + StandardColumns::numbers_each; }

  Tie tie_;
  BiasOptions bias_;
  std::uint32_t classes_;
  double validation_share_;
  // A feature's numbers lie together: weights member by member, then what is taken from them, divided by the rounds, for
  // their means; class by class.
  std::vector<double> weights_, bias_weights_;
  std::vector<double> variance_, bias_variance_;  // of the first two members
  std::vector<Unit> units_;
  Followed followed_{candidates};
  double rounds_ = 0, row_squares_ = 0;
  std::uint64_t finished_ = 0;
  StandardColumns columns_;
  LabelRuns runs_;
  // What the last score saw.
  mutable std::vector<double> scaled_, squared_,
      squared_before_;  // values in units, their squares, those without units
  mutable std::vector<double> sums_, row_variance_, standard_, followed_score_, slope_;
};

}  // namespace halfspace
