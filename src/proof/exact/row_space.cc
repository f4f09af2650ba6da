// Keeps a reduced echelon form modulo the prime.
#include "proof/exact/row_space.h"

#include <algorithm>
#include <utility>

namespace halfspace::proof {
namespace {

std::uint32_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base % RowSpace::prime;
    base = base * base % RowSpace::prime;
  }
  return static_cast<std::uint32_t>(result);
}

// Subtracts a multiple of `from`, so that `row` becomes 0 at the pivot, where `from` is 1.
void clear(std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& from, std::size_t pivot) {
  const std::uint64_t minus = RowSpace::prime - row[pivot];
  if (row[pivot] == 0) return;
  for (std::size_t c = 0; c < row.size(); ++c)
    row[c] = static_cast<std::uint32_t>((row[c] + minus * from[c]) % RowSpace::prime);
}

}  // namespace

RowSpace::RowSpace(std::size_t columns) : probe_(columns) {
  choose_probe();
}

bool RowSpace::add(std::vector<std::uint32_t> row) {
  for (std::size_t r = 0; r < rows_.size(); ++r) clear(row, rows_[r], pivots_[r]);
  const auto first = std::find_if(row.begin(), row.end(), [](std::uint32_t x) { return x != 0; });
  if (first == row.end()) return false;
  const auto pivot = static_cast<std::size_t>(first - row.begin());
  const std::uint64_t inverse = power(row[pivot], prime - 2);
  for (std::uint32_t& x : row) x = static_cast<std::uint32_t>(x * inverse % prime);
  for (std::vector<std::uint32_t>& other : rows_) clear(other, row, pivot);
  rows_.push_back(std::move(row));
  pivots_.push_back(pivot);
  choose_probe();
  return true;
}

// Draws the entries at columns without a pivot; the others follow.
void RowSpace::choose_probe() {
  for (std::uint32_t& x : probe_) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    x = static_cast<std::uint32_t>((state_ >> 32) % prime);
  }
  for (const std::size_t pivot : pivots_) probe_[pivot] = 0;
  std::vector<std::uint32_t> at_pivots;
  for (const std::vector<std::uint32_t>& row : rows_) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < row.size(); ++c) sum = (sum + std::uint64_t{row[c]} * probe_[c]) % prime;
    at_pivots.push_back(static_cast<std::uint32_t>((prime - sum) % prime));
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) probe_[pivots_[r]] = at_pivots[r];
}

std::vector<std::size_t> RowSpace::independent_columns() const {
  std::vector<std::size_t> columns = pivots_;
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace halfspace::proof
