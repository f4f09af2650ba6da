// Chooses between the two kinds of questions.
#include "proof/decide/posed.h"

#include <algorithm>
#include <utility>

#include "proof/decide/assemble.h"
#include "proof/exact/separator.h"

namespace halfspace::proof {
namespace {

Problem signed_by_class(const Points& points, const Asked& asked) {
  Problem problem;
  problem.points = &points;
  problem.biased = asked.biased;
  problem.bias_scale = asked.bias_scale;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    problem.members.push_back({i, static_cast<std::int8_t>(points.klass(i) == asked.positive ? 1 : -1)});
  return problem;
}

}  // namespace

Posed pose(const Points& points, const Asked& asked, const RowsOptions& memory, const Budget& budget) {
  if (asked.many()) return pose_part(points, asked, all_origins(points, asked.classes), memory, budget);
  Posed posed;
  posed.problem = signed_by_class(points, asked);
  return posed;
}

Posed pose_part(const Points& points, const Asked& asked, std::vector<Kesler::Origin> origins,
                const RowsOptions& memory, const Budget& budget) {
  RowsOptions left = memory;
  left.memory -= std::min(left.memory, points.bytes());
  Posed posed;
  posed.many = kesler(points, std::move(origins), asked.classes, asked.biased, asked.bias_scale, left, budget);
  posed.problem = posed.many->problem;
  return posed;
}

mpq_class squared_radius(const Points& points, const Asked& asked) {
  return squared_radius(signed_by_class(points, asked));
}

mpq_class squared_length_of_points(const mpq_class& squared_radius, const Asked& asked) {
  return asked.many() ? mpq_class(2 * squared_radius) : squared_radius;
}

Separator shown_separator(const Posed& posed, const std::vector<mpz_class>& v) {
  return posed.many ? kesler_separator(*posed.many, v) : certificate_separator(posed.problem, v);
}

Combination shown_combination(const Posed& posed, const Points& points, const WeightedMembers& weights) {
  return posed.many ? kesler_combination(*posed.many, points, weights)
                    : certificate_combination(posed.problem, weights);
}

}  // namespace halfspace::proof
