// SQLite in the table of formats.
#include <utility>
#include <vector>

#include "stream/formats/format_entry.h"
#include "stream/sqlite/database.h"

namespace halfspace::stream::formats {
namespace {

constexpr std::string_view a_database = "an SQLite database";

bool is_database_there(Source& source, const std::string&) {
  return source.rewindable() && source.compression() == "none" && recognise_sqlite(source.peek());
}

Records open_database(const ReadOptions& options, std::unique_ptr<Source> source) {
  source.reset();  // closed later it would take SQLite's locks away
  return {.format = sqlite_format, .words = a_database, .source = open_table(options), .parser = make_sqlite(options)};
}

}  // namespace

std::vector<FormatEntry> sqlite() {
  return {{
      .id = sqlite_format,
      .name = "sqlite",
      .words = "SQLite",
      .title = "SQLite",
      .listed = "SQLite",
      .help = "a table of a database of SQLite",
      .rows_are = "give a table with the model's columns",
      .columns = ColumnsAre::columns,
      .columns_by_position = true,
      .columns_are_surveyed = true,
      .takes = about_hashing | about_missing | about_columns | about_names | about_keeping | about_dates |
               about_products | about_texts,
      .options = {{table_option, "NAME", "the table or view of an SQLite database (default: its only table)"}},
      .files = {{.words = a_database,
                 .format = sqlite_format,
                 .recognise = recognise_sqlite,
                 .lies_there = is_database_there,
                 .elsewhere = "an SQLite database is read in place: it must be an uncompressed regular file",
                 .elsewhere_fix = "save it uncompressed to a file, and name that",
                 .open = open_database}},
  }};
}

}  // namespace halfspace::stream::formats
