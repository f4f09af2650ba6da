// Implements SOA over a finite class.
#include "halfspace/experts/soa.h"

#include <string>

#include "halfspace/base/error.h"

namespace halfspace {

Soa::Soa(const FiniteClass& of, std::uint64_t budget, const std::atomic<bool>* interrupt)
    : class_(of), littlestone_(of, budget, interrupt), space_(of.all()) {}

int Soa::exactly(const Hypotheses& set) {
  const Littlestone::Answer answer = littlestone_.dimension(set);
  if (!answer.exact()) {
    throw Error(ErrorKind::usage, "the Littlestone dimension is between " + std::to_string(answer.lower) + " and " +
                                      std::to_string(answer.upper) + ": the budget of " +
                                      std::to_string(littlestone_.visited()) + " version spaces is spent")
        .fix("raise the budget, take fewer experts or rounds, or use halving, which needs no dimension");
  }
  return answer.lower;
}

int Soa::class_dimension() { return exactly(class_.all()); }

int Soa::predict(std::size_t point) {
  for (const int label : {0, 1}) dimension_[label] = exactly(class_.consistent(space_, point, label));
  return dimension_[1] >= dimension_[0] ? 1 : 0;
}

void Soa::reveal(std::size_t point, int outcome) {
  ++rounds_;
  const bool before = count(space_) > 0;
  space_ = class_.consistent(space_, point, outcome);
  if (before && count(space_) == 0) emptied_ = rounds_;
}

}  // namespace halfspace
