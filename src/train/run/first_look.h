// Warnings about the first rows, before training.
#pragma once

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Notes columns that look misused, such as a row-number column taken as a feature, from the first block of a new run.
// `options`: how the rows are read. Does nothing without on_note.
void survey_first_rows(const Block& block, const Schema& schema, const ReadOptions& options);

}  // namespace halfspace::training
