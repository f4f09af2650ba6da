// JSON Lines in the table of formats.
#include <algorithm>
#include <vector>

#include "stream/formats/format_entry.h"
#include "stream/text/first_lines.h"

namespace halfspace::stream::formats {
namespace {

bool begins_an_object(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(line_blanks), line.size()));
  if (!line.starts_with('{')) return false;
  line.remove_prefix(1);
  const std::size_t next = line.find_first_not_of(line_blanks);
  return next != std::string_view::npos && (line[next] == '"' || line[next] == '}');
}

Likeness likeness_of_jsonl(std::string_view text) {
  const std::vector<std::string_view> lines = first_lines_of(text);
  const auto objects = static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), begins_an_object));
  return likeness_of_lines(objects, 0, lines.size(), "JSON objects");
}

bool all_lines_are_objects(std::string_view text, char) {
  return all_first_lines(text, [](std::string_view line) { return line.ends_with('}'); });
}

bool may_be_jsonl(std::string_view text, const FormatEntry&, char) {
  return next_line_with_words(text).starts_with('{');
}

}  // namespace

std::vector<FormatEntry> jsonl() {
  return {{
      .id = DataFormat::jsonl,
      .name = "jsonl",
      .words = "JSON Lines",
      .title = "JSON Lines",
      .listed = "JSON Lines",
      .help = "JSON Lines: an object a line, whose members are the columns",
      .rows_are = "write an object a line, with the model's members",
      .columns = ColumnsAre::columns,
      .rest_in_last_column = true,
      .columns_are_surveyed = true,
      .declares_itself = true,
      .takes = about_hashing | about_missing | about_columns | about_names | about_keeping,
      .turn = 2,
      .likeness = likeness_of_jsonl,
      .in_all_lines = all_lines_are_objects,
      .may_be = may_be_jsonl,
      .make = make_jsonl,
  }};
}

}  // namespace halfspace::stream::formats
