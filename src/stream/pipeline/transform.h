// Transforms the values of a row after parsing: column scale, row norm, rounding to float.
//
// In this order: value * 2^exponent, then division by the row's norm, then single precision. A row that overflows its
// type becomes a bad row. Thread-safety: pure functions of their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"

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

// Multiplies the weights of rows by the factor of their class, if there are any.
void weigh_by_class(const std::vector<double>& class_factors, BlockBuffer& rows);

// The last steps from a parsed and committed chunk to a block of rows.

// Transforms the values, removes the rows that are bad, multiplies the weights by those of the classes, and returns the
// block, valid until the chunk changes. Afterwards `bad` has each bad row once, in order; with `stop_at_bad` only the
// first, and the block no row after it.
Block finish_rows(const Transforms& transforms, const std::vector<double>& class_factors, bool stop_at_bad,
                  ParsedChunk& parsed);

// The factors of row weights, by class.

// Returns a factor for each class, or nothing if all are 1. Throws Error(usage) for an unknown class, and for a weight
// that is none.
std::vector<double> class_factors(const ReadOptions& options, const Labels& labels);

}  // namespace halfspace::stream
