// The changes to the values of a row after it was read: scaling by columns, by rows, rounding to float.
//
// In this order: value * 2^exponent, then the row divided by its norm, then single precision. A row that leaves the
// range of its type becomes a bad row. Thread-safety: pure functions of their arguments.
#pragma once

#include <cstdint>
#include <span>

#include "stream/parser.h"

namespace halfspace::stream {

struct Transforms {
  std::span<const std::int16_t> exponents;
  bool row_normalised = false;
  bool single = false;
  bool lines = true;  // a row is a line of text, which is shown where the row is bad

  bool any() const noexcept { return !exponents.empty() || row_normalised || single; }
};

void transform_rows(const Transforms& transforms, ParsedChunk& chunk);

// Divides the values by their Euclidean norm; zeros stay. No norm overflows or vanishes on the way.
void normalise_row(std::span<double> values);

}  // namespace halfspace::stream
