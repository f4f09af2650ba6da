// Tells the format from the first lines.
#include "stream/recognise.h"

#include <algorithm>
#include <utility>

#include "stream/arff/header.h"
#include "stream/parser.h"
#include "stream/text/text.h"
#include "stream/vw/vw_row.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

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

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

std::string_view next_line_with_words(std::string_view& text) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.empty()) return line;
  }
  return {};
}

enum class Likeness : std::uint8_t { none, some, sure };

// Vowpal Wabbit's: label importance 'tag|namespace name:value name. Labels that its reader refuses are among them. A
// bar with one word behind it is a line of some table as well.
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
  // A table cut by bars has them in every place; a line of VW has words between them.
  if (next.empty() || next.find('|') != std::string_view::npos) return Likeness::none;
  return !next_word(behind).empty() || next.find(':') != std::string_view::npos ? Likeness::sure : Likeness::some;
}

// 1 | one: a number, a bar between blanks, and a word that is none. A table would have its bars without blanks, or names
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

// Tells whether some of the next lines, one behind the other, are parted by the same character, where LIBSVM's have
// blanks: a word above them is none of the table.
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

// Where a bar stands: as in a table, between blanks in one, or as Vowpal Wabbit has them, before a name.
enum class BarPlace : std::uint8_t { tight, between_blanks, before_a_name };

BarPlace place_of_bar(std::string_view line, std::size_t bar) {
  const auto blank = [&](std::size_t at) { return blanks.find(line[at]) != std::string_view::npos; };
  if (bar > 0 && !blank(bar - 1)) return BarPlace::tight;
  const bool behind = bar + 1 == line.size() || blank(bar + 1);
  return bar > 0 && behind ? BarPlace::between_blanks : BarPlace::before_a_name;
}

// The same number of bars in each of the first lines, none of them before a name: texts of several words are cells then.
bool is_table_of_bars(std::string_view text) {
  constexpr std::size_t looked_at = 20;
  std::size_t lines = 0, bars = 0;
  std::string_view name, line;
  bool tight = true, named = true;  // the same word is behind the first bar of all lines, as a name is
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

bool begins_json(std::string_view text) {
  std::string_view line = next_line_with_words(text);
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  if (!line.starts_with('{')) return false;
  line.remove_prefix(1);
  const std::size_t next = line.find_first_not_of(blanks);
  return next != std::string_view::npos && (line[next] == '"' || line[next] == '}');
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

// Calls f(line) for the first lines with words until it gives false; returns whether it never did.
template <class F>
bool all_first_lines(std::string_view text, F&& f) {
  constexpr std::size_t looked_at = 20;
  std::string_view line;
  for (std::size_t lines = 0; lines < looked_at && !(line = next_line_with_words(text)).empty(); ++lines) {
    if (!f(line)) return false;
  }
  return true;
}

// A table of one format may hold lines that look like another's here and there.
bool all_lines_are(DataFormat format, std::string_view text, char delimiter) {
  bool features = false;
  switch (format) {
    case DataFormat::libsvm:
      return all_first_lines(text, [&](std::string_view line) { return is_libsvm_line(line, features); }) && features;
    case DataFormat::jsonl:
      return all_first_lines(text, [](std::string_view line) { return line.ends_with('}'); });
    case DataFormat::vw:
      return all_first_lines(text, [&](std::string_view line) {
        return likeness_of_vw(line) != Likeness::none &&
               (delimiter == ' ' || line.find(delimiter) == std::string_view::npos);
      });
    case DataFormat::arff:
    case DataFormat::csv:
    case DataFormat::automatic:
    case DataFormat::idx:
    case DataFormat::npy:
    case DataFormat::csr:
      break;
  }
  return true;
}

// A line of VW may have one word behind its bar, and its labels may be many.
bool may_be_vw(std::string_view line) {
  const std::size_t bar = line.find('|');
  return bar != std::string_view::npos && line.substr(0, bar).find_first_of(",;\t\"{") == std::string_view::npos;
}

bool may_be_of(DataFormat expected, DataFormat found, std::string_view text, char delimiter) {
  if (found == expected) return true;
  const std::string_view line = next_line_with_words(text);
  switch (expected) {
    case DataFormat::csv:
      return found == DataFormat::libsvm || found == DataFormat::jsonl || found == DataFormat::vw
                 ? !all_lines_are(found, text, delimiter)
                 : false;
    case DataFormat::vw:
      return may_be_vw(line);
    case DataFormat::arff:
      return line.starts_with('@') || line.starts_with('%');
    case DataFormat::jsonl:
      return line.starts_with('{');
    case DataFormat::automatic:
    case DataFormat::libsvm:
    case DataFormat::idx:
    case DataFormat::npy:
    case DataFormat::csr:
      break;
  }
  return line.empty();
}

}  // namespace

DataFormat recognise_text(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (begins_arff(text)) return DataFormat::arff;
  if (begins_json(text)) return DataFormat::jsonl;
  std::string_view rest = text;
  if (is_vw(text) && !parted_by_bars(next_line_with_words(rest)) && !is_table_of_bars(text)) return DataFormat::vw;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::string_view first = next_word(line);
    if (first.empty()) continue;
    const std::string_view second = next_word(line);
    if (second.empty() && first.find_first_of(",;|\"") == std::string_view::npos)
      return is_table_below(text) ? DataFormat::csv : DataFormat::libsvm;
    return looks_like_feature(first) || looks_like_feature(second) ? DataFormat::libsvm : DataFormat::csv;
  }
  return DataFormat::libsvm;
}

const char* format_words(DataFormat format) {
  switch (format) {
    case DataFormat::libsvm:
      return "LIBSVM";
    case DataFormat::csv:
      return "CSV";
    case DataFormat::idx:
      return "idx";
    case DataFormat::vw:
      return "Vowpal Wabbit";
    case DataFormat::arff:
      return "ARFF";
    case DataFormat::jsonl:
      return "JSON Lines";
    case DataFormat::npy:
      return "NumPy";
    case DataFormat::csr:
      return "SciPy's CSR";
    case DataFormat::automatic:
      break;
  }
  return "any";
}

std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const DataFormat found = recognise_text(text);
  if (may_be_of(expected, found, text, delimiter)) return std::nullopt;
  bool features = false;
  const bool words = found == DataFormat::libsvm && all_first_lines(text, [&](std::string_view line) {
                       return is_libsvm_line(line, features) && !features;
                     });
  return words ? "looks like text, or a table of one column" : std::string("looks like ") + format_words(found);
}

}  // namespace halfspace::stream
