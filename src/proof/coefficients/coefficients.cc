// Columns, faces, direction, signs.
#include "proof/coefficients/coefficients.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "proof/coefficients/coefficient_signs.h"
#include "proof/coefficients/faces.h"
#include "proof/exact/linear_system.h"
#include "proof/exact/row_space.h"
#include "proof/exact/separator.h"

namespace halfspace::proof {
namespace {

struct Columns {
  std::vector<std::uint32_t> independent;  // of those before them, in the order
  std::vector<std::uint32_t> dependent;    // ascending
  std::vector<std::uint32_t> rows;         // members that show it
};

// Finds the coordinates that do not depend on those before them in the order.
Columns find_columns(const Problem& problem, const std::vector<std::uint32_t>& order, const Budget& budget) {
  Columns result;
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) position[order[k]] = k;
  RowSpace space(order.size());
  for (std::uint32_t i = 0; i < problem.size() && space.rank() < order.size(); ++i) {
    if (i % 1024 == 0) budget.check();
    std::uint64_t product = 0;
    problem.each(i, [&](std::uint32_t j, const mpz_class& value) {
      product = RowSpace::add_product(product, RowSpace::residue(value), space.probe(position[j]));
    });
    if (product == 0) continue;
    std::vector<std::uint64_t> row(order.size());
    problem.each(i, [&](std::uint32_t j, const mpz_class& value) { row[position[j]] = RowSpace::residue(value); });
    if (space.add(std::move(row))) result.rows.push_back(i);
  }
  std::vector<bool> is_independent(order.size());
  for (const std::size_t k : space.independent_columns()) {
    result.independent.push_back(order[k]);
    is_independent[k] = true;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!is_independent[k]) result.dependent.push_back(order[k]);
  }
  std::sort(result.dependent.begin(), result.dependent.end());
  return result;
}

// Rows that columns separate one by one: a column that is never negative on signed rows is a vector of C, and so is one
// that is never negative on the rows where those before it are 0, with multiples of these added.
struct OneSigned {
  std::vector<Vector> steps;                          // sums of columns of one sign
  std::vector<std::vector<std::uint32_t>> separated;  // by each of them
  std::vector<std::uint32_t> rows;                    // the members that are left
};
OneSigned find_one_signed(const Problem& problem, const Budget& budget) {
  OneSigned result;
  result.rows.resize(problem.size());
  std::iota(result.rows.begin(), result.rows.end(), 0);
  for (;;) {
    budget.check();
    std::vector<std::uint8_t> signs(problem.dimension());  // 1: some value above 0; 2: some below
    for (const std::uint32_t i : result.rows)
      problem.each(i, [&](std::uint32_t j, const mpz_class& value) {
        signs[j] = static_cast<std::uint8_t>(signs[j] | (value > 0 ? 1 : 2));
      });
    Vector step(problem.dimension());
    bool any = false;
    for (std::size_t j = 0; j < signs.size(); ++j) {
      if (signs[j] != 1 && signs[j] != 2) continue;
      step[j] = signs[j] == 1 ? 1 : -1;
      any = true;
    }
    if (!any) return result;
    std::vector<std::uint32_t>& separated = result.separated.emplace_back();
    std::erase_if(result.rows, [&](std::uint32_t i) {
      bool off = false;
      problem.each(i, [&](std::uint32_t j, const mpz_class&) { off = off || step[j] != 0; });
      if (off) separated.push_back(i);
      return off;
    });
    result.steps.push_back(std::move(step));
  }
}

class CoefficientSearch {
 public:
  CoefficientSearch(const CoefficientQuestion& question, const Budget& budget,
                    const std::function<void(const char* stage)>& progress)
      : question_(question), problem_(*question.problem), budget_(budget), progress_(progress) {}

  CoefficientFindings run() {
    progress_("columns that depend on others");
    Columns columns = find_columns(problem_, question_.order, budget_);
    kept_ = std::move(columns.independent);
    findings_.rank_members = std::move(columns.rows);
    find_aliases(columns.dependent);
    Interior interior = find_interior();
    findings_.witness = std::move(interior.witness);
    findings_.direction = std::move(interior.direction);
    if (interior.rows != nullptr) {
      const Vector weights = generic_weights(*interior.rows, interior.weights, budget_);
      findings_.direction = interior.rows->expanded(weights);
      if (!findings_.witness.empty()) findings_.null_space = interior.rows->basis();
      find_signs(*interior.rows, weights);
    }
    return std::move(findings_);
  }

 private:
  Interior find_interior() {
    FaceSearch faces(problem_, kept_, question_.memory, budget_, progress_);
    if (question_.witness.empty())
      return faces.from_separator(findings_.aliased.empty() ? question_.separator : Vector());
    progress_("columns of one sign");
    OneSigned one_signed = find_one_signed(problem_, budget_);
    if (one_signed.rows.size() == problem_.size()) return faces.from_witness(question_.witness);
    // What is left of the rows is a question of its own, on the columns that are independent there.
    Problem rest = problem_;
    rest.members.clear();
    std::vector<std::uint32_t> number(problem_.size());
    for (const std::uint32_t i : one_signed.rows) {
      number[i] = static_cast<std::uint32_t>(rest.size());
      rest.members.push_back(problem_.members[i]);
    }
    WeightedMembers witness = question_.witness;
    for (WeightedMember& w : witness) w.member = number[w.member];
    const std::vector<std::uint32_t> kept = find_columns(rest, question_.order, budget_).independent;
    FaceSearch of_rest(rest, kept, question_.memory, budget_, progress_);
    Interior inner = of_rest.from_witness(witness);
    const Vector next = inner.rows == nullptr ? inner.direction : inner.rows->expanded(inner.weights);
    for (WeightedMember& w : inner.witness) w.member = one_signed.rows[w.member];
    return faces.from_interior(inner.witness, direction_of(one_signed, next));
  }

