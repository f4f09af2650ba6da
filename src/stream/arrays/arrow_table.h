// Tables of Arrow's C stream interface (polars, pyarrow, DuckDB, pandas) as a TableText. Source: "The Arrow C data
// interface" and "The Arrow C stream interface", arrow.apache.org.
//
// Thread-safety: as TableText.
#pragma once

#include "halfspace/stream/table_text.h"

namespace halfspace {

// Takes over the stream (a struct ArrowArrayStream*, released here) and its batches, whose buffers are read in place:
// nothing is copied but the text of the rows being read. Columns of integers, floating-point numbers, decimals and
// booleans (0 and 1) are numeric; texts and dictionaries of texts categorical; dates and timestamps dates. Null is a
// missing value. Labels can be set later. Throws Error(usage) for a null or released stream, or another type of column,
// which it names; Error(data) with the producer's message.
TableText arrow_table(void* stream);

}  // namespace halfspace
