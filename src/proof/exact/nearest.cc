// The normal equations G u = e over the rationals.
#include "proof/exact/nearest.h"

#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>

#include <algorithm>

namespace halfspace::proof {

std::optional<Nearest> nearest_point(const Problem& problem, const std::vector<std::uint32_t>& support) {
  // Whole numbers in the coordinates of the data times one factor: 10^places of the finest coordinate, and the denominator of
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
  fmpz_mat_t gram, ones, solution;
  fmpz_t denominator;
  fmpz_mat_init(gram, static_cast<slong>(k), static_cast<slong>(k));
  fmpz_mat_init(ones, static_cast<slong>(k), 1);
  fmpz_mat_init(solution, static_cast<slong>(k), 1);
  fmpz_init(denominator);
  mpz_class sum;
  for (std::size_t a = 0; a < k; ++a) {
    fmpz_one(fmpz_mat_entry(ones, static_cast<slong>(a), 0));
    for (std::size_t b = 0; b <= a; ++b) {
      sum = 0;
      for (std::size_t j = 0; j < scale.size(); ++j) sum += z[a][j] * z[b][j];
      fmpz_set_mpz(fmpz_mat_entry(gram, static_cast<slong>(a), static_cast<slong>(b)), sum.get_mpz_t());
      fmpz_set_mpz(fmpz_mat_entry(gram, static_cast<slong>(b), static_cast<slong>(a)), sum.get_mpz_t());
    }
  }
  // Singular when 0 is in the affine hull, or the rows are affinely dependent: not a case for this.
  std::optional<Nearest> result;
  if (fmpz_mat_solve(solution, denominator, gram, ones) != 0) {
    result.emplace();
    result->separator.resize(problem.dimension());
    const int sign = fmpz_sgn(denominator);
    for (std::size_t c = 0; c < k && result; ++c) {
      mpz_class weight;
      fmpz_get_mpz(weight.get_mpz_t(), fmpz_mat_entry(solution, static_cast<slong>(c), 0));
      if (sign < 0) weight = -weight;
      if (weight < 0) {
        result.reset();
      } else if (weight > 0) {
        for (std::size_t j = 0; j < scale.size(); ++j) result->separator[j] += weight * z[c][j] * scale[j];
        result->weights.push_back({support[c], std::move(weight)});
      }
    }
  }
  fmpz_mat_clear(gram);
  fmpz_mat_clear(ones);
  fmpz_mat_clear(solution);
  fmpz_clear(denominator);
  if (!result) return result;
  reduce(result->weights);
  std::sort(result->weights.begin(), result->weights.end(), [](const WeightedMember& p, const WeightedMember& q) { return p.member < q.member; });
  mpz_class divisor = 0;
  for (const mpz_class& x : result->separator) mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), x.get_mpz_t());
  if (divisor > 1) {
    for (mpz_class& x : result->separator) x /= divisor;
  }
  return result;
}

}  // namespace halfspace::proof
