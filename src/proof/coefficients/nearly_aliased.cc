// Fits each column by those before it.
#include "proof/coefficients/nearly_aliased.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "halfspace/detail/base/elementary.h"
#include "proof/coefficients/coefficients.h"
#include "proof/decide/decide.h"
#include "proof/decide/reduced_rows.h"

namespace halfspace::proof {
namespace {

using DenseColumn = std::vector<double>;

constexpr std::size_t most_columns = 500;
constexpr std::size_t most_terms = 30;
constexpr double fewest_units = 50;  // of whole numbers, which are exact where they take few values

double product(const DenseColumn& a, const DenseColumn& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Columns, orthogonalized one after the other.
class Basis {
 public:
  const std::vector<std::uint32_t>& coordinates() const noexcept { return coordinates_; }

  struct Fit {
    DenseColumn weights;  // of the columns of the basis
    DenseColumn shares, rest;
  };
  Fit fit(const DenseColumn& column) const {
    Fit fit{DenseColumn(orthogonal_.size()), DenseColumn(orthogonal_.size()), column};
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < orthogonal_.size(); ++k) {
        const double share = product(orthogonal_[k], fit.rest);
        for (std::size_t i = 0; i < column.size(); ++i) fit.rest[i] -= share * orthogonal_[k][i];
        fit.shares[k] += share;
      }
    }
    for (std::size_t k = orthogonal_.size(); k-- > 0;) {
      double share = fit.shares[k];
      for (std::size_t l = k + 1; l < orthogonal_.size(); ++l) share -= triangle_[l][k] * fit.weights[l];
      fit.weights[k] = share / triangle_[k][k];
    }
    return fit;
  }
  void add(std::uint32_t coordinate, Fit fit) {
    const double length = std::sqrt(product(fit.rest, fit.rest));
    if (length == 0) return;
    for (double& x : fit.rest) x /= length;
    fit.shares.push_back(length);
    coordinates_.push_back(coordinate);
    orthogonal_.push_back(std::move(fit.rest));
    triangle_.push_back(std::move(fit.shares));
  }

 private:
  std::vector<std::uint32_t> coordinates_;
  std::vector<DenseColumn> orthogonal_, triangle_;
};

class NearAliasSearch {
 public:
  NearAliasSearch(const Problem& problem, const Budget& budget) : problem_(problem), budget_(budget) {
    bias_ = problem.biased ? problem.points->features() : std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t j = 0; j < problem.points->features(); ++j)
      scale_.push_back(elementary::power_of_ten(-problem.points->places(j)));
    if (problem.biased) scale_.push_back(1);
  }

  std::vector<NearlyAliasedColumn> run(const std::vector<std::uint32_t>& independent) {
    measure();
    sample(independent.size());
    Basis basis;
    for (const std::uint32_t j : independent) {
      budget_.check();
      Basis::Fit fit = basis.fit(values_[j]);
      if (auto found = relation(j, basis, fit)) {
        found_.push_back(std::move(*found));
      } else {
        basis.add(j, std::move(fit));
      }
    }
    return std::move(found_);
  }

 private:
  template <class F>
  void each(std::size_t i, F&& f) const {
    problem_.points->each(problem_.members[i].row,
                          [&](std::uint32_t j, const mpz_class& value) { f(j, value.get_d() * scale_[j]); });
    if (problem_.biased) f(bias_, 1.0);
  }

