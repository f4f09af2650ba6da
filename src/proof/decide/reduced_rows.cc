// Multiplies each row with the basis, by the basis's stored values at each coordinate.
#include "proof/decide/reduced_rows.h"

#include "proof/exact/separator.h"

namespace halfspace::proof {

void reduce(Vector& v) {
  mpz_class divisor = 0;
  for (const mpz_class& x : v) mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), x.get_mpz_t());
  if (divisor <= 1) return;
  for (mpz_class& x : v) mpz_divexact(x.get_mpz_t(), x.get_mpz_t(), divisor.get_mpz_t());
}

Vector weights_of_made(const Problem& problem, const Vector& v, std::size_t features) {
  const DataWeights stored = in_data_coordinates(problem, v);
  Vector result(features);
  for (std::uint32_t j = 0; j < problem.points->features(); ++j) result[problem.points->feature(j)] = stored.weights[j];
  return result;
}

ReducedRows::ReducedRows(const Problem& whole, std::vector<Vector> basis, const RowsOptions& memory,
                         const Budget& budget)
    : basis_(std::move(basis)) {
  std::vector<SparseRow> at(whole.dimension());  // of each coordinate: which vectors of the basis have a value there
  for (std::uint32_t k = 0; k < basis_.size(); ++k) {
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (basis_[k][j] != 0) at[j].emplace_back(k, basis_[k][j]);
    }
  }
  std::vector<mpz_class> sums(basis_.size());
  SparseRow row;
  const auto multiply = [&](std::uint32_t member) {
    for (mpz_class& sum : sums) sum = 0;
    whole.each(member, [&](std::uint32_t j, const mpz_class& value) {
      for (const auto& [k, factor] : at[j]) mpz_addmul(sums[k].get_mpz_t(), factor.get_mpz_t(), value.get_mpz_t());
    });
    row.clear();
    for (std::uint32_t k = 0; k < sums.size(); ++k) {
      if (sums[k] != 0) row.emplace_back(k, sums[k]);
    }
  };
  made_ = make_rows(dimension(), memory, budget, [&](const auto& add) {
    origin_.clear();
    for (std::uint32_t i = 0; i < whole.size(); ++i) {
      multiply(i);
      if (row.empty()) continue;
      origin_.push_back(i);
      add(row);
    }
  });
}

SparseRow ReducedRows::row(std::uint32_t i) const {
  SparseRow row;
  made_.points->each(i, [&](std::uint32_t j, const mpz_class& value) {
    const mpq_class whole = value * made_.problem.unit(j);
    row.emplace_back(made_.points->feature(j), whole.get_num());
  });
  return row;
}

Vector ReducedRows::expanded(const Vector& t) const {
  Vector sum(basis_.front().size());
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] == 0) continue;
    for (std::size_t j = 0; j < sum.size(); ++j)
      mpz_addmul(sum[j].get_mpz_t(), t[k].get_mpz_t(), basis_[k][j].get_mpz_t());
  }
  reduce(sum);
  return sum;
}

// Values are whole, so their units are whole powers of ten.
Vector ReducedRows::coordinates(const Vector& t) const {
  Vector v;
  for (std::uint32_t j = 0; j < made_.points->features(); ++j)
    v.emplace_back(t[made_.points->feature(j)] * made_.problem.unit(j).get_num());
  return v;
}

WeightedMembers ReducedRows::in_whole(const WeightedMembers& of_rows) const {
  WeightedMembers result;
  for (const auto& [i, weight] : of_rows) result.push_back({origin_[i], weight});
  return result;
}

}  // namespace halfspace::proof
