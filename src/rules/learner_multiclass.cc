// The multiclass rules as a run-time learner.
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_multiclass(const Composition& composition, std::uint32_t classes) {
  const MulticlassRule rule{composition.tie, composition.rate.value_or(1.0), composition.class_update,
                            composition.aggressiveness};
  const ClassWeights start(composition.bias, classes, composition.start);
  switch (composition.keep) {
    case KeepName::average:
      return std::make_unique<Player<Multiclass<Average>>>(Multiclass<Average>(rule, start), classes);
    case KeepName::pocket:
      return std::make_unique<Player<Multiclass<Pocket>>>(Multiclass<Pocket>(rule, start), classes);
    case KeepName::vote:
      return std::make_unique<Player<Multiclass<Vote>>>(Multiclass<Vote>(rule, start), classes);
    default:
      return std::make_unique<Player<Multiclass<Last>>>(Multiclass<Last>(rule, start), classes);
  }
}

}  // namespace halfspace::game
