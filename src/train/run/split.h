// Training on a part of the rows: which rows are held out, and column scales, which come from the training part alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Returns whether row r (1-based) is held out: floor(r * share) > floor((r - 1) * share), evenly spaced.
inline bool held_out(std::uint64_t row, double share) {
  if (share <= 0) return false;
  const auto upto = [share](std::uint64_t r) { return std::floor(static_cast<double>(r) * share); };
  return upto(row) > upto(row - 1);
}

// Returns for each feature the exponent e that brings the largest |value| * 2^e into (1/2, 1]; 0 if there is none.
std::vector<std::int16_t> column_exponents(const Rows& rows);

// Returns the rows with every value times 2^exponent of its feature, sealed; features without an exponent are
// unchanged.
Rows scaled(const Rows& rows, const std::vector<std::int16_t>& exponents, const RowsOptions& memory);

// Returns the rows with the schema's logarithms of their values, sealed.
Rows with_logarithms(const Rows& rows, const Schema& schema, const RowsOptions& memory);

}  // namespace halfspace::training
