// LIBSVM in the table of formats, and how it is recognised.
#include <cstddef>
#include <vector>

#include "stream/format_entry.h"
#include "stream/libsvm/labels_alone.h"
#include "stream/text/first_lines.h"

namespace halfspace::stream::formats {
namespace {

// An index that is out of range or a value that is no number is LIBSVM all the same, with a mistake in it.
bool looks_like_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0 || word.find_first_of(",;\"") != std::string_view::npos)
    return false;
  std::string_view index = word.substr(0, colon);
  if (index == "qid") return true;
  if (index.size() > 1 && index.front() == '-') index.remove_prefix(1);
  return index.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns whether consecutive lines are delimited by the same character, where LIBSVM has blanks: then a word above
// them is not part of the table.
bool is_table_below(std::string_view text) {
  constexpr std::size_t looked_at = 64, fewest = 3;
  char mark = '\0';
  std::size_t alike = 0, lines = 0;
  for (std::string_view line; alike < fewest && ++lines <= looked_at && !(line = next_line_with_words(text)).empty();) {
    const std::size_t at = line.find_first_of(",;\t|");
    const char found = at == std::string_view::npos ? '\0' : line[at];
    next_word(line);
    if (looks_like_feature(next_word(line))) return false;  // of several labels
    alike = found == '\0' ? 0 : found == mark ? alike + 1 : 1;
    mark = found;
  }
  return alike == fewest;
}

// A label, if any, and features, or a comment. `features` is set where there are any.
bool is_libsvm_line(std::string_view line, bool& features) {
  line = line.substr(0, line.find('#'));
  bool first = true;
  for (std::string_view word; !(word = next_word(line)).empty(); first = false) {
    const bool feature = looks_like_feature(word);
    if (!feature && (!first || word.find(':') != std::string_view::npos)) return false;
    features = features || feature;
  }
  return true;
}

// No row at all is LIBSVM, too.
bool recognise_libsvm(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    row = row.substr(0, row.find('#'));
    const std::string_view first = next_word(row);
    if (first.empty()) continue;
    const std::string_view second = next_word(row);
    if (second.empty() && first.find_first_of(",;|\"") == std::string_view::npos) return !is_table_below(text);
    return looks_like_feature(first) || looks_like_feature(second);
  }
  return true;
}

bool all_lines_are_libsvm(std::string_view text, char) {
  bool features = false;
  return all_first_lines(text, [&](std::string_view row) { return is_libsvm_line(row, features); }) && features;
}

std::string look_of_libsvm(std::string_view text) {
  bool features = false;
  const bool words =
      all_first_lines(text, [&](std::string_view row) { return is_libsvm_line(row, features) && !features; });
  return words ? "looks like text, or a table of one column" : "looks like LIBSVM";
}

void check_features(const std::string& file, std::string_view text) {
  refuse_labels_alone(file, text, nullptr);
}

}  // namespace

std::vector<FormatEntry> libsvm() {
  return {{
      .id = DataFormat::libsvm,
      .name = "libsvm",
      .words = "LIBSVM",
      .title = "LIBSVM",
      .listed = "LIBSVM",
      .help = "a label, then index:value for what is not 0",
      .rows_are = "rows are a label and index:value, numbered as the model's features are (rows in memory: from 1)",
      .labels = LabelsAre::numbers,
      .counts_features = true,
      .takes = about_indices,
      .turn = 4,
      .recognise = recognise_libsvm,
      .in_all_lines = all_lines_are_libsvm,
      .looks_like = look_of_libsvm,
      .check_look = check_features,
      .make = make_libsvm,
  }};
}

}  // namespace halfspace::stream::formats
