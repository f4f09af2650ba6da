// Returns how to read the output of write_text().
#pragma once

#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"

namespace halfspace::stream {

// Returns the options that read the file at `path` in place of the source's rows.
ReadOptions read_text_of(const RowSource& source, const std::string& path, ReadOptions options);

}  // namespace halfspace::stream
