// SOA, the standard optimal algorithm: predicts the label whose error would reduce the class's dimension most.
//
//   predict the r that maximises Ldim(V, x -> r), a tie predicts 1; then keep the hypotheses that agree with the outcome
//
// Guarantee: if some hypothesis is always right, at most Ldim(H) mistakes: the two parts of V cannot both have the
// dimension of V, so a mistake lowers it. No deterministic learner does better (littlestone.h). It must know the class
// on all points in advance. When V is empty it predicts 1 without a guarantee. Cost: two Littlestone dimensions a
// round, cached between rounds; Error(usage) if their budget is spent, since a prediction from a bracket would void the
// bound. Source: Littlestone 1988.
#pragma once

#include <atomic>
#include <cstdint>

#include "halfspace/detail/experts/littlestone.h"

namespace halfspace {

class Soa {
 public:
  // Keeps a reference to the class.
  explicit Soa(const FiniteClass& of, std::uint64_t budget = Littlestone::default_budget,
               const std::atomic<bool>* interrupt = nullptr);

  int predict(std::size_t point);
  void reveal(std::size_t point, int outcome);

  // Returns Ldim(V, x -> label) of the last predict().
  int dimension(int label) const noexcept { return dimension_[label]; }
  // Returns the dimension of the whole class: the bound. Throws Error(usage) if the budget is spent.
  int class_dimension();
  const Hypotheses& version_space() const noexcept { return space_; }
  std::uint64_t emptied() const noexcept { return emptied_; }  // as VersionSpace

 private:
  int exactly(const Hypotheses& set);

  const FiniteClass& class_;
  Littlestone littlestone_;
  Hypotheses space_;
  int dimension_[2] = {-1, -1};
  std::uint64_t rounds_ = 0, emptied_ = 0;
};

}  // namespace halfspace
