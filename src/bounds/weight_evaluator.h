// Weights in the form in which they are evaluated, made once for rows that come in parts: it costs as much as a pass
// over all weights, of which there may be more than rows.
//
// Thread-safety: one thread, which uses all cores. Ownership: copies the weights.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "halfspace/detail/bounds/evaluation.h"

namespace halfspace {

// Returns the weights times a power of two that brings the largest to [1, 2), where products with it might leave the
// doubles: where it is beyond 2^64 or below 2^-64, and no weight would lose a bit; else nothing. Predictions and
// geometric margins are the same; other figures are those of the scaled weights.
std::optional<ClassWeightVector> brought_within_reach(const ClassWeightVector& u, BiasOptions bias);

class WeightEvaluator {
 public:
  // `features`: of the rows, as far as known.
  WeightEvaluator(const ClassWeightVector& u, BiasOptions bias, std::uint32_t features);
  ~WeightEvaluator();
  WeightEvaluator(WeightEvaluator&&) noexcept;
  WeightEvaluator& operator=(WeightEvaluator&&) noexcept;

  // Does what evaluate_margins does.
  EvaluatedMargins evaluate(const Rows& rows, Tie tie, std::vector<std::int32_t>* predicted = nullptr);

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace halfspace
