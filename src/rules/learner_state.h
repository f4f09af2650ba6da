// Saving and restoring learners: one shape for the weights of every kind, a few numbers for the rest. What each number
// means is written down in docs/formats/model.md.
#pragma once

#include <string>
#include <utility>

#include "game/player.h"
#include "halfspace/base/error.h"
#include "halfspace/linear/weights/scaled.h"
#include "halfspace/rules/minnow.h"

namespace halfspace::game {

inline ClassWeightVector flat(const WeightVector& v) {
  return {1, v.w, {v.bias}};
}
inline ClassWeightVector flat(const ClassWeightVector& v) {
  return v;
}

[[noreturn]] inline void refuse(const char* what) {
  throw Error(ErrorKind::data, std::string("the learner's state does not fit its composition: ") + what);
}

inline void unflatten(const ClassWeightVector& flat, WeightVector& v) {
  if (flat.classes != 1 || flat.bias.size() != 1) refuse("a binary learner has one vector of weights");
  v.w = flat.w;
  v.bias = flat.bias[0];
}
inline void unflatten(const ClassWeightVector& flat, ClassWeightVector& v) {
  if (flat.classes != v.classes || flat.bias.size() != v.classes || flat.w.size() % v.classes != 0) {
    refuse("the number of classes differs");
  }
  v = flat;
}

// The keepers, each to (kept, counts, votes) and back.
template <class W>
void save_keep(const Last<W>&, LearnerState&) {}
template <class W>
void restore_keep(Last<W>&, const LearnerState&) {}

template <class W>
void save_keep(const Average<W>& keep, LearnerState& state) {
  if constexpr (Accumulates<W>) {
    state.kept = flat(keep.lag);
  } else {
    state.kept = flat(keep.lag.vector());
  }
}
template <class W>
void restore_keep(Average<W>& keep, const LearnerState& state) {
  if constexpr (Accumulates<W>) {
    unflatten(state.kept, keep.lag);
  } else {
    unflatten(state.kept, keep.lag.vector());
  }
  if (state.kept.w.size() > state.weights.w.size()) refuse("the average has more features than the weights");
}
// The mass stands among the numbers: the last of them (restore_weights).
inline void save_keep(const Average<ScaledWeights>& keep, LearnerState& state) {
  state.kept = flat(keep.sum);
  state.kept_counts = {keep.counted};
  state.numbers.push_back(keep.mass);
}
inline void restore_keep(Average<ScaledWeights>& keep, const LearnerState& state) {
  if (state.kept_counts.size() != 1) refuse("the average counts its rounds");
  unflatten(state.kept, keep.sum);
  keep.counted = state.kept_counts[0];
}
inline void save_keep(const Average<ExponentialWeights>& keep, LearnerState& state) {
  state.kept = flat(keep.sum);
  state.kept_counts = {keep.counted};
}
inline void restore_keep(Average<ExponentialWeights>& keep, const LearnerState& state) {
  if (state.kept_counts.size() != 1) refuse("the average counts its rounds");
  unflatten(state.kept, keep.sum);
  keep.counted = state.kept_counts[0];
}

template <class W>
void save_keep(const Pocket<W>& keep, LearnerState& state) {
  state.kept = flat(keep.best);
  if (state.kept.classes == 0) state.kept.classes = 1;
  state.kept_counts = {keep.filled, keep.ratchet, keep.best_errors, keep.best_run, keep.born};
}
template <class W>
void restore_keep(Pocket<W>& keep, const LearnerState& state) {
  if (state.kept_counts.size() != 5) refuse("the pocket has five counts");
  keep.filled = state.kept_counts[0] != 0;
  keep.ratchet = state.kept_counts[1] != 0;
  keep.best_errors = state.kept_counts[2];
  keep.best_run = state.kept_counts[3];
  keep.born = state.kept_counts[4];
  if constexpr (std::is_same_v<typename Pocket<W>::Point, ClassWeightVector>) {
    if (!keep.filled) return;  // it has no number of classes yet
    keep.best.classes = state.kept.classes;
  }
  unflatten(state.kept, keep.best);
}

template <class W>
void save_keep(const Vote<W>& keep, LearnerState& state) {
  state.votes = keep.history;
}
template <class W>
void restore_keep(Vote<W>& keep, const LearnerState& state) {
  keep.history = state.votes;
}

// Weights with a state of their own put it into numbers and moments, and check what they are given back.
template <class W>
concept HasOwnState = requires(const W weights, std::vector<double> list) {
  weights.save(list, list);
};

// The weights and the rule.
template <class L>
void save_weights(const L& learner, LearnerState& state) {
  state.weights = flat(learner.weights().vector());
  if constexpr (HasOwnState<std::decay_t<decltype(learner.weights())>>) {
    learner.weights().save(state.numbers, state.moments);
  }
  if constexpr (requires { learner.rule().corrections; }) state.numbers.push_back(learner.rule().corrections);
}
template <class L>
void restore_weights(L& learner, const LearnerState& state) {
  if constexpr (HasOwnState<std::decay_t<decltype(learner.weights())>>) {
    std::vector<double> numbers = state.numbers;
    const auto take_last = [&](double& number) {
      if (numbers.empty()) refuse("a number is missing");
      number = numbers.back();
      numbers.pop_back();
    };
    if constexpr (requires { learner.keep().mass; }) take_last(learner.keep().mass);
    if constexpr (requires { learner.rule().corrections; }) take_last(learner.rule().corrections);
    WeightVector w;
    unflatten(state.weights, w);
    const char* problem = learner.weights().restore(std::move(w), numbers, state.moments);
    if (problem != nullptr) refuse(problem);
  } else {
    if (!state.numbers.empty()) refuse("this rule has no numbers");
    unflatten(state.weights, learner.weights().vector());
  }
}

template <class Rule, template <class> class Keep>
void save_weights(const Linear<Rule, Keep, ExponentialWeights>& learner, LearnerState& state) {
  state.weights = flat(learner.weights().state());
  const auto numbers = learner.weights().numbers();
  state.numbers.assign(numbers.begin(), numbers.end());
  if constexpr (std::is_same_v<Rule, MinnowGuess>) {
    const MinnowGuess& rule = learner.rule();
    state.numbers.insert(state.numbers.end(),
                         {rule.radius, static_cast<double>(rule.guess), static_cast<double>(rule.phase_mistakes),
                          static_cast<double>(rule.radius_restarts)});
  }
}
template <class Rule, template <class> class Keep>
void restore_weights(Linear<Rule, Keep, ExponentialWeights>& learner, const LearnerState& state) {
  constexpr bool guesses = std::is_same_v<Rule, MinnowGuess>;
  if (state.numbers.size() != (guesses ? 8U : 4U)) refuse("exponential weights have four numbers, a guess four more");
  for (const double number : state.numbers) {
    if (!std::isfinite(number)) refuse("a number is not finite");
  }
  if (guesses && state.numbers[4] < 0) refuse("the radius is negative");
  for (const std::size_t i : {3, 5, 6, 7}) {
    if (i < state.numbers.size() && !(state.numbers[i] >= 0 && state.numbers[i] <= 0x1.0p53)) {
      refuse("a count is out of range");
    }
  }
  WeightVector logarithm;
  unflatten(state.weights, logarithm);
  learner.weights().restore(std::move(logarithm),
                            {state.numbers[0], state.numbers[1], state.numbers[2], state.numbers[3]});
  if constexpr (guesses) {
    MinnowGuess& rule = learner.rule();
    rule.radius = state.numbers[4];
    rule.guess = static_cast<std::uint32_t>(std::min(state.numbers[5], 1023.0));
    rule.phase_mistakes = static_cast<std::uint64_t>(state.numbers[6]);
    rule.radius_restarts = static_cast<std::uint64_t>(state.numbers[7]);
  }
}

template <class L>
struct StateOf {
  static ClassWeightVector flat(const typename L::Point& point) { return game::flat(point); }

  static LearnerState save(const L& learner) {
    LearnerState state;
    state.finished = learner.finished();
    save_weights(learner, state);
    save_keep(learner.keep(), state);
    return state;
  }

  static void restore(L& learner, const LearnerState& state) {
    restore_weights(learner, state);
    restore_keep(learner.keep(), state);
    learner.set_finished(state.finished);
  }
};

}  // namespace halfspace::game
