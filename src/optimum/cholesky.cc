// Rows are contiguous, so all products but those of the backward solve walk along rows.
#include "optimum/cholesky.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimum/passes.h"

namespace halfspace::optimum {

void Cholesky::factor(std::vector<double> triangle) {
  lower_ = std::move(triangle);
  size_ = 0;
  for (std::size_t begin = 0; begin < lower_.size(); ++size_) {
    double* const row = lower_.data() + begin;
    for (std::size_t j = 0; j < size_; ++j) {
      const double* const other = lower_.data() + triangle_row(j);
      row[j] = (row[j] - inner({row, j}, {other, j})) / other[j];
    }
    const double pivot = row[size_] - inner({row, size_}, {row, size_});
    row[size_] = std::sqrt(std::max(pivot, 0x1p-50 * row[size_]));
    begin += size_ + 1;
  }
}

void Cholesky::solve(std::span<double> b) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* const row = lower_.data() + triangle_row(i);
    b[i] = (b[i] - inner({row, i}, b.first(i))) / row[i];
  }
  for (std::size_t i = size_; i-- > 0;) {
    const double* const row = lower_.data() + triangle_row(i);
    b[i] /= row[i];
    add_multiple(b.first(i), -b[i], {row, i});
  }
}

}  // namespace halfspace::optimum
