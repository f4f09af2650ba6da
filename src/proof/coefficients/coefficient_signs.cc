// Asks about working sets, and prices all rows exactly.
#include "proof/coefficients/coefficient_signs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proof/decide/decide.h"
#include "proof/exact/separator.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t sampled_rows = 4000;

mpz_class product(const Vector& a, const Vector& b) {
  mpz_class sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Returns the rows with the least angle to the border of the half-space of these weights.
std::vector<std::uint32_t> nearest_rows(const ReducedRows& rows, const Vector& weights, std::size_t most) {
  const SignedPoints points(rows.problem().points->rows(), rows.problem().members, rows.dimension(), false);
  const Vector v = rows.coordinates(weights);
  std::size_t bits = 0;
  for (const mpz_class& x : v) bits = std::max(bits, mpz_sizeinbase(x.get_mpz_t(), 2));
  std::vector<double> w;
  for (const mpz_class& x : v) {  // the largest is about 1, as doubles may not hold them
    long exponent = 0;
    const double mantissa = mpz_get_d_2exp(&exponent, x.get_mpz_t());
    w.push_back(std::ldexp(mantissa, static_cast<int>(std::max(exponent - static_cast<long>(bits), -2000L))));
  }
  std::vector<std::pair<double, std::uint32_t>> near;
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    near.emplace_back(points.dot_unscaled(i, w.data()) / std::sqrt(points.squared_norm(i)), i);
  const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(most, near.size()));
  std::partial_sort(near.begin(), end, near.end());
  std::vector<std::uint32_t> list;
  for (auto it = near.begin(); it != end; ++it) list.push_back(it->second);
  return list;
}

}  // namespace

SignSearch::SignSearch(const ReducedRows& rows, const Vector& weights, const RowsOptions& memory, const Budget& budget)
    : rows_(rows), memory_(memory), budget_(budget), sample_(rows.problem()) {
  sample_.members.clear();
  const std::size_t step = std::max<std::size_t>(1, rows.size() / sampled_rows);
  for (std::size_t i = 0; i < rows.size(); i += step) sample_.members.push_back(rows.problem().members[i]);
  likely_ = nearest_rows(rows, weights, 2 * std::size_t{rows.dimension()} + 2);
}

CoefficientFindings::Sign SignSearch::sign_of(std::uint32_t coordinate, const Vector& direction) {
  const int sign = sgn(direction[coordinate]);
  Vector functional;  // positive for the direction
  for (const Vector& b : rows_.basis()) functional.push_back(b[coordinate] * sign);
  CoefficientFindings::Sign result{coordinate, CoefficientSign::undetermined, {}, {}};
  for (const Vector& t : known_) {
    if (product(t, functional) < 0) {
      result.against = rows_.expanded(t);
      return result;
    }
  }
  std::vector<std::uint32_t> working = likely_;
  for (;;) {
    Vector against;
    if (auto terms = ask(working, functional, against)) {
      for (const WeightedMember& w : *terms) {
        if (std::find(likely_.begin(), likely_.end(), w.member) == likely_.end()) likely_.push_back(w.member);
      }
      result.sign = sign > 0 ? CoefficientSign::positive : CoefficientSign::negative;
      result.terms = rows_.in_whole(*terms);
      return result;
    }
    const std::vector<std::uint32_t> wrong = wrong_under(against);
    if (wrong.empty()) {
      result.against = rows_.expanded(against);
      known_.push_back(std::move(against));
      return result;
    }
    for (const std::uint32_t i : wrong) {
      if (std::find(working.begin(), working.end(), i) == working.end()) working.push_back(i);
    }
  }
}

// Returns weights on rows of the working set whose sum is a multiple of the functional, or else fills `against`, with
// positive products with these rows and a negative one with the functional.
std::optional<WeightedMembers> SignSearch::ask(const std::vector<std::uint32_t>& working, const Vector& functional,
                                               Vector& against) const {
  const MadeRows made = make_rows(rows_.dimension(), memory_, budget_, [&](const auto& add) {
    SparseRow opposite;
    for (std::uint32_t k = 0; k < functional.size(); ++k) {
      if (functional[k] != 0) opposite.emplace_back(k, -functional[k]);
    }
    add(opposite);
    for (const std::uint32_t i : working) add(rows_.row(i));
  });
  const Decision decision = decide(made.problem, budget_, [](const char*, Bracket) {});
  if (decision.separator) {
    against = weights_of_made(made.problem, *decision.separator, rows_.dimension());
    return std::nullopt;
  }
  if (decision.witness.empty()) throw GaveUp{.for_memory = decision.for_memory};
  WeightedMembers terms;
  for (const auto& [i, weight] : decision.witness) {
    if (i > 0) terms.push_back({working[i - 1], weight});
  }
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.member < b.member; });
  return terms;
}

// Returns some rows with products <= 0, the lowest first; none if no row has a negative one.
std::vector<std::uint32_t> SignSearch::wrong_under(const Vector& weights) const {
  const std::size_t most = 8 + std::size_t{rows_.dimension()} / 2;
  const Vector v = rows_.coordinates(weights);
  std::vector<std::uint32_t> wrong;
  const SeparatorMargins of_sample = measure_separator(sample_, v, most, {}, budget_);
  if (of_sample.wrong > 0) {
    for (const std::uint32_t i : of_sample.lowest) wrong.push_back(sample_.members[i].row);
    return wrong;
  }
  const SeparatorMargins of_all = measure_separator(rows_.problem(), v, most, {}, budget_);
  return of_all.wrong > 0 ? of_all.lowest : wrong;
}

}  // namespace halfspace::proof
