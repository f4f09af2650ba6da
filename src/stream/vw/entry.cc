// Vowpal Wabbit text in the table of formats, and its recognition.
#include <algorithm>
#include <utility>
#include <vector>

#include "stream/formats/format_entry.h"
#include "stream/formats/parser.h"
#include "stream/text/first_lines.h"
#include "stream/text/number.h"
#include "stream/vw/vw_row.h"

namespace halfspace::stream::formats {
namespace {

// How a line fits: unsure means that a table may have it as well.
enum class Fit : std::uint8_t { none, named, unsure, sure };

bool is_blank(char c) { return line_blanks.find(c) != std::string_view::npos; }

bool is_number(std::string_view word) {
  double ignored = 0;
  return parse_number(word, ignored) != NumberProblem::not_a_number;
}

// Returns whether a word is a label with its cost: name:number.
bool has_cost(std::string_view word) {
  const std::size_t colon = word.rfind(':');
  return colon != std::string_view::npos && colon > 0 && is_number(word.substr(colon + 1));
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

// The words before the first bar: [label [importance [base]]] [tag].
struct Head {
  bool numbers = true;  // label, importance and base, if any
  bool named = false;   // a label that is a name; then numbers are the others
  bool costs = false;   // labels as in 1:0.5
  bool quoted_tag = false, touching_tag = false;
};

Head read_head(std::string_view words) {
  Head head;
  const std::size_t quote = words.starts_with('\'') ? 0 : words.find(" '") + 1;
  if (words.substr(quote).starts_with('\'') && !words.ends_with('\'')) {
    head.quoted_tag = true;
    words = words.substr(0, quote);
  } else if (!words.empty() && !is_blank(words.back())) {
    head.touching_tag = true;
    words = words.substr(0, words.find_last_of(line_blanks) + 1);
  }
  std::string_view word;
  for (bool first = true; !(word = next_word(words)).empty(); first = false) {
    head.costs = head.costs || has_cost(word);
    const bool number = is_number(word.substr(0, word.find(':'))) || has_cost(word) || (first && lists_labels(word));
    head.named = head.named || (first && !number);
    head.numbers = head.numbers && (first || number);
  }
  return head;
}

// Recognises label importance 'tag|namespace name:value name, including labels and tags that the reader rejects.
Fit fit_of_line(std::string_view line) {
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos || line.ends_with('|') || parted_by_bars(line)) return Fit::none;
  std::string_view before = line.substr(0, bar), behind = line.substr(bar + 1), rest = before;
  const std::string_view first = next_word(rest);
  if (std::find(vw_heads.begin(), vw_heads.end(), first) != vw_heads.end() || (!rest.empty() && lists_labels(first)))
    return Fit::sure;
  if (before.find_first_of(",;\"") != std::string_view::npos) return Fit::none;
  const Head head = read_head(before);
  const bool namespaced = !is_blank(behind.front());
  bool pairs = false;
  std::size_t words = 0;
  for (std::string_view word, rest_of = behind; !(word = next_word(rest_of)).empty(); ++words) {
    // A table delimited by bars has them in every position; a line of VW has words between them.
    if (words == 0 && word.find('|') != std::string_view::npos) return Fit::none;
    pairs = pairs || word.find(':') != std::string_view::npos;
  }
  const bool several = words > 1 || pairs;
  if (head.costs) return Fit::sure;
  if (!head.numbers) return head.touching_tag && pairs && namespaced && !head.named ? Fit::sure : Fit::none;
  if (head.quoted_tag) return several || namespaced ? Fit::sure : Fit::unsure;
  if (head.named && !head.touching_tag && !namespaced) return Fit::named;
  if (head.named && head.touching_tag) return pairs && namespaced ? Fit::sure : Fit::none;
  if (several) return first.empty() || !head.touching_tag || namespaced || !rest.empty() ? Fit::sure : Fit::unsure;
  if (head.touching_tag || namespaced) return Fit::unsure;
  // 1 | one: a number, a bar between blanks, and a word that is no number.
  return is_number(next_word(behind)) ? Fit::unsure : Fit::sure;
}

// The position of a bar: as in a table, between blanks in one, or as in Vowpal Wabbit, before a name.
enum class BarPlace : std::uint8_t { tight, behind_a_word, between_blanks, before_a_name };

BarPlace place_of_bar(std::string_view line, std::size_t bar) {
  const bool behind = bar + 1 == line.size() || is_blank(line[bar + 1]);
  if (bar > 0 && !is_blank(line[bar - 1])) return behind ? BarPlace::behind_a_word : BarPlace::tight;
  return bar > 0 && behind ? BarPlace::between_blanks : BarPlace::before_a_name;
}

// How the bars of a line divide it.
struct Bars {
  std::size_t count = 0;
  bool tight = true;      // no blanks around any
  bool of_vw = false;     // behind a tag in quotes, before a name, or before name:value
  std::string_view next;  // the word behind the first
};

Bars bars_of(std::string_view line) {
  Bars bars;
  for (std::size_t bar = line.find('|'); bar != std::string_view::npos; bar = line.find('|', bar + 1), ++bars.count) {
    const BarPlace place = place_of_bar(line, bar);
    bars.of_vw = bars.of_vw || place == BarPlace::before_a_name;
    bars.tight = bars.tight && place == BarPlace::tight;
  }
  const std::size_t first = std::min(line.find('|'), line.size());
  std::string_view behind = line.substr(std::min(first + 1, line.size()));
  bars.of_vw = bars.of_vw || read_head(line.substr(0, first)).quoted_tag ||
               (!bars.tight && behind.find(':') != std::string_view::npos);
  bars.next = next_word(behind);
  if (behind.empty()) bars.next = {};
  return bars;
}

// The same number of bars in nearly all lines, none before a name: then texts of several words are cells. One word that
// follows the first bar of all lines is a namespace.
bool is_table_of_bars(const std::vector<std::string_view>& lines) {
  std::vector<Bars> all;
  for (const std::string_view line : lines) all.push_back(bars_of(line));
  const auto share = [&](auto&& is) { return 5 * std::count_if(all.begin(), all.end(), is); };
  const auto most = static_cast<std::ptrdiff_t>(4 * all.size()), few = static_cast<std::ptrdiff_t>(all.size());
  // Neither the first nor the last line need be a row.
  const Bars& usual = all[all.size() / 2];
  if (all.size() < 2 || usual.count == 0) return false;
  const bool named = !usual.next.empty() && share([&](const Bars& one) { return one.next == usual.next; }) >= most;
  return share([&](const Bars& one) { return one.count == usual.count; }) >= most &&
         share([](const Bars& one) { return one.of_vw; }) <= few && !named &&
         (usual.count > 1 || share([](const Bars& one) { return one.tight; }) >= most);
}

bool has_several_words(std::string_view line) {
  std::string_view behind = line.substr(std::min(line.find('|'), line.size() - 1) + 1);
  next_word(behind);
  return !next_word(behind).empty();
}

// Labels that are names, before a bar between blanks, may be the first column of a table. They are labels for sure if
// the first one is no header, and words follow in numbers that vary.
class NamedLabels {
 public:
  void add(std::string_view line) {
    const std::string_view label = next_word(line);
    recurs_ = recurs_ || (lines_ > 0 && label == first_);
    if (lines_ == 0) first_ = label;
    std::size_t words = 0;
    while (!next_word(line).empty()) ++words;
    varies_ = varies_ || (lines_ > 0 && words != words_);
    words_ = words;
    ++lines_;
  }
  std::size_t lines() const { return lines_; }
  Fit fit() const { return !recurs_ ? Fit::none : varies_ ? Fit::sure : Fit::unsure; }

