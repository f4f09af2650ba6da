// A question about points in memory: of two classes signed points, of more Kesler's points.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <optional>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/decide/kesler.h"
#include "proof/exact/problem.h"

namespace halfspace::proof {

struct Asked {
  std::uint32_t classes = 2;
  std::int32_t positive = 1;  // two classes: the number of the class with y = +1
  bool biased = true;
  mpq_class bias_scale = 1;

  bool many() const noexcept { return classes > 2; }
  std::uint32_t rivals() const noexcept { return many() ? classes - 1 : 0; }
};

struct Posed {
  std::optional<Kesler> many;  // more than two classes
  Problem problem;             // refers to the points, or to those of `many`
};

// The points must outlive the result. Throws as kesler() does.
Posed pose(const Points& points, const Asked& asked, const RowsOptions& memory, const Budget& budget);
// Of more than two classes, only these rows against these classes: a part of the question.
Posed pose_part(const Points& points, const Asked& asked, std::vector<Kesler::Origin> origins,
                const RowsOptions& memory, const Budget& budget);

// Returns the square of the longest row, with its bias.
mpq_class squared_radius(const Points& points, const Asked& asked);
// Returns that of the longest signed point: of more than two classes a row stands in two blocks.
mpq_class squared_length_of_points(const mpq_class& squared_radius, const Asked& asked);

// Return the parts of a certificate; `points` are those of the data.
Separator shown_separator(const Posed& posed, const std::vector<mpz_class>& v);
Combination shown_combination(const Posed& posed, const Points& points, const WeightedMembers& weights);

}  // namespace halfspace::proof
