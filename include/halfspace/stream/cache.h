// The binary cache: data in the form that learning takes, so that text is parsed once.
//
//   convert(options, "big.cache");              // text (LIBSVM, CSV ..., idx) to a cache
//   Reader reader({.path = "big.cache"});       // and the cache wherever data are read; it is known by its first bytes
//
// A cache holds values as the text gives them, labels, row numbers and the schema: columns, label names, the order of
// features. What is chosen when learning (normalisation, weights of classes, the positive class) is not in it. Learning
// from a cache gives the same bits as learning from its text. Certificates are about the decimals of the text, which a
// cache no longer has.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"

namespace halfspace {

// Writes the cache atomically: the path holds a whole cache or what it held before. Options of learning
// (row_normalised, single, class_weights) are Error(usage). Throws what Reader throws, and Error(input_output).
ReadReport convert(const ReadOptions& options, const std::string& path);

// Tells whether the file begins as caches do. Throws Error(no_input), or Error(input_output) where the system cannot say.
bool is_cache(const std::string& path);

}  // namespace halfspace
