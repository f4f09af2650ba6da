// CSV in the table of formats.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stream/csv/beginning.h"
#include "stream/csv/walk.h"
#include "stream/formats/format_entry.h"
#include "stream/text/first_lines.h"
#include "stream/text/shapes.h"

namespace halfspace::stream::formats {
namespace {

std::string_view words_of_delimiter(char delimiter) {
  for (const auto& [mark, words] : {std::pair{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}) {
    if (mark == delimiter) return words;
  }
  return "blanks";
}

// Lines that split into equal numbers of values, unless most of these are name:value. Bars and blanks occur in other
// formats, too.
Likeness likeness_of_csv(std::string_view text) {
  const std::vector<std::string_view> lines = first_lines_of(text);
  if (lines.empty()) return {};
  text = text.substr(0, static_cast<std::size_t>(lines.back().data() + lines.back().size() - text.data()));
  Pairs of_words, of_fields;
  for (std::string_view line : lines) {
    std::string_view word = next_word(line);
    for (bool first = true; !word.empty(); first = false, word = next_word(line)) of_words.add(word, first);
  }
  const CsvGrammar grammar = guess_grammar(text, true, {});
  std::map<std::uint64_t, std::size_t> records;  // by the number of their values
  std::size_t all = 0;
  std::vector<CsvField> fields(most_first_lines);
  for_each_record(text, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    ++all;
    ++records[record.flaw == CsvFlaw::none ? record.fields : 0];
    for (std::size_t i = 0; i < std::min<std::size_t>(record.fields, fields.size()); ++i)
      of_fields.add(fields[i].text(), i == 0);
    return true;
  });
  const Pairs& pairs = of_words.are_most() ? of_words : of_fields;
  if (pairs.are_most()) return {0, fmt::format("{} of {} values are name:value", pairs.pairs(), pairs.values())};
  if (all == 0) return {};
  const auto usual = std::max_element(records.begin(), records.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (usual->first < 2) return {0, fmt::format("{} of {} lines are one value", usual->second, all)};
  const bool unsure = grammar.delimiter == '|' || grammar.delimiter == ' ';
  return likeness_of_lines(unsure ? 0 : usual->second, unsure ? usual->second : 0, all,
                           fmt::format("{} values between {}", usual->first, words_of_delimiter(grammar.delimiter)));
}

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
      .likeness = likeness_of_csv,
      .may_be = may_be_csv,
      .make = make_csv,
  }};
}

}  // namespace halfspace::stream::formats
