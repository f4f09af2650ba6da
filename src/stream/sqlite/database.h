// SQLite databases: the rows of one table as a source of text, CSV with a header.
//
// The text is what `sqlite3 -header -csv` writes, so that a table and its export give the same model. Every pass sees
// the rows as of opening the database.
#pragma once

#include <memory>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

// The option that names a table.
inline constexpr std::string_view table_option = "table";

bool recognise_sqlite(std::string_view first_bytes);

// Opens the table that the options name, or the only one. Throws Error: data, usage (no such table, several).
std::unique_ptr<Source> open_table(const ReadOptions& options);

// A table of SQLite as a Format.

inline constexpr DataFormat sqlite_format{9};

std::unique_ptr<Format> make_sqlite(const ReadOptions& options);

}  // namespace halfspace::stream
