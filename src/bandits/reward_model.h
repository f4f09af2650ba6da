// A linear model of rewards: a rule of the table that learns an action's row, with its reward as the label.
//
// A reward r in [0, 1] is a row of weight r that is positive, and one of weight 1 - r that is not. The estimate of a
// reward is the probability of the positive class for rules with a logistic loss, else (1 + score) / 2.
//
// Thread-safety: one thread, for estimates too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "halfspace/detail/bandits/action_row.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

class RewardModel {
 public:
  virtual ~RewardModel() = default;

  // Compute of each action its score, the estimate of its reward, and the variance of the score, which is 0 for rules
  // without variances.
  virtual void score(const Block& actions, std::span<double> scores, std::span<double> variances) = 0;
  virtual double estimate(double score) const = 0;
  // Throws Error(data) if a weight overflows.
  virtual void learn(const ActionRow& row, double reward) = 0;

  virtual LearnerState save() const = 0;
  // Throws Error(data) if the state does not fit.
  virtual void restore(const LearnerState& state) = 0;
};

// Makes models of the two rules that the policies use.
std::unique_ptr<RewardModel> nag_rewards(double rate);
std::unique_ptr<RewardModel> arow_rewards(double regularization);

}  // namespace halfspace
