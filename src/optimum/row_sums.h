// Sums over some rows, for Newton's method and for the proof (newton_by_sums.h).
//
// Thread-safety: an object is one thread's, and computes on several.
#pragma once

#include <memory>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/newton_by_sums.h"

namespace halfspace::optimum {

class RowSums {
 public:
  virtual ~RowSums() = default;
  // Returns what is asked for, of the vectors and the class that the object was made for.
  virtual std::vector<double> answer(const SumsAsked& asked) = 0;
};

// Sums over rows, which are sealed and outlive the object, of `vectors` vectors. `options`: with the cost and the class.
std::unique_ptr<RowSums> row_sums(const Rows& rows, const OptimumOptions& options, std::uint32_t vectors);

}  // namespace halfspace::optimum
