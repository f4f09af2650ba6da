// Lifts witnesses from face to face over the rationals.
#include "proof/coefficients/faces.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "proof/decide/decide.h"
#include "proof/exact/linear_system.h"
#include "proof/exact/separator.h"
#include "proof/search/duplicates.h"

namespace halfspace::proof {
namespace {

constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

bool all_zero(const Vector& v) {
  return std::all_of(v.begin(), v.end(), [](const mpz_class& x) { return x == 0; });
}

std::vector<std::uint64_t> residues_of_row(const SparseRow& row, std::size_t columns) {
  std::vector<std::uint64_t> residues(columns);
  for (const auto& [k, value] : row) residues[k] = RowSpace::residue(value);
  return residues;
}

bool may_extend(const RowSpace& space, const SparseRow& row) {
  std::uint64_t product = 0;
  for (const auto& [k, value] : row) product = RowSpace::add_product(product, RowSpace::residue(value), space.probe(k));
  return product != 0;
}

WeightedMembers sum_of(const WeightedMembers& a, const WeightedMembers& b) {
  WeightedMembers sum = a;
  sum.insert(sum.end(), b.begin(), b.end());
  std::stable_sort(sum.begin(), sum.end(), [](const auto& p, const auto& q) { return p.member < q.member; });
  std::size_t size = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (size > 0 && sum[size - 1].member == sum[i].member) {
      sum[size - 1].weight += sum[i].weight;
    } else {
      if (size != i) sum[size] = std::move(sum[i]);
      ++size;
    }
  }
  sum.resize(size);
  return sum;
}

}  // namespace

FaceSearch::FaceSearch(const Problem& problem, const std::vector<std::uint32_t>& kept, const RowsOptions& memory,
                       const Budget& budget, const std::function<void(const char* stage)>& progress)
    : problem_(problem),
      kept_(kept),
      memory_(memory),
      budget_(budget),
      progress_(progress),
      space_(kept.size()),
      position_(problem.dimension(), no_position) {
  for (std::uint32_t k = 0; k < kept.size(); ++k) position_[kept[k]] = k;
}

Interior FaceSearch::from_separator(const Vector& separator) {
  std::vector<Vector> basis(kept_.size(), Vector(problem_.dimension()));
  for (std::size_t k = 0; k < kept_.size(); ++k) basis[k][kept_[k]] = 1;
  Interior result;
  result.rows = std::make_unique<ReducedRows>(problem_, std::move(basis), memory_, budget_);
  if (separator.empty()) {
    const Decision decision = decide(result.rows->problem(), budget_, [](const char*, Bracket) {});
    if (!decision.separator) throw GaveUp{.for_memory = decision.for_memory};
    result.weights = result.rows->weights(*decision.separator);
  } else {
    for (const std::uint32_t j : kept_) result.weights.push_back(separator[j]);
  }
  return result;
}

// A vector of the null space has, at the coordinate that each vector of the basis has for itself, the multiple of it.
Interior FaceSearch::from_interior(const WeightedMembers& witness, const Vector& direction) {
  join(witness);
  Interior result;
  result.witness = witness_;
  result.rows = std::make_unique<ReducedRows>(problem_, null_space(), memory_, budget_);
  const std::vector<Vector>& basis = result.rows->basis();
  const std::vector<std::uint32_t> own = free_coordinates();
  mpz_class common = 1;
  for (std::size_t k = 0; k < basis.size(); ++k)
    mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), basis[k][own[k]].get_mpz_t());
  for (std::size_t k = 0; k < basis.size(); ++k)
    result.weights.push_back(direction[own[k]] * (common / basis[k][own[k]]));
  reduce(result.weights);
  return result;
}

Interior FaceSearch::from_witness(const WeightedMembers& witness) {
  join(witness);
  for (unsigned face = 0; space_.rank() < kept_.size(); ++face) {
    progress_("the face of a witness");
    auto rows = std::make_unique<ReducedRows>(problem_, null_space(), memory_, budget_);
    const bool try_spanning = rows->dimension() > 1 && std::has_single_bit(face + 1);  // ever more rarely
    if (join_conflicts(*rows) || (try_spanning && join_spanning(*rows))) continue;
    const Decision decision = decide(rows->problem(), budget_, [](const char*, Bracket) {});
    if (decision.separator) {
      Interior result;
      result.weights = rows->weights(*decision.separator);
      result.witness = witness_;
      result.rows = std::move(rows);
      return result;
    }
    if (decision.witness.empty()) throw GaveUp{.for_memory = decision.for_memory};
    lift(rows->in_whole(decision.witness));
  }
  Interior result;
  result.direction.resize(problem_.dimension());
  result.witness = witness_;
  return result;
}

