// A slow account of standard_columns.h: all rows are kept, and centres and scales are computed from those of a period.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace halfspace::testing {

class SlowColumns {
 public:
  using Real = long double;
  struct Change {
    std::size_t column;
    Real ratio, offset;
    bool first;
  };

  SlowColumns(std::size_t columns, bool wanted) : wanted_(wanted), of_(columns) {}

  bool is_standardized(std::size_t j) const { return j < of_.size() && of_[j].has_value(); }
  Real centre(std::size_t j) const { return of_[j]->centre; }
  Real scale(std::size_t j) const { return of_[j]->scale; }
  // Returns the row as learners see it.
  std::vector<Real> measured(const std::vector<double>& row) const {
    std::vector<Real> x(row.begin(), row.end());
    for (std::size_t j = 0; j < of_.size(); ++j) {
      if (of_[j]) x[j] = std::clamp(z(row[j], j), Real{-4}, Real{4});
    }
    return x;
  }
  // Learns from a row, and returns what a period changes when one ends with it.
  std::vector<Change> learn(const std::vector<double>& row) {
    std::vector<Change> changes;
    rows_.push_back(row);
    if (!wanted_ || rows_.size() < 64 || !std::has_single_bit(rows_.size())) return changes;
    const bool first = rows_.size() == 64;
    if (first && 4 * 64 * tried() < held()) return changes;
    for (std::size_t j = 0; j < of_.size(); ++j) {
      if (first ? !is_tried(j) : !of_[j]) continue;
      std::vector<Real> values;
      for (std::size_t i = first ? 0 : rows_.size() / 2; i < rows_.size(); ++i)
        values.push_back(first ? rows_[i][j] : std::clamp(z(rows_[i][j], j), Real{-16}, Real{16}));
      Real mean = 0, squares = 0;
      for (const Real value : values) mean += value / static_cast<Real>(values.size());
      for (const Real value : values) squares += (value - mean) * (value - mean) / static_cast<Real>(values.size());
      const Real ratio = squares > 0 ? std::sqrt(squares) : 1;
      changes.push_back({j, ratio, mean, first});
      of_[j] = first ? Of{mean, ratio} : Of{of_[j]->centre + of_[j]->scale * mean, of_[j]->scale * ratio};
    }
    return changes;
  }

 private:
  struct Of {
    Real centre, scale;
  };
  Real z(Real value, std::size_t j) const { return (value - of_[j]->centre) / of_[j]->scale; }
  bool is_tried(std::size_t j) const {
    std::vector<double> held;
    for (const std::vector<double>& row : rows_) {
      if (row[j] != 0) held.push_back(row[j]);
    }
    std::size_t repeated = 0;
    for (std::size_t i = 1; i < held.size(); ++i) repeated += held[i] == held[i - 1];
    return held.size() > 32 && 2 * repeated <= held.size();
  }

  std::size_t tried() const {
    std::size_t columns = 0;
    for (std::size_t j = 0; j < of_.size(); ++j) columns += is_tried(j);
    return columns;
  }
  std::size_t held() const {
    std::size_t values = 0;
    for (const std::vector<double>& row : rows_)
      values += of_.size() -
                static_cast<std::size_t>(std::count(row.begin(), row.begin() + static_cast<long>(of_.size()), 0.0));
    return values;
  }

  bool wanted_;
  std::vector<std::vector<double>> rows_;
  std::vector<std::optional<Of>> of_;
};

}  // namespace halfspace::testing
