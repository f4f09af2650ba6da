// A table of SQLite as a Format.
#pragma once

#include <memory>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/parser.h"

namespace halfspace::stream {

inline constexpr DataFormat sqlite_format{9};

std::unique_ptr<Format> make_sqlite(const ReadOptions& options);

}  // namespace halfspace::stream