  // Returns a vector that is positive on every row that a step separates, or the last vector does: multiples of the
  // earlier ones outweigh what later ones take away.
  Vector direction_of(OneSigned& one_signed, const Vector& last) const {
    Vector sum = last;
    clear_aliased(sum);
    while (!one_signed.steps.empty()) {
      Vector step = std::move(one_signed.steps.back());
      clear_aliased(step);
      mpz_class least = 0, lowest = 0;  // of the step, and of the sum
      for (const std::uint32_t i : one_signed.separated.back()) {
        mpz_class by_step = 0, by_sum = 0;
        problem_.each(i, [&](std::uint32_t j, const mpz_class& value) {
          by_step += value * step[j];
          by_sum += value * sum[j];
        });
        if (least == 0 || by_step < least) least = by_step;
        lowest = std::min(lowest, by_sum);
      }
      const mpz_class times = 1 - lowest / least;
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += step[j] * times;
      reduce(sum);
      one_signed.steps.pop_back();
      one_signed.separated.pop_back();
    }
    return sum;
  }

  // Solves for the combination of kept columns that each other column is.
  void find_aliases(const std::vector<std::uint32_t>& dependent) {
    if (dependent.empty()) return;
    const std::size_t rank = kept_.size();
    budget_.need(2 * IntegerMatrix::bytes(rank, rank + dependent.size()));
    IntegerMatrix a(rank, rank);
    std::vector<Vector> rights(dependent.size(), Vector(rank));
    Vector values(problem_.dimension());
    for (std::size_t r = 0; r < rank; ++r) {
      std::fill(values.begin(), values.end(), mpz_class(0));
      problem_.each(findings_.rank_members[r], [&](std::uint32_t j, const mpz_class& value) { values[j] = value; });
      for (std::size_t c = 0; c < rank; ++c) a.at(r, c) = values[kept_[c]];
      for (std::size_t d = 0; d < dependent.size(); ++d) rights[d][r] = -values[dependent[d]];
    }
    auto solutions = solve_all(a, rights, budget_);
    if (!solutions) throw GaveUp{};
    for (std::size_t d = 0; d < dependent.size(); ++d) {
      CoefficientFindings::Aliased aliased{dependent[d], Vector(problem_.dimension())};
      aliased.vector[dependent[d]] = (*solutions)[d].denominator;
      for (std::size_t c = 0; c < rank; ++c) aliased.vector[kept_[c]] = std::move((*solutions)[d].numerator[c]);
      reduce(aliased.vector);
      // The rank modulo the prime may have been too small.
      const SeparatorMargins margins = measure_separator(problem_, aliased.vector, 0, {}, budget_);
      if (margins.zero_negative + margins.zero_positive != problem_.size()) throw GaveUp{};
      findings_.aliased.push_back(std::move(aliased));
    }
  }

  // Makes a vector 0 at aliased coordinates, with the same scores times a positive factor.
  void clear_aliased(Vector& v) const {
    mpz_class common = 1;
    const auto own = [](const CoefficientFindings::Aliased& one) -> const mpz_class& {  // above 0
      return one.vector[one.coordinate];
    };
    for (const CoefficientFindings::Aliased& one : findings_.aliased) {
      if (v[one.coordinate] != 0) mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), own(one).get_mpz_t());
    }
    for (mpz_class& x : v) x *= common;
    for (const CoefficientFindings::Aliased& one : findings_.aliased) {
      if (v[one.coordinate] == 0) continue;
      const mpz_class times = v[one.coordinate] / own(one);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] -= one.vector[j] * times;
    }
    reduce(v);
  }

  void find_signs(const ReducedRows& rows, const Vector& weights) {
    try {
      SignSearch search(rows, weights, question_.memory, budget_);
      for (std::uint32_t j = 0; j < problem_.dimension(); ++j) {
        if (findings_.direction[j] == 0) continue;
        progress_("signs of infinite coefficients");
        findings_.signs.push_back(search.sign_of(j, findings_.direction));
      }
    } catch (const GaveUp&) {
    }
  }

  const CoefficientQuestion& question_;
  const Problem& problem_;
  const Budget& budget_;
  const std::function<void(const char* stage)>& progress_;
  std::vector<std::uint32_t> kept_;
  CoefficientFindings findings_;
};

}  // namespace

CoefficientFindings find_coefficients(const CoefficientQuestion& question, const Budget& budget,
                                      const std::function<void(const char* stage)>& progress) {
  return CoefficientSearch(question, budget, progress).run();
}

}  // namespace halfspace::proof
