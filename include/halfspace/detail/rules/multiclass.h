// Multiclass rules: one vector a class, the highest score wins. An update raises the vector of the label along x and
// lowers those of classes that scored too high, by the same amount in all (Kesler's construction):
//
//   w_label <- w_label + step * x,   w_r <- w_r - step * share_r * x,   shares >= 0, of sum 1
//
// The ultraconservative family (Crammer and Singer 2003) moves on a mistake, by step = rate * weight, and shares it
//   max_score     with the rival alone: the best of the other classes
//   uniform       equally among all classes that scored no lower than the label (as the tie rule says for equal scores)
//   proportional  among these by how much higher they scored; equally when no score is higher
// Multiclass passive-aggressive learning (Crammer et al. 2006) moves the label against the rival whenever their scores
// differ by less than 1: PA, PA-I and PA-II of passive_aggressive.h for the point (x, -x) of squared norm 2 |x|^2.
//
// Ties: Tie::positive predicts the lowest class among the highest, Tie::negative the highest, Tie::mistake counts a tie
// with the label's class as a mistake; the rival is then the lowest of the others.
//
// Guarantee, from W = 0, with l* the hinge loss of U, max(0, 1 - (<u_label, x> - max of the other <u_r, x>)):
//   ultraconservative: if <u_label - u_other, x> >= margin > 0 for every other class on every row, then mistakes
//   <= 2 radius^2 |U|^2 / margin^2. Each mistake adds at least rate * margin to <W, U>, the shares being a mean, and at
//   most rate^2 (1 + sum of share_r^2) |x|^2 <= 2 rate^2 |x|^2 to |W|^2, since no lowered class scored below the label.
//   passive-aggressive: the three guarantees of passive_aggressive.h with 2 radius^2 in place of radius^2.
// Cost: O(classes x stored values) a round. Source: Duda and Hart (1973), section 5.12; Crammer and Singer, JMLR 3
// (2003); Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, JMLR 7 (2006), section 8.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "halfspace/detail/linear/rival.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/passive_aggressive.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName multiclass{6};
}  // namespace rule

enum class ClassUpdate : std::uint8_t { max_score, uniform, proportional, pa, pa1, pa2 };

template <>
struct NamesOf<ClassUpdate> {
  static constexpr Name<ClassUpdate> table[] = {
      {ClassUpdate::max_score, "max-score", "a mistake lowers the best rival alone"},
      {ClassUpdate::uniform, "uniform", "a mistake lowers all that scored too high, equally"},
      {ClassUpdate::proportional, "proportional", "a mistake lowers all that scored too high, by how much they did"},
      {ClassUpdate::pa, "pa", "passive-aggressive against the best rival"},
      {ClassUpdate::pa1, "pa1", "the same with steps capped"},
      {ClassUpdate::pa2, "pa2", "the same with steps softened"}};
};

namespace parameter {
inline constexpr Parameter class_update{.name = "class-update",
                                        .placeholder = "HOW",
                                        .kind = Parameter::Kind::choice,
                                        .searchable = false,
                                        .choices = parameter_choices<ClassUpdate>()};
}  // namespace parameter

struct MulticlassRule {
  Tie tie = Tie::mistake;
  double rate = 1;  // not used by pa, pa1, pa2
  ClassUpdate update = ClassUpdate::max_score;
  double aggressiveness = 1;  // pa1, pa2: C

  // `margin`: the label's score less the rival's.
  double step(bool mistake, double margin, double squared_norm, double weight) const {
    switch (update) {
      case ClassUpdate::pa:
        return PassiveAggressive<Aggression::full>{}.step(1, margin, 2 * squared_norm, weight);
      case ClassUpdate::pa1:
        return PassiveAggressive<Aggression::capped>{tie, aggressiveness}.step(1, margin, 2 * squared_norm, weight);
      case ClassUpdate::pa2:
        return PassiveAggressive<Aggression::softened>{tie, aggressiveness}.step(1, margin, 2 * squared_norm, weight);
      case ClassUpdate::max_score:
      case ClassUpdate::uniform:
      case ClassUpdate::proportional:
        break;
    }
    return mistake ? rate * weight : 0.0;
  }
  bool shares() const { return update == ClassUpdate::uniform || update == ClassUpdate::proportional; }
};

class Multiclass : public ComposedLearner<MulticlassRule, ClassWeights> {
 public:
  static constexpr bool margins_cacheable = false;

  Multiclass(MulticlassRule rule, ClassWeights weights, KeepName keep)
      : ComposedLearner(rule, std::move(weights), keep), scores_(weights_.classes()) {}

  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    return look(x).outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Seen seen = look(x);
    if (seen.outcome.updated) {
      keep_.before_update(weights_, x, finished_);
      if (rule_.shares()) {
        share(x, seen.outcome.step);
      } else {
        move(x, seen.outcome.step, seen.rival);
      }
    }
    finished_ += x.weight > 0;
    return seen.outcome;
  }

  // Learner::vote().
  void vote(const Block& block, std::vector<double>& votes) const {
    ClassWeights start = weights_.at_start();
    start.grow(features());
    votes.assign(block.rows * weights_.classes(), 0.0);
    add_votes(std::move(start), keep_.votes(), rule_.tie, block, votes);
  }

 private:
  struct Seen {
    Outcome outcome;
    std::uint32_t rival;  // the best of the classes that are not the label
  };

  bool ranks_above(std::uint32_t k, std::uint32_t label) const {
    return halfspace::ranks_above(scores_.data(), k, label, rule_.tie);
  }

  template <class Value, bool dense>
  Seen look(const Example<Value, dense>& x) const {
    score_classes(weights_.vector(), weights_.bias(), x, scores_.data());
    const auto label = static_cast<std::uint32_t>(x.label);
    for (const double score : scores_) {
      if (std::isnan(score)) throw_overflow(x.row);
    }
    Outcome outcome;
    const std::uint32_t rival =
        compare_with_rival(scores_.data(), weights_.classes(), label, rule_.tie, x.weight, outcome);
    outcome.step = rule_.step(outcome.mistake, outcome.margin, x.squared_norm + weights_.bias().squared(), x.weight);
    outcome.updated = outcome.step != 0;
    return {outcome, rival};
  }

  template <class Value, bool dense>
  void move(const Example<Value, dense>& x, double amount, std::uint32_t lowered) {
    const Moved moved{static_cast<std::uint32_t>(x.label), lowered};
    weights_.move(amount, x, moved);
    keep_.after_update(weights_, x, amount, moved, finished_);
  }

  // The step against every class above the label, each by its share: one move a class, in the order of classes.
  template <class Value, bool dense>
  void share(const Example<Value, dense>& x, double step) {
    const auto label = static_cast<std::uint32_t>(x.label);
    double excess = 0;
    double above = 0;
    for (std::uint32_t k = 0; k < weights_.classes(); ++k) {
      if (k == label || !ranks_above(k, label)) continue;
      above += 1;
      excess += scores_[k] - scores_[label];
    }
    if (!std::isfinite(excess)) throw_overflow(x.row);
    const bool equally = rule_.update == ClassUpdate::uniform || excess == 0;
    const double own = scores_[label];
    for (std::uint32_t k = 0; k < weights_.classes(); ++k) {
      if (k == label || !ranks_above(k, label)) continue;
      const double part = equally ? step / above : step * ((scores_[k] - own) / excess);
      if (part != 0) move(x, part, k);
    }
  }

  mutable std::vector<double> scores_;
};

}  // namespace halfspace
