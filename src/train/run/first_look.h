// What is known of the rows before training: how much there is to read, and what the first of them look like.
#pragma once

#include <cstdint>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Notes columns that look misused, such as a row-number column taken as a feature, from the first block of a new run.
// `options`: how the rows are read. Does nothing without on_note.
void survey_first_rows(const Block& block, const Schema& schema, const ReadOptions& options);

// Returns the size of the files, compressed or not; 0 for rows in memory.
std::uint64_t bytes_of_files(const ReadOptions& read);

}  // namespace halfspace::training
