// Pivots in integers with Bland's rule.
#include "proof/exact/simplex.h"

#include <algorithm>

#include "proof/exact/linear_system.h"
#include "proof/exact/separator.h"
#include "proof/exact/support.h"

namespace halfspace::proof {
namespace {

constexpr std::uint32_t unused = 0xffffffff;

class Tableau {
 public:
  Tableau(const Problem& problem, const std::vector<std::uint32_t>& working, const std::vector<std::uint8_t>& counted,
          std::vector<std::uint32_t> coordinates, const Budget& budget)
      : problem_(problem), working_(working), coordinate_(std::move(coordinates)), budget_(budget) {
    std::vector<std::uint32_t> number(problem.dimension(), unused);
    for (std::uint32_t k = 0; k < coordinate_.size(); ++k) number[coordinate_[k]] = k;
    rows_ = coordinate_.size() + 1;
    structural_ = working.size();
    columns_ = structural_ + rows_ + 1;
    budget_.need(IntegerMatrix::bytes(rows_ + 1, columns_));
    cells_.resize((rows_ + 1) * columns_);
    for (std::size_t c = 0; c < structural_; ++c) {
      problem.each(working[c], [&](std::uint32_t j, const mpz_class& value) {
        if (number[j] != unused) at(number[j], c) = value;
      });
      at(rows_ - 1, c) = counted.empty() || counted[working[c]] != 0 ? 1 : 0;
    }
    for (std::size_t r = 0; r < rows_; ++r) {
      at(r, structural_ + r) = 1;
      basis_.push_back(structural_ + r);
    }
    at(rows_ - 1, columns_ - 1) = 1;
    // Costs: 1 for each artificial column; reduced costs subtract the sum of all rows.
    for (std::size_t c = 0; c < columns_; ++c) {
      if (c >= structural_ && c + 1 < columns_) continue;
      for (std::size_t r = 0; r < rows_; ++r) at(rows_, c) -= at(r, c);
    }
  }

  void run() {
    for (;;) {
      budget_.check();
      std::size_t enter = 0;
      while (enter < structural_ && at(rows_, enter) >= 0) ++enter;
      if (enter == structural_) return;
      std::size_t leave = rows_;
      for (std::size_t r = 0; r < rows_; ++r) {
        if (at(r, enter) <= 0) continue;
        if (leave == rows_) {
          leave = r;
          continue;
        }
        const mpz_class one = at(r, columns_ - 1) * at(leave, enter), other = at(leave, columns_ - 1) * at(r, enter);
        if (one < other || (one == other && basis_[r] < basis_[leave])) leave = r;
      }
      pivot(leave, enter);  // a leaving row exists: the sum of the artificials is bounded below
    }
  }

  ExactAnswer answer() {
    ExactAnswer result;
    if (at(rows_, columns_ - 1) == 0) {
      for (std::size_t r = 0; r < rows_; ++r) {
        if (basis_[r] < structural_ && at(r, columns_ - 1) > 0)
          result.witness.push_back({working_[basis_[r]], at(r, columns_ - 1)});
      }
      std::sort(result.witness.begin(), result.witness.end(),
                [](const WeightedMember& a, const WeightedMember& b) { return a.member < b.member; });
      reduce(result.witness);
      return result;
    }
    // The dual y of row r: cost less reduced cost of its artificial column. <y, z> <= -y_sum < 0 on the working set.
    result.separator.resize(problem_.dimension());
    for (std::size_t r = 0; r + 1 < rows_; ++r)
      result.separator[coordinate_[r]] = at(rows_, structural_ + r) - denominator_;
    return result;
  }

 private:
  mpz_class& at(std::size_t r, std::size_t c) { return cells_[r * columns_ + c]; }

  void pivot(std::size_t row, std::size_t column) {
    const mpz_class pivot = at(row, column);
    mpz_class factor;
    for (std::size_t r = 0; r <= rows_; ++r) {
      if (r == row) continue;
      budget_.check();
      factor = at(r, column);
      for (std::size_t c = 0; c < columns_; ++c) {
        mpz_class& cell = at(r, c);
        if (cell == 0 && (factor == 0 || at(row, c) == 0)) continue;
        cell *= pivot;
        if (factor != 0) mpz_submul(cell.get_mpz_t(), factor.get_mpz_t(), at(row, c).get_mpz_t());
        mpz_divexact(cell.get_mpz_t(), cell.get_mpz_t(), denominator_.get_mpz_t());
      }
    }
    denominator_ = pivot;
    basis_[row] = column;
  }

  const Problem& problem_;
  const std::vector<std::uint32_t>& working_;
  std::vector<std::uint32_t> coordinate_;
  const Budget& budget_;
  std::size_t rows_ = 0, structural_ = 0, columns_ = 0;
  std::vector<mpz_class> cells_;
  std::vector<std::size_t> basis_;
  mpz_class denominator_ = 1;
};

// Throws GaveUp.
std::optional<ExactAnswer> decide_within(const Problem& problem, const std::vector<std::uint32_t>& first,
                                         const Budget& budget, const std::vector<std::uint8_t>& counted) {
  std::vector<std::uint32_t> working;
  std::vector<std::uint8_t> in(problem.size(), 0);
  for (const std::uint32_t i : first) {
    if (in[i] == 0) working.push_back(i);
    in[i] = 1;
  }
  if (working.empty() && problem.size() > 0) {
    working.push_back(0);
    in[0] = 1;
  }
  for (;;) {
    Tableau tableau(problem, working, counted, independent_coordinates(problem, working, budget), budget);
    tableau.run();
    ExactAnswer answer = tableau.answer();
    if (!answer.witness.empty()) {
      if (is_witness(problem, answer.witness)) return answer;
      return std::nullopt;  // an unlucky prime
    }
    const SeparatorMargins measured = measure_separator(
        problem, answer.separator, std::max<std::size_t>(4, problem.dimension() / 2), counted, budget);
    if (measured.lowest.empty()) return answer;
    for (const std::uint32_t i : measured.lowest) {
      if (in[i] == 0) working.push_back(i);
      in[i] = 1;
    }
  }
}

}  // namespace

std::optional<ExactAnswer> decide_exactly(const Problem& problem, const std::vector<std::uint32_t>& first,
                                          const Budget& budget, const std::vector<std::uint8_t>& counted) {
  try {
    return decide_within(problem, first, budget, counted);
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace halfspace::proof
