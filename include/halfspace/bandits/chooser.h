// A contextual bandit: chooses one of the actions at hand, learns from the reward of that action alone, and knows at
// any time what each of its policies is worth.
//
//   Chooser chooser({.policies = {"squarecb", "epsilon:rate=0.1", "first"}});
//   const ChosenAction choice = chooser.choose({rows, names, {}}, "visit-17");   // rows: a Block, one row an action
//   chooser.learn(choice, 1.0);                                 // the reward, in [0, 1]; late ones likewise
//   const Interval gain = chooser.value("squarecb").gain();     // over what runs
//
// A policy gives each action a probability, from an estimate of its reward. Its estimates are those of a linear model,
// which learns from every reward, whichever policy drew the action: NAG's with logistic loss, or for thompson and
// linucb AROW's, whose variances they use. What runs is one policy, or exp4: a mixture of all, by exponential weights.
//
//   p = (1 - floor) (what runs) + floor / K     over the K actions that may be drawn
//   exp4: what runs is sum_i q_i pi_i,  q_i proportional to e^(-rate L_i),  L_i <- L_i + y_i,  y_i = pi_i(a) (1 - r) / p(a)
//
// Guarantee of exp4, with N policies, any rewards in [0, 1] that come before the next choice, S = sum of K so far, and
// rate = sqrt((1 - floor) ln N / S):
//   expected reward >= that of the best policy - 2 sqrt(ln N S / (1 - floor)) - floor t
// Proof: exponential weights lose at most ln N / rate + sum of rate E[sum_i q_i y_i^2] / 2 more than the best policy;
// sum_i q_i pi_i(a) <= p(a) / (1 - floor), so that a round adds at most rate K / (2 (1 - floor)); the floor loses at
// most floor a round. Guarantee of values: policy_value.h; the propensities are those of the draw, but for the rounding
// of their sum, and every policy's largest ratio is known.
//
// The draw of a choice depends on the seed, its id and its number t alone: the first number of
// Generator(seed + XXH3-64(id) + t 2^64 / phi); the further ones are Thompson's. So the same history of choices and
// rewards gives the same bits.
// Cost: a score an action and model. Memory: that of the models; of each open choice, whose owner is the caller, 12 bytes
// a value and 24 a policy; of each round that waits for one before it (held_rounds()) 48 bytes a policy.
// Source: Auer, Cesa-Bianchi, Freund and Schapire 2002 (Exp4); Foster and Rakhlin 2020 (SquareCB).
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/bandits/policy_value.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/action_losses.h"
#include "halfspace/detail/bandits/action_row.h"
#include "halfspace/detail/bandits/ordered_values.h"
#include "halfspace/detail/bandits/policy.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

struct ChooserOptions {
  static constexpr std::size_t most_policies = 32;
  static constexpr std::string_view exp4 = "exp4";

  // Policies by their words (policy.h). All are valued. Empty: default_policies().
  std::vector<std::string> policies;
  std::string run{exp4};  // one of these, or exp4
  double floor = 0.02;    // the share of uniform draws
  double delta = 0.05;    // the probability that any of the values' bounds ever fails
  std::uint64_t seed = 1;

  static std::vector<std::string> default_policies() { return {"squarecb", "epsilon", "greedy", "exp3-ix", "uniform"}; }
};

// What was chosen, and what learning its reward needs.
struct ChosenAction {
  std::uint64_t round = 0;  // 1-based
  std::size_t action = 0;
  std::vector<double> probability;  // of each action; 0: it could not be drawn
  ActionRow row;                    // of the chosen one
  std::string name;                 // of the chosen one
  std::uint64_t actions = 0;        // that could be drawn
  double model_reward = 0;          // the model's estimate of the reward
  struct Policy {
    double probability, largest_ratio;
    double model_value;  // the model's estimate of its mean reward in this round
  };
  std::vector<Policy> policies;  // of the chosen action; the last is exp4's

  double propensity() const { return probability[action]; }
};

class Chooser {
 public:
  // Throws Error(usage), naming the option, for a policy that there is not, or a number out of range.
  explicit Chooser(const ChooserOptions& options);
  ~Chooser();
  Chooser(Chooser&&) noexcept;
  Chooser& operator=(Chooser&&) noexcept;

  struct Actions {
    Block rows;                              // one an action; labels and weights are not used
    std::span<const std::string> names;      // one an action, distinct
    std::span<const std::uint8_t> excluded;  // one an action, or empty: those that may not be drawn
  };
  // Throws Error(usage) if no action may be drawn.
  ChosenAction choose(const Actions& actions, std::string_view id);
  // As choose(), where another has drawn the action already, with a propensity of its own; the other probabilities are
  // not known. `floor`: no action had less, in any round; 0: not known. Throws Error(usage) for an action that could not
  // be drawn.
  ChosenAction choose_logged(const Actions& actions, std::string_view id, std::size_t action, double propensity,
                             double floor = 0);
  // Learns the reward of a choice, in [0, 1], once. Its round counts for the values once every choice before it has its
  // reward or is forgotten: else those whose rewards come early would speak for all. Throws Error: usage for a reward
  // out of range; data if a weight overflows, after which the chooser is not to be used.
  void learn(const ChosenAction& choice, double reward);
  // Leaves a choice out, for a reason that does not depend on the action drawn.
  void forget(const ChosenAction& choice);

  const ChooserOptions& options() const noexcept { return options_; }
  // Changes what runs. Throws Error(usage) for a policy that is not valued.
  void run(std::string_view policy);

  std::uint64_t choices() const noexcept { return choices_; }
  std::uint64_t rewards() const noexcept { return rewards_; }
  double reward() const noexcept { return reward_; }  // the sum so far
  // Returns what a policy is worth, by its words; exp4 is one. Throws Error(usage) for one that is not valued.
  const PolicyValue& value(std::string_view policy) const;
  const PolicyValue& value_of_what_runs() const { return values_.back(); }
  // Returns how many rounds with a reward do not count for the values yet.
  std::uint64_t held_rounds() const noexcept { return values_.held(); }
  // Returns the probabilities with which exp4 follows the policies.
  std::vector<double> shares() const;
  // Returns the bound of exp4's expected regret against the best policy; none if a reward came late, or another ran.
  std::optional<double> regret_bound() const;

  // Returns the state without the options, machine-independent.
  std::vector<std::uint8_t> save() const;
  // Restores a state of save(), of the same policies. Throws Error(data), naming the field and its offset.
  void restore(std::span<const std::uint8_t> bytes);

 private:
  struct Models;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive);
  std::size_t number_of(std::string_view policy) const;
  void compute(const Actions& actions, Draws& draws);
  void compute(const policy::Policy& policy, const Actions& actions, Draws& draws, std::span<double> p);
  ChosenAction chosen(const Actions& actions, std::size_t drawn);

  ChooserOptions options_;
  std::vector<policy::Policy> policies_;
  std::size_t run_ = 0;  // the last: exp4
  std::unique_ptr<Models> models_;
  OrderedValues values_;        // of each policy, of exp4, and of what runs
  std::vector<double> losses_;  // exp4's estimates L
  ActionLosses action_losses_;  // exp3-ix's
  std::uint64_t choices_ = 0, rewards_ = 0;
  double reward_ = 0;
  double actions_ = 0;       // S
  bool always_exp4_ = true;  // with every reward before the next choice
  // Of the last choice:
  std::vector<std::size_t> drawable_;
  std::vector<std::vector<double>> distributions_;  // of each policy and of exp4, over the drawable actions
  std::vector<double> p_;                           // of the draw
};

}  // namespace halfspace
