// Reads states from untrusted files.
#include "halfspace/detail/linear/state.h"

#include "halfspace/base/error.h"

namespace halfspace {

void refuse_state(const std::string& what) {
  throw Error(ErrorKind::data, "the learner's state does not fit its composition: " + what);
}

double NumberReader::next(const char* name, const Domain& domain) {
  if (at_ == numbers_.size()) refuse_state(std::string("the number '") + name + "' is missing");
  const double value = numbers_[at_++];
  const std::string problem = domain.problem(value);
  if (!problem.empty()) refuse_state(name + (": " + problem));
  return value;
}

void NumberReader::finish() const {
  if (at_ != numbers_.size()) refuse_state(std::to_string(numbers_.size() - at_) + " numbers too many");
}

void unflatten(const ClassWeightVector& flat, WeightVector& v) {
  if (flat.classes != 1 || flat.bias.size() != 1) refuse_state("a binary learner has one vector of weights");
  v.w = flat.w;
  v.bias = flat.bias[0];
}

void unflatten(const ClassWeightVector& flat, ClassWeightVector& v) {
  if (flat.classes != v.classes || flat.bias.size() != v.classes || flat.w.size() % v.classes != 0) {
    refuse_state("the number of classes differs");
  }
  v = flat;
}

}  // namespace halfspace
