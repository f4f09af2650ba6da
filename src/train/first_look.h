// What the first rows suggest, said before anything is learned from them.
#pragma once

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Notes columns that are not what they are taken for, such as the numbers of rows, by the first block of a new run. The
// options are those that the rows are read with. Does nothing without on_note.
void look_at_first_rows(const Block& block, const Schema& schema, const ReadOptions& options);

}  // namespace halfspace::training
