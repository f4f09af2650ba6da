// Solves the normal equations G u = e over the rationals.
#include "proof/exact/nearest.h"

#include <algorithm>
#include <utility>

#include "proof/exact/linear_system.h"

namespace halfspace::proof {

std::optional<Nearest> nearest_point(const Problem& problem, const std::vector<std::uint32_t>& support) {
  // Integers: the coordinates of the data times one factor, 10^places of the finest coordinate times the denominator of
  // the bias.
  const std::size_t k = support.size(), features = problem.points->features();
  std::int32_t finest = 0;
  for (std::uint32_t j = 0; j < features; ++j) finest = std::max(finest, problem.points->places(j));
  const mpq_class factor(mpz_class(power_of_ten(static_cast<unsigned long>(finest)) * problem.bias_scale.get_den()));
  std::vector<mpz_class> scale(problem.dimension());
  for (std::size_t j = 0; j < scale.size(); ++j) scale[j] = mpq_class(problem.unit(j) * factor).get_num();
  std::vector<std::vector<mpz_class>> z(k, std::vector<mpz_class>(problem.dimension()));
  for (std::size_t c = 0; c < k; ++c) {
    problem.each(support[c], [&](std::uint32_t j, const mpz_class& value) { z[c][j] = value * scale[j]; });
  }
  IntegerMatrix gram(k, k);
  mpz_class sum;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      sum = 0;
      for (std::size_t j = 0; j < scale.size(); ++j) sum += z[a][j] * z[b][j];
      gram.at(a, b) = sum;
      gram.at(b, a) = sum;
    }
  }
  // The matrix is singular if 0 is in the affine hull or the rows are affinely dependent: returns nothing.
  std::optional<Nearest> result;
  if (std::optional<Fractions> solution = solve(gram, std::vector<mpz_class>(k, 1))) {
    result.emplace();
    result->separator.resize(problem.dimension());
    for (std::size_t c = 0; c < k && result; ++c) {
      mpz_class weight = std::move(solution->numerator[c]);
      if (weight < 0) {
        result.reset();
      } else if (weight > 0) {
        for (std::size_t j = 0; j < scale.size(); ++j) result->separator[j] += weight * z[c][j] * scale[j];
        result->weights.push_back({support[c], std::move(weight)});
      }
    }
  }
  if (!result) return result;
  reduce(result->weights);
  std::sort(result->weights.begin(), result->weights.end(),
            [](const WeightedMember& p, const WeightedMember& q) { return p.member < q.member; });
  mpz_class divisor = 0;
  for (const mpz_class& x : result->separator) mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), x.get_mpz_t());
  if (divisor > 1) {
    for (mpz_class& x : result->separator) x /= divisor;
  }
  return result;
}

}  // namespace halfspace::proof
