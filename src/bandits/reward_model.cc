// The rules behind estimates of rewards.
#include "bandits/reward_model.h"

#include <algorithm>
#include <utility>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/linear/linear.h"

namespace halfspace {
namespace {

constexpr BiasOptions no_bias{.position = Bias::none};  // an action's row has features that are always there

template <class L>
class RewardsOf : public RewardModel {
 public:
  explicit RewardsOf(L learner) : learner_(std::move(learner)) {}

  void score(const Block& actions, std::span<double> scores, std::span<double> variances) override {
    learner_.grow(actions.features);
    actions.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = 0; i < actions.rows; ++i) {
        scores[i] = learner_.weights().score(actions.example<Value, dense>(i));
        if constexpr (requires { learner_.weights().spread(); }) variances[i] = learner_.weights().spread();
      }
    });
  }

  double estimate(double score) const override {
    if constexpr (requires { learner_.weights().spread(); }) {
      return std::clamp((1 + score) / 2, 0.0, 1.0);
    } else {
      return 1 / (1 + elementary::exp(-score));
    }
  }

  void learn(const ActionRow& row, double reward) override {
    rows_.clear();
    for (const bool positive : {true, false}) {
      const double weight = positive ? reward : 1 - reward;
      if (weight == 0) continue;
      for (std::size_t i = 0; i < row.index.size(); ++i) rows_.add(row.index[i], row.value[i]);
      rows_.end_row(positive, ++row_, weight);
    }
    const Block block = rows_.finish();
    learner_.grow(block.features);
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = 0; i < block.rows; ++i) learner_.round(block.example<Value, dense>(i));
    });
  }

  LearnerState save() const override { return learner_.save(); }
  void restore(const LearnerState& state) override { learner_.restore(state); }

 private:
  L learner_;
  BlockBuffer rows_;
  std::uint64_t row_ = 0;  // for errors
};

}  // namespace

std::unique_ptr<RewardModel> nag_rewards(double rate) {
  using L = Linear<Nag, NormalisedWeights>;
  return std::make_unique<RewardsOf<L>>(
      L(Nag{Tie::positive, MarginLoss::logistic}, NormalisedWeights(no_bias, MarginLoss::logistic, rate)));
}

std::unique_ptr<RewardModel> arow_rewards(double regularization) {
  using L = Linear<Arow, VarianceWeights>;
  return std::make_unique<RewardsOf<L>>(L(Arow{Tie::positive}, VarianceWeights(no_bias, regularization)));
}

}  // namespace halfspace
