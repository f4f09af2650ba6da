// Chooses between the two kinds of questions.
#include "proof/decide/posed.h"

#include "proof/decide/assemble.h"

namespace halfspace::proof {

Posed pose(const Points& points, const Asked& asked, const RowsOptions& memory, const Budget& budget) {
  Posed posed;
  if (asked.many()) {
    RowsOptions left = memory;
    left.memory -= std::min(left.memory, points.bytes());
    posed.many = kesler(points, asked.classes, asked.biased, asked.bias_scale, left, budget);
    posed.problem = posed.many->problem;
    return posed;
  }
  posed.problem.points = &points;
  posed.problem.biased = asked.biased;
  posed.problem.bias_scale = asked.bias_scale;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    posed.problem.members.push_back({i, static_cast<std::int8_t>(points.klass(i) == asked.positive ? 1 : -1)});
  return posed;
}

Separator shown_separator(const Posed& posed, const std::vector<mpz_class>& v) {
  return posed.many ? kesler_separator(*posed.many, v) : certificate_separator(posed.problem, v);
}

Combination shown_combination(const Posed& posed, const Points& points, const WeightedMembers& weights) {
  return posed.many ? kesler_combination(*posed.many, points, weights)
                    : certificate_combination(posed.problem, weights);
}

}  // namespace halfspace::proof
