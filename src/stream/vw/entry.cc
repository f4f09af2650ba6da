// Vowpal Wabbit text in the table of formats, and its recognition.
#include <algorithm>
#include <vector>

#include "stream/format_entry.h"
#include "stream/parser.h"
#include "stream/text/first_lines.h"
#include "stream/vw/vw_row.h"

namespace halfspace::stream::formats {
namespace {

enum class Likeness : std::uint8_t { none, some, sure };

// Recognises label importance 'tag|namespace name:value name, including labels that the reader rejects. A line of some
// table may also be a bar followed by one word.
Likeness likeness_of_vw(std::string_view line) {
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos || line.ends_with('|')) return Likeness::none;
  std::string_view before = line.substr(0, bar);
  if (before.ends_with(' ') && lists_labels(before.substr(0, bar - 1))) return Likeness::sure;
  if (before.find_first_of(",;\"") != std::string_view::npos) return Likeness::none;
  const bool named = bar != 0 && line[bar - 1] == ' ' && line[bar + 1] != ' ' && line[bar + 1] != '\t';
  double ignored = 0;
  std::string_view word;
  bool first = true, tag = false;
  for (; !(word = next_word(before)).empty(); first = false) {
    if (tag) return Likeness::none;
    if (first && std::find(vw_heads.begin(), vw_heads.end(), word) != vw_heads.end()) return Likeness::sure;
    const bool number = parse_number(word.substr(0, word.find(':')), ignored) != NumberProblem::not_a_number;
    if (number || (first && named)) continue;
    // Only a tag touches the bar or follows a quote.
    tag = true;
    if (word.front() != '\'' && !before.empty()) return Likeness::none;
  }
  std::string_view behind = line.substr(bar + 1);
  const std::string_view next = next_word(behind);
  // A table delimited by bars has them in every position; a line of VW has words between them.
  if (next.empty() || next.find('|') != std::string_view::npos) return Likeness::none;
  return !next_word(behind).empty() || next.find(':') != std::string_view::npos ? Likeness::sure : Likeness::some;
}

// 1 | one: a number, a bar between blanks, and a word that is no number. A table has bars without blanks, or names
// of its columns.
bool numbers_a_word(std::string_view line) {
  double ignored = 0;
  const std::size_t bar = line.find('|');
  std::string_view before = line.substr(0, bar), behind = line.substr(bar + 1);
  return before.ends_with(' ') && behind.starts_with(' ') &&
         parse_number(next_word(before), ignored) == NumberProblem::none && next_word(before).empty() &&
         parse_number(next_word(behind), ignored) == NumberProblem::not_a_number;
}

bool is_vw(std::string_view text) {
  constexpr std::size_t looked_at = 100;
  std::size_t words = 0;
  for (std::string_view line; words < looked_at && !(line = next_line_with_words(text)).empty(); ++words) {
    const Likeness likeness = likeness_of_vw(line);
    if (likeness == Likeness::sure) return true;
    if (likeness == Likeness::none || !numbers_a_word(line)) return false;
  }
  return words > 1;
}

// A value between any two of two bars or more.
bool parted_by_bars(std::string_view line) {
  std::size_t bars = 0;
  for (;; ++bars) {
    const std::size_t bar = line.find('|');
    std::string_view value = line.substr(0, bar);
    if (next_word(value).find(':') != std::string_view::npos || !next_word(value).empty()) return false;
    if (bar == std::string_view::npos) return bars >= 2;
    line.remove_prefix(bar + 1);
  }
}

// The position of a bar: as in a table, between blanks in one, or as in Vowpal Wabbit, before a name.
enum class BarPlace : std::uint8_t { tight, between_blanks, before_a_name };

BarPlace place_of_bar(std::string_view line, std::size_t bar) {
  const auto blank = [&](std::size_t at) { return line_blanks.find(line[at]) != std::string_view::npos; };
  if (bar > 0 && !blank(bar - 1)) return BarPlace::tight;
  const bool behind = bar + 1 == line.size() || blank(bar + 1);
  return bar > 0 && behind ? BarPlace::between_blanks : BarPlace::before_a_name;
}

// The same number of bars in each of the first lines, none before a name: then texts of several words are cells.
bool is_table_of_bars(std::string_view text) {
  constexpr std::size_t looked_at = 20;
  std::size_t lines = 0, bars = 0;
  std::string_view name, line;
  bool tight = true, named = true;  // the same word follows the first bar of all lines, like a name
  for (; lines < looked_at && !(line = next_line_with_words(text)).empty(); ++lines) {
    std::size_t count = 0;
    for (std::size_t bar = line.find('|'); bar != std::string_view::npos; bar = line.find('|', bar + 1), ++count) {
      const BarPlace place = place_of_bar(line, bar);
      if (place == BarPlace::before_a_name) return false;
      tight = tight && place == BarPlace::tight;
    }
    if (count == 0 || (lines > 0 && count != bars) || line.starts_with('\'')) return false;
    bars = count;
    std::string_view behind = line.substr(line.find('|') + 1);
    if (!tight && behind.find(':') != std::string_view::npos) return false;
    const std::string_view word = next_word(behind);
    named = named && (lines == 0 || word == name) && !behind.empty();
    name = word;
  }
  return lines > 1 && !named && (tight || bars > 1);
}

bool recognise_vw(std::string_view text) {
  std::string_view rest = text;
  return is_vw(text) && !parted_by_bars(next_line_with_words(rest)) && !is_table_of_bars(text);
}

bool all_lines_are_vw(std::string_view text, char delimiter) {
  return all_first_lines(text, [&](std::string_view line) {
    return likeness_of_vw(line) != Likeness::none &&
           (delimiter == ' ' || line.find(delimiter) == std::string_view::npos);
  });
}

// A line of VW may have one word after its bar, and any number of distinct labels.
bool may_be_vw(std::string_view text, const FormatEntry&, char) {
  const std::string_view line = next_line_with_words(text);
  const std::size_t bar = line.find('|');
  return bar != std::string_view::npos && line.substr(0, bar).find_first_of(",;\t\"{") == std::string_view::npos;
}

}  // namespace

std::vector<FormatEntry> vw() {
  return {{
      .id = DataFormat::vw,
      .name = "vw",
      .words = "Vowpal Wabbit",
      .title = "VW",
      .listed = "VW",
      .help = "Vowpal Wabbit's text: a label, then |namespace name:value ...",
      .rows_are = "rows are [label] |namespace name:value ...",
      .columns = ColumnsAre::namespaces,
      .labels = LabelsAre::numbers,
      .takes = about_hashing | about_products | about_namespaces,
      .tag = vw_tag,
      .turn = 3,
      .recognise = recognise_vw,
      .in_all_lines = all_lines_are_vw,
      .may_be = may_be_vw,
      .make = make_vw,
  }};
}

}  // namespace halfspace::stream::formats