Vector FaceSearch::values_of(std::uint32_t member) const {
  Vector values(kept_.size());
  problem_.each(member, [&](std::uint32_t j, const mpz_class& value) {
    if (position_[j] != no_position) values[position_[j]] = value;
  });
  return values;
}

// Adds a witness to the one so far.
void FaceSearch::join(const WeightedMembers& more) {
  witness_ = sum_of(witness_, more);
  reduce(witness_);
  for (const WeightedMember& w : more) {
    SparseRow row;
    const Vector values = values_of(w.member);
    for (std::uint32_t k = 0; k < values.size(); ++k) {
      if (values[k] != 0) row.emplace_back(k, values[k]);
    }
    if (may_extend(space_, row) && space_.add(residues_of_row(row, kept_.size()))) spanning_.push_back(w.member);
  }
}

// Makes a witness of positive weights whose sum lies in the span of the rows so far: that sum is a combination of these
// rows, whose negative weights multiples of their witness outweigh.
void FaceSearch::lift(const WeightedMembers& relative) {
  const Vector sum = weighted_sum(problem_, relative);
  if (all_zero(sum)) return join(relative);
  const std::vector<std::size_t> pivots = space_.independent_columns();
  const std::size_t rank = spanning_.size();
  budget_.need(2 * IntegerMatrix::bytes(rank, rank));
  IntegerMatrix a(rank, rank);
  Vector right;
  for (std::size_t i = 0; i < rank; ++i) {
    const Vector values = values_of(spanning_[i]);
    for (std::size_t c = 0; c < rank; ++c) a.at(c, i) = values[pivots[c]];
  }
  for (const std::size_t c : pivots) right.push_back(-sum[kept_[c]]);
  const std::optional<Fractions> solution = solve(a, right, budget_);
  if (!solution) throw GaveUp{};
  WeightedMembers more;
  for (const auto& [member, weight] : relative) more.push_back({member, weight * solution->denominator});
  mpz_class times = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto own = std::lower_bound(witness_.begin(), witness_.end(), spanning_[i],
                                      [](const WeightedMember& w, std::uint32_t member) { return w.member < member; });
    const mpz_class needed = 1 - solution->numerator[i] / own->weight;  // the quotient is truncated towards 0
    times = std::max(times, needed);
    more.push_back({spanning_[i], solution->numerator[i]});
  }
  for (const auto& [member, weight] : witness_) more.push_back({member, weight * times});
  more = sum_of({}, more);
  reduce(more);
  if (!is_witness(problem_, more)) throw GaveUp{};
  witness_.clear();
  join(more);
}

// Joins rows that contradict one another within the null space, as long as they add to its rank.
bool FaceSearch::join_conflicts(const ReducedRows& rows) {
  const SignedPoints points(rows.problem().points->rows(), rows.problem().members, rows.dimension(), false);
  RowSpace added(rows.dimension());
  WeightedMembers pairs;
  for (const auto& [a, b] : find_conflicts(points).pairs) {
    const SparseRow row = rows.row(a);
    if (!may_extend(added, row) || !is_witness(rows.problem(), {{a, 1}, {b, 1}})) continue;
    if (!added.add(residues_of_row(row, rows.dimension()))) continue;
    pairs = sum_of(pairs, {{a, 1}, {b, 1}});
  }
  if (pairs.empty()) return false;
  lift(rows.in_whole(pairs));
  return true;
}

// Tries for a witness that spans the null space: one of the rows m z + s, where s is the sum of a basis of the rows.
bool FaceSearch::join_spanning(const ReducedRows& rows) {
  constexpr std::uint64_t most_values = 300'000'000;
  const std::uint32_t dimension = rows.dimension();
  if (std::uint64_t{rows.size()} * dimension > most_values) return false;
  RowSpace space(dimension);
  std::vector<std::uint32_t> basis;
  Vector sum(dimension);
  for (std::uint32_t i = 0; i < rows.size() && basis.size() < dimension; ++i) {
    const SparseRow row = rows.row(i);
    if (!may_extend(space, row) || !space.add(residues_of_row(row, dimension))) continue;
    basis.push_back(i);
    for (const auto& [k, value] : row) sum[k] += value;
  }
  if (basis.size() < dimension) return false;
  const unsigned long times = 256UL * dimension;
  const MadeRows moved = make_rows(dimension, memory_, budget_, [&](const auto& add) {
    Vector values;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      values = sum;
      for (const auto& [k, value] : rows.row(i)) values[k] += value * times;
      SparseRow row;
      for (std::uint32_t k = 0; k < dimension; ++k) {
        if (values[k] != 0) row.emplace_back(k, values[k]);
      }
      add(row);
    }
  });
  const Decision decision = decide(moved.problem, budget_, [](const char*, Bracket) {});
  if (decision.witness.empty()) return false;
  WeightedMembers spanning;
  mpz_class total = 0;
  for (const auto& [i, weight] : decision.witness) {
    total += weight;
    spanning.push_back({i, weight * times});
  }
  for (const std::uint32_t i : basis) spanning.push_back({i, total});
  spanning = sum_of({}, spanning);
  reduce(spanning);
  lift(rows.in_whole(spanning));
  return true;
}

