// LIBSVM in the table of formats, and how it is recognised.
#include <cstddef>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/slips.h"
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

// A label alone is a row without features; lines of one word each may as well be a text, which check_features decides.
// No row at all is LIBSVM, too.
Likeness likeness_of_libsvm(std::string_view text) {
  std::size_t lines = 0, features = 0, words = 0;
  bool alone = false;  // the first line is one word
  for (std::string_view rest = text; lines < most_first_lines && !rest.empty();) {
    std::string_view row = next_line(rest);
    row = row.substr(0, row.find('#'));
    const std::string_view first = next_word(row), second = next_word(row);
    if (first.empty()) continue;
    const bool feature = looks_like_feature(first) || looks_like_feature(second);
    const bool word = second.empty() && !feature && first.find_first_of(",;|\"") == std::string_view::npos;
    if (lines == 0) alone = word && !is_table_below(rest);
    ++lines;
    features += feature ? 1 : 0;
    words += word ? 1 : 0;
  }
  if (lines == 0) return {1, "there is no row"};
  if (features == 0) return alone ? Likeness{1, "the first line is one word"} : Likeness{};
  return likeness_of_lines(features + words, 0, lines, "label index:value ...");
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
  if (const auto slip = find_weighted_labels(text))
    throw Error(ErrorKind::data, slip->what).at(file, slip->line, 1).showing(slip->text).fix(slip->fix);
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
      .likeness = likeness_of_libsvm,
      .in_all_lines = all_lines_are_libsvm,
      .looks_like = look_of_libsvm,
      .check_look = check_features,
      .make = make_libsvm,
  }};
}

}  // namespace halfspace::stream::formats
