// Sums the parts of each column exactly.
#include "proof/coefficients/witness_columns.h"

#include <algorithm>
#include <numeric>

namespace halfspace::proof {
namespace {

// Returns the coordinates in which most rows have a value, in their order.
std::vector<std::uint32_t> fullest(const std::vector<std::uint32_t>& values, std::size_t most, std::uint64_t& columns) {
  std::vector<std::uint32_t> kept(values.size());
  std::iota(kept.begin(), kept.end(), 0U);
  std::erase_if(kept, [&](std::uint32_t j) { return values[j] == 0; });
  columns = kept.size();
  std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  kept.resize(std::min(kept.size(), most));
  std::sort(kept.begin(), kept.end());
  return kept;
}

double share(const mpz_class& part, const mpz_class& total, const mpq_class& unit) {
  return mpq_class(mpq_class(part) / mpq_class(total) * unit).get_d();
}

}  // namespace

std::vector<WitnessColumn> witness_columns(const Problem& problem, const WeightedMembers& witness, std::size_t most,
                                           const std::function<std::string(std::uint32_t)>& name,
                                           std::uint64_t& columns) {
  std::vector<std::uint32_t> values(problem.dimension(), 0);
  mpz_class total = 0;
  for (const WeightedMember& row : witness) {
    total += row.weight;
    problem.each(row.member, [&](std::uint32_t j, const mpz_class&) { ++values[j]; });
  }
  const std::vector<std::uint32_t> kept = fullest(values, most, columns);
  std::vector<WitnessColumn> result;
  std::vector<std::size_t> position(problem.dimension(), kept.size());
  for (const std::uint32_t j : kept) {
    position[j] = result.size();
    result.push_back({name(j), 0, std::vector<double>(witness.size(), 0.0)});
  }
  std::vector<mpz_class> positive(kept.size());
  for (std::size_t i = 0; i < witness.size(); ++i) {
    problem.each(witness[i].member, [&](std::uint32_t j, const mpz_class& value) {
      const std::size_t at = position[j];
      if (at == kept.size()) return;
      const mpz_class part = witness[i].weight * value;
      if (part > 0) positive[at] += part;
      result[at].parts[i] = share(part, total, problem.unit(j));
    });
  }
  for (std::size_t k = 0; k < kept.size(); ++k) result[k].positive = share(positive[k], total, problem.unit(kept[k]));
  return result;
}

}  // namespace halfspace::proof
