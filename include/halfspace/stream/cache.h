// The binary cache: data in the form that training uses, so that text is parsed once.
//
//   convert(options, "big.cache");              // text (LIBSVM, CSV ..., idx) to a cache
//   Reader reader({.path = "big.cache"});       // usable wherever data are read; recognised by its magic
//
// A cache holds the values of the text, labels, row numbers and the schema: columns, label names, the order of
// features. It does not hold what training chooses (normalisation, class weights, the positive class). Training on a
// cache gives the same bits as training on its text. Certificates need the decimals of the text, which a cache does not
// keep.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"

namespace halfspace {

// Writes the cache atomically: the path holds either the complete cache or its old content. Training options
// (row_normalised, single, class_weights) are Error(usage). Throws as Reader does, and Error(input_output).
ReadReport convert(const ReadOptions& options, const std::string& path);

// Returns whether the file begins with a cache's magic. Throws Error(no_input), or Error(input_output) if it cannot be
// read.
bool is_cache(const std::string& path);

}  // namespace halfspace
