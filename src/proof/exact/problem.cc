// Sums signed points exactly.
#include "proof/exact/problem.h"

#include <algorithm>

namespace halfspace::proof {

mpq_class Problem::unit(std::size_t j) const {
  if (j == points->features()) return bias_scale;
  const std::int32_t places = points->places(static_cast<std::uint32_t>(j));
  const mpz_class power = power_of_ten(static_cast<unsigned long>(std::abs(places)));
  return places >= 0 ? mpq_class(1, power) : mpq_class(power);
}

std::vector<mpz_class> weighted_sum(const Problem& problem, const WeightedMembers& weights) {
  std::vector<mpz_class> sum(problem.dimension());
  for (const auto& [member, weight] : weights) {
    const mpz_class& factor = weight;
    problem.each(member, [&](std::uint32_t j, const mpz_class& value) {
      mpz_addmul(sum[j].get_mpz_t(), factor.get_mpz_t(), value.get_mpz_t());
    });
  }
  return sum;
}

bool is_witness(const Problem& problem, const WeightedMembers& weights) {
  if (weights.empty()) return false;
  if (std::any_of(weights.begin(), weights.end(), [](const WeightedMember& w) { return w.weight <= 0; })) return false;
  const std::vector<mpz_class> sum = weighted_sum(problem, weights);
  return std::all_of(sum.begin(), sum.end(), [](const mpz_class& x) { return x == 0; });
}

mpq_class squared_distance(const Problem& problem, const WeightedMembers& weights) {
  const std::vector<mpz_class> sum = weighted_sum(problem, weights);
  mpz_class total = 0;
  for (const WeightedMember& w : weights) total += w.weight;
  mpq_class square = 0;
  for (std::size_t j = 0; j < sum.size(); ++j) {
    if (sum[j] == 0) continue;
    const mpq_class x = sum[j] * problem.unit(j);
    square += x * x;
  }
  return square / mpq_class(mpz_class(total * total));
}

void reduce(WeightedMembers& weights) {
  mpz_class divisor = 0;
  for (const WeightedMember& w : weights) mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), w.weight.get_mpz_t());
  if (divisor <= 1) return;
  for (WeightedMember& w : weights) mpz_divexact(w.weight.get_mpz_t(), w.weight.get_mpz_t(), divisor.get_mpz_t());
}

}  // namespace halfspace::proof
