// Reduces a multiclass question to one about signed points (Kesler).
//
// A row x of class k gives a point for each other class r: x in the block of k, -x in the block of r, 0 elsewhere. A w
// with <w, z> > 0 on all of them is a vector for each class such that every row's own class scores highest. With a bias
// each block has one more coordinate.
#pragma once

#include <memory>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct Kesler {
  struct Origin {
    std::uint32_t row;    // position in the points of the data
    std::uint32_t rival;  // the class scored against
  };
  const Points* rows = nullptr;    // the points of the data
  std::unique_ptr<Points> points;  // one copy of the coordinates for each class
  Problem problem;                 // on `points`: all signs +, no bias of its own
  std::vector<Origin> origins;     // of each member
  std::uint32_t classes = 0;
  bool biased = false;
};

// Returns every row against each other class.
std::vector<Kesler::Origin> all_origins(const Points& points, std::uint32_t classes);

// The points must outlive the result. Throws Error(data) if there are too many coordinates, and GaveUp if time is over
// or the points exceed their memory.
Kesler kesler(const Points& points, std::vector<Kesler::Origin> origins, std::uint32_t classes, bool biased,
              const mpq_class& bias_scale, const RowsOptions& memory, const Budget& budget);

// Return the parts of the certificate from proofs about the Kesler points.
Separator kesler_separator(const Kesler& question, const std::vector<mpz_class>& v);
Combination kesler_combination(const Kesler& question, const Points& points, const WeightedMembers& weights);

}  // namespace halfspace::proof
