// The last steps from a parsed and committed chunk to a block of rows.
//
// Thread-safety: pure functions of their arguments.
#pragma once

#include <vector>

#include "stream/parser.h"
#include "stream/pipeline/transform.h"

namespace halfspace::stream {

// Transforms the values, removes the rows that are bad, multiplies the weights by those of the classes, and returns the
// block, valid until the chunk changes. Afterwards `bad` has each bad row once, in order; with `stop_at_bad` only the
// first, and the block no row after it.
Block finish_rows(const Transforms& transforms, const std::vector<double>& class_factors, bool stop_at_bad,
                  ParsedChunk& parsed);

}  // namespace halfspace::stream