// Returns the kept coordinates that are no pivots of the witness's rows.
std::vector<std::uint32_t> FaceSearch::free_coordinates() const {
  const std::vector<std::size_t> pivots = space_.independent_columns();
  std::vector<std::uint32_t> free;
  for (std::size_t c = 0; c < kept_.size(); ++c) {
    if (!std::binary_search(pivots.begin(), pivots.end(), c)) free.push_back(kept_[c]);
  }
  return free;
}

// Gives up unless the vector is 0 on all rows of the witness: the rank modulo the prime was too small.
void FaceSearch::check_zero_on_witness(const Vector& v) const {
  for (const WeightedMember& w : witness_) {
    mpz_class product = 0;
    problem_.each(w.member, [&](std::uint32_t j, const mpz_class& value) { product += value * v[j]; });
    if (product != 0) throw GaveUp{};
  }
}

// Returns a basis of {v on the kept coordinates: <v, z> = 0 on the witness's rows}: a vector for each coordinate that
// is no pivot of the rows.
std::vector<Vector> FaceSearch::null_space() const {
  const std::vector<std::size_t> pivots = space_.independent_columns();
  const std::vector<std::uint32_t> free = free_coordinates();
  const std::size_t rank = spanning_.size();
  budget_.need(2 * IntegerMatrix::bytes(rank, kept_.size()));
  IntegerMatrix a(rank, rank);
  std::vector<Vector> rights(free.size(), Vector(rank));
  for (std::size_t i = 0; i < rank; ++i) {
    const Vector values = values_of(spanning_[i]);
    for (std::size_t c = 0; c < rank; ++c) a.at(i, c) = values[pivots[c]];
    for (std::size_t f = 0; f < free.size(); ++f) rights[f][i] = -values[position_[free[f]]];
  }
  std::vector<Vector> basis;
  std::vector<Fractions> solutions(free.size());
  if (rank > 0) {
    auto all = solve_all(a, rights, budget_);
    if (!all) throw GaveUp{};
    solutions = std::move(*all);
  }
  for (std::size_t f = 0; f < free.size(); ++f) {
    Vector v(problem_.dimension());
    v[free[f]] = rank > 0 ? solutions[f].denominator : mpz_class(1);
    for (std::size_t c = 0; c < rank; ++c) v[kept_[pivots[c]]] = std::move(solutions[f].numerator[c]);
    reduce(v);
    check_zero_on_witness(v);
    basis.push_back(std::move(v));
  }
  return basis;
}

Vector generic_weights(const ReducedRows& rows, const Vector& weights, const Budget& budget) {
  const std::size_t coordinates = rows.basis().front().size();
  std::vector<bool> moves(coordinates);
  for (const Vector& b : rows.basis()) {
    for (std::size_t j = 0; j < coordinates; ++j) moves[j] = moves[j] || b[j] != 0;
  }
  const auto is_generic = [&](const Vector& t) {
    const Vector direction = rows.expanded(t);
    for (std::size_t j = 0; j < coordinates; ++j) {
      if (moves[j] && direction[j] == 0) return false;
    }
    return true;
  };
  if (is_generic(weights)) return weights;
  std::uint64_t state = 88172645463325252;
  const auto small = [&] {  // from -8 to 8
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<long>((state >> 33) % 17) - 8;
  };
  // So much longer than the change, the weights keep their signs.
  for (unsigned long longer = 4;; longer += longer / 2) {
    budget.check();
    Vector t = weights;
    for (mpz_class& x : t) x = (x << longer) + small();
    if (is_generic(t) && measure_separator(rows.problem(), rows.coordinates(t), 0, {}, budget).minimum > 0) return t;
  }
}

}  // namespace halfspace::proof
