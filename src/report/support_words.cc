// Describes support vectors.
#include "report/support_words.h"

#include <fmt/format.h>

#include "halfspace/rules/kernel_perceptron.h"
#include "report/words.h"

namespace halfspace::report {

std::string support_words(const Model& model) {
  const KernelOptions k = kernel_options(model.composition);
  const KernelState& support = model.learner.kernel;
  std::string words = grouped(support.coefficient.size()) + " support vectors";
  if (!k.budget) return words;
  return words + fmt::format(" of at most {}, {} {} {}", grouped(*k.budget), name_of(k.eviction),
                             k.eviction == Eviction::projectron ? "projected" : "removed",
                             grouped(static_cast<std::uint64_t>(forgotten_in(support).removed)));
}

}  // namespace halfspace::report
