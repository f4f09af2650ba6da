// ARFF in the table of formats.
#include <algorithm>
#include <string>
#include <vector>

#include "stream/arff/header.h"
#include "stream/formats/format_entry.h"
#include "stream/text/first_lines.h"

namespace halfspace::stream::formats {
namespace {

// A slip in the first line does not hide the declarations below.
Likeness likeness_of_arff(std::string_view text) {
  if (begins_arff(text)) return {1, "the first line is @relation or @attribute"};
  const std::vector<std::string_view> lines = first_lines_of(text);
  const auto declarations = std::count_if(lines.begin(), lines.end(), begins_arff);
  if (declarations < 2) return {};
  return {1, std::to_string(declarations) + " of the first lines are @attribute"};
}

bool may_be_arff(std::string_view text, const FormatEntry&, char) {
  const std::string_view line = next_line_with_words(text);
  return line.starts_with('@') || line.starts_with('%');
}

}  // namespace

std::vector<FormatEntry> arff() {
  return {{
      .id = DataFormat::arff,
      .name = "arff",
      .words = "ARFF",
      .title = "ARFF",
      .listed = "ARFF",
      .help = "Weka's table, which declares its columns",
      .rows_are = "declare the model's attributes, and write @data before the rows",
      .columns = ColumnsAre::columns,
      .sparse_columns = true,
      .columns_by_position = true,
      .columns_are_surveyed = true,
      .declares_itself = true,
      .takes = about_hashing | about_columns | about_names | about_keeping | about_texts,
      .turn = 1,
      .likeness = likeness_of_arff,
      .may_be = may_be_arff,
      .make = make_arff,
  }};
}

}  // namespace halfspace::stream::formats
