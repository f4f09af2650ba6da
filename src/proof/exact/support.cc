// Solving for the weights of a support over the rationals.
#include "proof/exact/support.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <algorithm>
#include <numeric>

namespace halfspace::proof {
namespace {

constexpr mp_limb_t prime = 4611686018427387847u;  // the largest below 2^62

struct IntegerMatrix {
  fmpz_mat_t m;
  IntegerMatrix(std::size_t rows, std::size_t columns) { fmpz_mat_init(m, static_cast<slong>(rows), static_cast<slong>(columns)); }
  ~IntegerMatrix() { fmpz_mat_clear(m); }
  IntegerMatrix(const IntegerMatrix&) = delete;
  IntegerMatrix& operator=(const IntegerMatrix&) = delete;
  fmpz* at(std::size_t r, std::size_t c) const { return fmpz_mat_entry(m, static_cast<slong>(r), static_cast<slong>(c)); }
  std::size_t rows() const { return static_cast<std::size_t>(fmpz_mat_nrows(m)); }
  std::size_t columns() const { return static_cast<std::size_t>(fmpz_mat_ncols(m)); }
};

struct Integer {
  fmpz_t x;
  Integer() { fmpz_init(x); }
  ~Integer() { fmpz_clear(x); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  mpz_class value() const {
    mpz_class v;
    fmpz_get_mpz(v.get_mpz_t(), x);
    return v;
  }
};

mpz_class to_mpz(const fmpz* x) {
  mpz_class v;
  fmpz_get_mpz(v.get_mpz_t(), x);
  return v;
}

// The coordinates that occur, renumbered.
std::vector<std::uint32_t> used_coordinates(const Problem& problem, const std::vector<std::uint32_t>& support, std::size_t& count) {
  std::vector<std::uint32_t> number(problem.dimension(), 0);
  for (const std::uint32_t i : support) problem.each(i, [&](std::uint32_t j, const mpz_class&) { number[j] = 1; });
  count = 0;
  for (std::uint32_t& x : number) x = x != 0 ? static_cast<std::uint32_t>(count++) : 0;
  return number;
}

// Rows of `a` (there are `rank` of them) that are independent modulo the prime; empty when the rank is not the number of columns.
std::vector<std::size_t> independent_rows(const IntegerMatrix& a) {
  nmod_mat_t reduced;
  nmod_mat_init(reduced, static_cast<slong>(a.rows()), static_cast<slong>(a.columns()), prime);
  fmpz_mat_get_nmod_mat(reduced, a.m);
  std::vector<slong> order(a.rows());
  std::iota(order.begin(), order.end(), slong{0});
  const slong rank = nmod_mat_lu(order.data(), reduced, 0);
  nmod_mat_clear(reduced);
  if (rank != static_cast<slong>(a.columns())) return {};
  return {order.begin(), order.begin() + rank};
}

}  // namespace

std::optional<WeightedMembers> solve_support(const Problem& problem, const std::vector<std::uint32_t>& support, std::size_t likely) {
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
  IntegerMatrix a(coordinates, k - 1);
  std::vector<mpz_class> right(coordinates);
  for (std::size_t c = 0, to = 0; c < k; ++c) {
    problem.each(support[c], [&](std::uint32_t j, const mpz_class& value) {
      if (c == likely) {
        right[number[j]] = -value;
      } else {
        fmpz_set_mpz(a.at(number[j], to), value.get_mpz_t());
      }
    });
    if (c != likely) ++to;
  }
  const std::vector<std::size_t> rows = independent_rows(a);
  if (rows.empty()) return std::nullopt;
  IntegerMatrix square(k - 1, k - 1), b(k - 1, 1), x(k - 1, 1);
  for (std::size_t r = 0; r + 1 < k; ++r) {
    for (std::size_t c = 0; c + 1 < k; ++c) fmpz_set(square.at(r, c), a.at(rows[r], c));
    fmpz_set_mpz(b.at(r, 0), right[rows[r]].get_mpz_t());
  }
  Integer denominator;
  if (fmpz_mat_solve_dixon_den(x.m, denominator.x, square.m, b.m) == 0) return std::nullopt;
  const int sign = fmpz_sgn(denominator.x);
  for (std::size_t c = 0, from = 0; c < k; ++c) {
    mpz_class weight = c == likely ? denominator.value() : to_mpz(x.at(from, 0));
    if (c != likely) ++from;
    if (sign < 0) weight = -weight;
    if (weight < 0) return std::nullopt;
    if (weight > 0) result.push_back({support[c], std::move(weight)});
  }
  std::sort(result.begin(), result.end(), [](const WeightedMember& p, const WeightedMember& q) { return p.member < q.member; });
  reduce(result);
  if (!is_witness(problem, result)) return std::nullopt;
  return result;
}

WeightedMembers shorten_witness(const Problem& problem, WeightedMembers weights) {
  for (;;) {
    std::vector<std::uint32_t> support;
    for (const WeightedMember& w : weights) support.push_back(w.member);
    std::size_t coordinates = 0;
    const std::vector<std::uint32_t> number = used_coordinates(problem, support, coordinates);
    // A second relation among the rows: one of the null space of Z with a row for sum = 0.
    IntegerMatrix a(coordinates + 1, support.size()), null(support.size(), support.size());
    for (std::size_t c = 0; c < support.size(); ++c) {
      problem.each(support[c], [&](std::uint32_t j, const mpz_class& value) { fmpz_set_mpz(a.at(number[j], c), value.get_mpz_t()); });
      fmpz_one(a.at(coordinates, c));
    }
    if (fmpz_mat_nullspace(null.m, a.m) == 0) break;
    // N - t v stays >= 0 up to the least N_c / v_c over v_c > 0; there is one, as v sums to 0 and is not 0.
    std::size_t first = support.size();
    mpz_class top, bottom;
    for (std::size_t c = 0; c < support.size(); ++c) {
      const mpz_class v = to_mpz(null.at(c, 0));
      if (v <= 0) continue;
      if (first == support.size() || weights[c].weight * bottom < top * v) {
        first = c;
        top = weights[c].weight;
        bottom = v;
      }
    }
    WeightedMembers rest;
    for (std::size_t c = 0; c < support.size(); ++c) {
      mpz_class weight = weights[c].weight * bottom - top * to_mpz(null.at(c, 0));
      if (weight > 0) rest.push_back({support[c], std::move(weight)});
    }
    weights = std::move(rest);
    reduce(weights);
  }
  return weights;
}

}  // namespace halfspace::proof
