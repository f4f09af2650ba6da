// Transforms the values of a row after parsing: column scale, row norm, rounding to float.
//
// In this order: value * 2^exponent, then division by the row's norm, then single precision. A row that overflows its
// type becomes a bad row. Thread-safety: pure functions of their arguments.
#pragma once

#include <cstdint>
#include <span>

#include "stream/parser.h"

namespace halfspace::stream {

struct Transforms {
  std::span<const std::int16_t> exponents;
  bool row_normalised = false;
  bool single = false;
  bool lines = true;  // a row is a line of text, shown in the error if the row is bad

  bool any() const noexcept { return !exponents.empty() || row_normalised || single; }
};

void transform_rows(const Transforms& transforms, ParsedChunk& chunk);

// Divides the values by their Euclidean norm; rows of zeros are unchanged. The norm is computed without overflow or
// underflow.
void normalise_row(std::span<double> values);

}  // namespace halfspace::stream
