// Whether and how a schema hashes names, from the options of reading.
//
// Thread-safety: pure functions.
#pragma once

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Adds the table of hashed names behind the features of a new schema, whose columns and numeric features are known;
// before it a feature for the missing values of each column. Nothing unless the options ask for it. Throws Error(usage)
// for what cannot be combined with it.
void hash_names(const ReadOptions& options, Schema& schema);

// Throws Error(usage) for options that contradict those of a model.
void check_hashing(const ReadOptions& options, const Schema& schema);

}  // namespace halfspace::stream
