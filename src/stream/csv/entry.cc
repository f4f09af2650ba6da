// CSV in the table of formats.
#include <vector>

#include "stream/format_entry.h"

namespace halfspace::stream::formats {
namespace {

// A table may hold lines that look like another format's here and there.
bool may_be_csv(std::string_view text, const FormatEntry& other, char delimiter) {
  return other.in_all_lines != nullptr && !other.in_all_lines(text, delimiter);
}

}  // namespace

std::vector<FormatEntry> csv() {
  return {{
      .id = DataFormat::csv,
      .name = "csv",
      .words = "CSV",
      .title = "CSV",
      .listed = "CSV",
      .help = "a table with a column for the label",
      .rows_are = "give a table with the model's columns",
      .nameless_rows_are = "give a table with as many columns as the model's",
      .columns = ColumnsAre::columns,
      .columns_by_position = true,
      .columns_are_surveyed = true,
      .takes = about_hashing | about_header | about_marks | about_missing | about_columns | about_names |
               about_keeping | about_dates | about_products | about_texts,
      .turn = 5,
      .recognise = [](std::string_view) { return true; },  // the last
      .may_be = may_be_csv,
      .make = make_csv,
  }};
}

}  // namespace halfspace::stream::formats