 private:
  std::size_t lines_ = 0, words_ = 0;
  std::string_view first_;
  bool recurs_ = false, varies_ = false;
};

Likeness likeness_of_vw(std::string_view text) {
  const std::vector<std::string_view> lines = first_lines_of(text);
  if (lines.empty() || is_table_of_bars(lines)) return {};
  std::size_t sure = 0, unsure = 0, with_values = 0;
  NamedLabels named;
  for (const std::string_view line : lines) {
    const Fit fit = fit_of_line(line);
    sure += fit == Fit::sure ? 1 : 0;
    unsure += fit == Fit::unsure ? 1 : 0;
    if (fit == Fit::named) named.add(line);
    with_values += fit == Fit::sure && line.find(':') != std::string_view::npos ? 1 : 0;
  }
  if (fit_of_line(lines.front()) == Fit::named && named.fit() == Fit::none && 2 * with_values < lines.size()) {
    // A name above numbers may be that of a column.
    unsure += std::exchange(sure, 0);
    if (!has_several_words(lines.back())) return {};
  }
  sure += named.fit() == Fit::sure ? named.lines() : 0;
  unsure += named.fit() == Fit::unsure ? named.lines() : 0;
  return likeness_of_lines(sure, unsure, lines.size(), "label |namespace name:value ...");
}

bool all_lines_are_vw(std::string_view text, char delimiter) {
  return all_first_lines(text, [&](std::string_view line) {
    return fit_of_line(line) != Fit::none && (delimiter == ' ' || line.find(delimiter) == std::string_view::npos);
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
      .likeness = likeness_of_vw,
      .in_all_lines = all_lines_are_vw,
      .may_be = may_be_vw,
      .make = make_vw,
  }};
}

}  // namespace halfspace::stream::formats
