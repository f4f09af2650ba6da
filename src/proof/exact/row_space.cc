// Keeps a reduced echelon form modulo the prime.
#include "proof/exact/row_space.h"

#include <algorithm>
#include <utility>

namespace halfspace::proof {
namespace {

std::uint64_t inverse_of(std::uint64_t x) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = RowSpace::prime - 2; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = RowSpace::add_product(0, result, x);
    x = RowSpace::add_product(0, x, x);
  }
  return result;
}

// Subtracts a multiple of `from`, so that `row` becomes 0 at the pivot, where `from` is 1.
void clear_at(std::vector<std::uint64_t>& row, const std::vector<std::uint64_t>& from, std::size_t pivot) {
  if (row[pivot] == 0) return;
  const std::uint64_t minus = RowSpace::prime - row[pivot];
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = RowSpace::add_product(row[c], minus, from[c]);
}

}  // namespace

RowSpace::RowSpace(std::size_t columns) : probe_(columns) { choose_probe(); }

bool RowSpace::add(std::vector<std::uint64_t> row) {
  for (std::size_t r = 0; r < rows_.size(); ++r) clear_at(row, rows_[r], pivots_[r]);
  const auto first = std::find_if(row.begin(), row.end(), [](std::uint64_t x) { return x != 0; });
  if (first == row.end()) return false;
  const auto pivot = static_cast<std::size_t>(first - row.begin());
  const std::uint64_t inverse = inverse_of(row[pivot]);
  for (std::uint64_t& x : row) x = add_product(0, x, inverse);
  for (std::vector<std::uint64_t>& other : rows_) clear_at(other, row, pivot);
  rows_.push_back(std::move(row));
  pivots_.push_back(pivot);
  choose_probe();
  return true;
}

// Draws the entries at columns without a pivot; the others follow.
void RowSpace::choose_probe() {
  for (std::uint64_t& x : probe_) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    x = (state_ >> 3) % prime;
  }
  for (const std::size_t pivot : pivots_) probe_[pivot] = 0;
  std::vector<std::uint64_t> at_pivots;
  for (const std::vector<std::uint64_t>& row : rows_) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < row.size(); ++c) sum = add_product(sum, row[c], probe_[c]);
    at_pivots.push_back((prime - sum) % prime);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) probe_[pivots_[r]] = at_pivots[r];
}

std::vector<std::size_t> RowSpace::independent_columns() const {
  std::vector<std::size_t> columns = pivots_;
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace halfspace::proof