  // Finds the range of each column, and the unit of its last digit.
  void measure() {
    const std::size_t columns = problem_.dimension();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    DenseColumn least(columns, infinity), most(columns, -infinity);
    std::vector<std::size_t> values(columns);
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      each(i, [&](std::uint32_t j, double x) {
        least[j] = std::min(least[j], x);
        most[j] = std::max(most[j], x);
        ++values[j];
      });
    }
    range_.resize(columns);
    reach_.resize(columns);
    unit_.resize(columns);
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (values[j] < problem_.size()) {
        least[j] = std::min(least[j], 0.0);
        most[j] = std::max(most[j], 0.0);
      }
      range_[j] = most[j] - least[j];
      reach_[j] = range_[j] > 0 ? range_[j] : std::abs(most[j]);
      const double of_double = 0x1p-50 * std::max(most[j], -least[j]);
      const bool whole = scale_[j] >= 1;
      if (whole ? range_[j] >= fewest_units * scale_[j] : j != bias_)
        unit_[j] = whole ? scale_[j] : std::max(scale_[j], of_double);
    }
  }

  // Keeps the columns of rows that are evenly spread over the data.
  void sample(std::size_t columns) {
    const std::size_t rows = std::min(problem_.size(), std::max<std::size_t>(2000, 4 * columns));
    values_.assign(problem_.dimension(), DenseColumn(rows));
    for (std::size_t k = 0; k < rows; ++k)
      each(k * problem_.size() / rows, [&](std::uint32_t j, double x) { values_[j][k] = x; });
  }

  // By how much a column may differ from its combination.
  double tolerance(std::uint32_t j, const Basis& basis, const DenseColumn& weights) const {
    double sum = unit_[j];
    for (std::size_t k = 0; k < weights.size(); ++k) sum += std::abs(weights[k]) * unit_[basis.coordinates()[k]];
    return sum;
  }
  bool holds(std::uint32_t j, const Basis& basis, const Basis::Fit& fit) const {
    const double most = tolerance(j, basis, fit.weights);
    if (!(range_[j] >= 8 * most)) return false;
    const double freedom = static_cast<double>(problem_.size()) - static_cast<double>(fit.weights.size());
    constexpr double improbable = 4;  // the power of ten of the odds against chance
    return freedom * elementary::log10(range_[j] / (2 * most)) >= improbable &&
           std::all_of(fit.rest.begin(), fit.rest.end(), [most](double x) { return std::abs(x) <= most; });
  }

  // Returns the relation of a column with few of those in the basis.
  std::optional<NearlyAliasedColumn> relation(std::uint32_t j, const Basis& basis, const Basis::Fit& fit) const {
    if (!holds(j, basis, fit)) return std::nullopt;
    const double most = tolerance(j, basis, fit.weights);
    std::vector<std::pair<double, std::uint32_t>> parts;  // how much each changes the combination
    for (std::size_t k = 0; k < fit.weights.size(); ++k) {
      const std::uint32_t of = basis.coordinates()[k];
      const double part = std::abs(fit.weights[k]) * reach_[of];
      if (part > most) parts.emplace_back(part, of);
    }
    std::sort(parts.begin(), parts.end());
    std::vector<std::uint32_t> terms;
    for (const auto& part : parts) terms.push_back(part.second);
    for (std::size_t k = 0; k < terms.size() && terms.size() <= most_terms;) {
      budget_.check();
      std::vector<std::uint32_t> fewer = terms;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      const Basis smaller = basis_of(fewer);
      if (holds(j, smaller, smaller.fit(values_[j]))) {
        terms = std::move(fewer);
      } else {
        ++k;
      }
    }
    std::sort(terms.begin(), terms.end(), [this](auto a, auto b) { return a == bias_ || (b != bias_ && a < b); });
    const Basis small = basis_of(terms);
    const Basis::Fit last = small.fit(values_[j]);
    const std::optional<double> difference =
        holds(j, small, last) ? largest_rest(j, small, last.weights) : std::nullopt;
    if (!difference) return std::nullopt;
    NearlyAliasedColumn found{j, {}, static_cast<double>(*difference)};
    for (std::size_t k = 0; k < last.weights.size(); ++k)
      found.terms.emplace_back(small.coordinates()[k], static_cast<double>(last.weights[k]));
    return found;
  }

  Basis basis_of(const std::vector<std::uint32_t>& coordinates) const {
    Basis basis;
    for (const std::uint32_t j : coordinates) basis.add(j, basis.fit(values_[j]));
    return basis;
  }

  // Returns the largest difference of all rows, if the relation holds in all.
  std::optional<double> largest_rest(std::uint32_t column, const Basis& basis, const DenseColumn& weights) const {
    DenseColumn weight(problem_.dimension());
    for (std::size_t k = 0; k < weights.size(); ++k) weight[basis.coordinates()[k]] = -weights[k];
    weight[column] = 1;
    double largest = 0;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      if (i % 4096 == 0) budget_.check();
      double rest = 0;
      each(i, [&](std::uint32_t j, double x) { rest += weight[j] * x; });
      largest = std::max(largest, std::abs(rest));
    }
    return largest <= tolerance(column, basis, weights) ? std::optional(largest) : std::nullopt;
  }

  const Problem& problem_;
  const Budget& budget_;
  std::uint32_t bias_;
  DenseColumn scale_, range_, unit_;
  DenseColumn reach_;                // the range, or the size of a constant
  std::vector<DenseColumn> values_;  // by coordinate, of the sampled rows
  std::vector<NearlyAliasedColumn> found_;
};

}  // namespace

std::vector<NearlyAliasedColumn> find_nearly_aliased(const Problem& problem,
                                                     const std::vector<std::uint32_t>& independent,
                                                     const Budget& budget) {
  if (problem.dimension() > most_columns || problem.size() == 0) return {};
  return NearAliasSearch(problem, budget).run(independent);
}

std::optional<SeparationKind> kind_without(const Problem& problem, const std::vector<std::uint32_t>& coordinates,
                                           const RowsOptions& memory, const Budget& budget) {
  try {
    const auto features = static_cast<std::uint32_t>(problem.dimension());
    const MadeRows made = make_rows(features, memory, budget, [&](const auto& add) {
      for (std::size_t i = 0; i < problem.size(); ++i) {
        SparseRow row;
        problem.each(i, [&](std::uint32_t j, const mpz_class& value) {
          if (std::find(coordinates.begin(), coordinates.end(), j) == coordinates.end()) row.emplace_back(j, value);
        });
        add(row);
      }
    });
    const Decision decision = decide(made.problem, budget, [](const char*, Bracket) {});
    if (decision.separator) return SeparationKind::complete;
    if (decision.witness.empty()) return std::nullopt;
    CoefficientQuestion question;
    question.problem = &made.problem;
    question.order.resize(made.problem.dimension());
    std::iota(question.order.begin(), question.order.end(), 0U);
    question.witness = decision.witness;
    question.memory = memory;
    const Vector direction = find_coefficients(question, budget, [](const char*) {}).direction;
    const bool overlap = std::all_of(direction.begin(), direction.end(), [](const mpz_class& x) { return x == 0; });
    return overlap ? SeparationKind::overlap : SeparationKind::quasi_complete;
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace halfspace::proof
