// Columns, faces, direction, signs.
#include "proof/coefficients.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "proof/coefficient_signs.h"
#include "proof/exact/linear_system.h"
#include "proof/exact/row_space.h"
#include "proof/exact/separator.h"
#include "proof/faces.h"

namespace halfspace::proof {
namespace {

class CoefficientSearch {
 public:
  CoefficientSearch(const CoefficientQuestion& question, const Budget& budget,
                    const std::function<void(const char* stage)>& progress)
      : question_(question), problem_(*question.problem), budget_(budget), progress_(progress) {}

  CoefficientFindings run() {
    progress_("columns that depend on others");
    find_columns();
    find_aliases();
    Vector separator = question_.separator;
    for (const CoefficientFindings::Aliased& aliased : findings_.aliased) clear(separator, aliased);
    FaceSearch faces(problem_, kept_, question_.memory, budget_, progress_);
    Interior interior =
        question_.witness.empty() ? faces.from_separator(separator) : faces.from_witness(question_.witness);
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
  // Finds the coordinates that do not depend on those before them in the order, and rows that show it.
  void find_columns() {
    const std::vector<std::uint32_t>& order = question_.order;
    std::vector<std::uint32_t> position(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) position[order[k]] = k;
    RowSpace space(order.size());
    for (std::uint32_t i = 0; i < problem_.size() && space.rank() < order.size(); ++i) {
      if (i % 1024 == 0) budget_.check();
      std::uint64_t product = 0;
      problem_.each(i, [&](std::uint32_t j, const mpz_class& value) {
        product = (product + std::uint64_t{RowSpace::residue(value)} * space.probe(position[j])) % RowSpace::prime;
      });
      if (product == 0) continue;
      std::vector<std::uint32_t> row(order.size());
      problem_.each(i, [&](std::uint32_t j, const mpz_class& value) { row[position[j]] = RowSpace::residue(value); });
      if (space.add(std::move(row))) findings_.rank_members.push_back(i);
    }
    std::vector<bool> is_kept(order.size());
    for (const std::size_t k : space.independent_columns()) {
      kept_.push_back(order[k]);
      is_kept[k] = true;
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!is_kept[k]) dependent_.push_back(order[k]);
    }
    std::sort(dependent_.begin(), dependent_.end());
  }

  // Solves for the combination of kept columns that each other column is.
  void find_aliases() {
    if (dependent_.empty()) return;
    const std::size_t rank = kept_.size();
    budget_.need(2 * IntegerMatrix::bytes(rank, rank + dependent_.size()));
    IntegerMatrix a(rank, rank);
    std::vector<Vector> rights(dependent_.size(), Vector(rank));
    Vector values(problem_.dimension());
    for (std::size_t r = 0; r < rank; ++r) {
      std::fill(values.begin(), values.end(), mpz_class(0));
      problem_.each(findings_.rank_members[r], [&](std::uint32_t j, const mpz_class& value) { values[j] = value; });
      for (std::size_t c = 0; c < rank; ++c) a.at(r, c) = values[kept_[c]];
      for (std::size_t d = 0; d < dependent_.size(); ++d) rights[d][r] = -values[dependent_[d]];
    }
    auto solutions = solve_all(a, rights, budget_);
    if (!solutions) throw GaveUp{};
    for (std::size_t d = 0; d < dependent_.size(); ++d) {
      CoefficientFindings::Aliased aliased{dependent_[d], Vector(problem_.dimension())};
      aliased.vector[dependent_[d]] = (*solutions)[d].denominator;
      for (std::size_t c = 0; c < rank; ++c) aliased.vector[kept_[c]] = std::move((*solutions)[d].numerator[c]);
      reduce(aliased.vector);
      findings_.aliased.push_back(std::move(aliased));
    }
  }

  // Makes a vector 0 at an aliased coordinate, with the same scores times a positive factor.
  static void clear(Vector& v, const CoefficientFindings::Aliased& aliased) {
    if (v.empty() || v[aliased.coordinate] == 0) return;
    const mpz_class own = v[aliased.coordinate], by = aliased.vector[aliased.coordinate];  // by > 0
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = v[j] * by - aliased.vector[j] * own;
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
  std::vector<std::uint32_t> kept_, dependent_;  // in the order; ascending
  CoefficientFindings findings_;
};

}  // namespace

CoefficientFindings find_coefficients(const CoefficientQuestion& question, const Budget& budget,
                                      const std::function<void(const char* stage)>& progress) {
  return CoefficientSearch(question, budget, progress).run();
}

}  // namespace halfspace::proof
