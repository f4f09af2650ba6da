// How to read what write_text() writes of a source.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"

namespace halfspace::stream {

// Returns the options that read the file at `path` where the rows of the source were to be read.
ReadOptions read_text_of(const RowSource& source, const std::string& path, ReadOptions options);

}  // namespace halfspace::stream
