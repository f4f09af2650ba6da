// The kernel perceptron as a run-time learner. Its state is its support vectors; of weights it has none.
#include "halfspace/rules/kernel_perceptron.h"
#include "rules/make_learner.h"

namespace halfspace::game {

template <>
struct StateOf<KernelPerceptron> {
  static ClassWeightVector flat(const WeightVector& none) { return game::flat(none); }

  static LearnerState save(const KernelPerceptron& learner) {
    LearnerState state;
    state.finished = learner.finished();
    state.weights = game::flat(WeightVector{});
    state.kernel = learner.save();
    return state;
  }

  static void restore(KernelPerceptron& learner, const LearnerState& state) {
    learner.restore(state.kernel);
    learner.set_finished(state.finished);
  }
};

std::unique_ptr<Learner> make_kernel(const Composition& composition) {
  return std::make_unique<Player<KernelPerceptron>>(
      KernelPerceptron(composition.kernel, composition.bias, composition.tie, composition.keep == KeepName::average,
                       composition.seed),
      2);
}

}  // namespace halfspace::game
