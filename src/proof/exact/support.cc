// Solves for the weights of a support over the rationals.
#include "proof/exact/support.h"

#include <algorithm>
#include <utility>

#include "proof/exact/linear_system.h"

namespace halfspace::proof {
namespace {

// The coordinates that occur, renumbered.
std::vector<std::uint32_t> used_coordinates(const Problem& problem, const std::vector<std::uint32_t>& support,
                                            std::size_t& count) {
  std::vector<std::uint32_t> number(problem.dimension(), 0);
  for (const std::uint32_t i : support) problem.each(i, [&](std::uint32_t j, const mpz_class&) { number[j] = 1; });
  count = 0;
  for (std::uint32_t& x : number) x = x != 0 ? static_cast<std::uint32_t>(count++) : 0;
  return number;
}

}  // namespace

std::optional<WeightedMembers> solve_support(const Problem& problem, const std::vector<std::uint32_t>& support,
                                             std::size_t likely, const Budget& budget) {
  const std::size_t k = support.size();
  if (k == 0) return std::nullopt;
  std::size_t coordinates = 0;
  const std::vector<std::uint32_t> number = used_coordinates(problem, support, coordinates);
  WeightedMembers result;
  if (k == 1) {
    if (coordinates != 0) return std::nullopt;
    result.push_back({support[0], 1});
    return result;
  }
  if (coordinates + 1 < k) return std::nullopt;
  budget.need(2 * IntegerMatrix::bytes(coordinates, k - 1));
  IntegerMatrix a(coordinates, k - 1);
  std::vector<mpz_class> right(coordinates);
  for (std::size_t c = 0, to = 0; c < k; ++c) {
    problem.each(support[c], [&](std::uint32_t j, const mpz_class& value) {
      if (c == likely) {
        right[number[j]] = -value;
      } else {
        a.at(number[j], to) = value;
      }
    });
    if (c != likely) ++to;
  }
  const std::vector<std::size_t> rows = independent_rows(a, budget);
  if (rows.size() + 1 != k) return std::nullopt;
  std::vector<mpz_class> some;
  some.reserve(rows.size());
  for (const std::size_t r : rows) some.push_back(right[r]);
  std::optional<Fractions> solution = solve(a.of_rows(rows), some, budget);
  if (!solution) return std::nullopt;
  for (std::size_t c = 0, from = 0; c < k; ++c) {
    mpz_class weight = c == likely ? solution->denominator : std::move(solution->numerator[from++]);
    if (weight < 0) return std::nullopt;
    if (weight > 0) result.push_back({support[c], std::move(weight)});
  }
  std::sort(result.begin(), result.end(),
            [](const WeightedMember& p, const WeightedMember& q) { return p.member < q.member; });
  reduce(result);
  if (!is_witness(problem, result)) return std::nullopt;
  return result;
}

std::vector<std::uint32_t> independent_coordinates(const Problem& problem, const std::vector<std::uint32_t>& members,
                                                   const Budget& budget) {
  std::size_t count = 0;
  const std::vector<std::uint32_t> number = used_coordinates(problem, members, count);
  std::vector<std::uint32_t> coordinate(count);
  budget.need(IntegerMatrix::bytes(count, members.size()));
  IntegerMatrix a(count, members.size());
  for (std::size_t c = 0; c < members.size(); ++c) {
    problem.each(members[c], [&](std::uint32_t j, const mpz_class& value) {
      coordinate[number[j]] = j;
      a.at(number[j], c) = value;
    });
  }
  std::vector<std::uint32_t> result;
  for (const std::size_t r : independent_rows(a, budget)) result.push_back(coordinate[r]);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace halfspace::proof
