// Iterates over records: those without quotes by their separators, the others by the careful scan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stream/csv/scan.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

// Calls f(record, line) for each record until it returns false. `fields`: the number of fields to store.
template <class F>
void for_each_record(std::string_view text, const CsvGrammar& grammar, std::vector<CsvField>& fields, F&& f) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t line = 0;
  for (;;) {
    line += skip_to_record(at, end, grammar);
    if (at == end) return;
    const CsvRecord record = scan_record(at, end, grammar, fields);
    if (!f(record, line)) return;
    line += record.lines;
    at = record.next;
  }
}

// A record whose fields end at its separators: field i lies between at[i - 1] and at[i] in `text`.
struct RegularRecord {
  std::string_view text;  // extends beyond the record
  const std::uint32_t* at;

  const char* begin() const { return text.data() + (at[-1] + 1u); }
  CsvField field(std::size_t i, const CsvGrammar& grammar) const {
    const char* const from = text.data() + (at[static_cast<std::ptrdiff_t>(i) - 1] + 1u);
    return plain_field(from, text.data() + at[i], grammar);
  }
};

// Returns whether a line without double quotes is a comment, or has quotes of another kind.
inline bool asks_for_care(const char* line, const char* end, const CsvGrammar& grammar) {
  return grammar.is_comment(line, end) || (grammar.quote == '\'' && std::find(line, end, '\'') != end);
}

// Calls regular(record) for each record of `text` with `columns` > 1 fields, no quotes, no NUL byte and within the
// length limit. For any other, and if regular returns false, calls careful(at): the record at `at`, or the blank lines
// and comments before it; it moves `at` past them, and returns false to stop.
template <class Regular, class Careful>
void walk_records(std::string_view text, const CsvGrammar& grammar, std::size_t columns, Separators& separators,
                  Regular&& regular, Careful&& careful) {
  constexpr std::size_t window_bytes = std::size_t{32} << 10;  // text whose separators are known at a time
  std::size_t nul = text.find('\0');
  for (std::size_t done = 0; done < text.size();) {
    const std::string_view rest = text.substr(done);
    const std::string_view window = first_lines(rest, window_bytes);
    const std::string_view text_of = window.size() <= Separators::most_text ? window : std::string_view();
    if (grammar.by_blanks()) {
      separators.find_in_blanks(text_of);
    } else {
      separators.find_in_csv(text_of, grammar.delimiter);
    }
    // The records that begin in the window; a careful one may end outside.
    std::size_t separator = 0, position = 0;
    while (position < window.size()) {
      std::uint32_t* const at = separators.at() + separator;
      const char* const kind = separators.kind() + separator;
      if (columns > 1 && separators.count() - separator >= columns && kind[columns - 1] == '\n' &&
          static_cast<std::size_t>(std::count(kind, kind + columns - 1, grammar.delimiter)) == columns - 1) {
        std::uint32_t& end = at[columns - 1];
        if (end - position <= grammar.limit && nul >= done + end &&
            !asks_for_care(rest.data() + position, rest.data() + end, grammar)) {
          // The last field ends before a carriage return, until the record is read.
          const bool carriage_return = rest[end - 1] == '\r' && at[columns - 2] + 1 != end;
          end -= carriage_return ? 1 : 0;
          const bool taken = regular(RegularRecord{rest, at});
          end += carriage_return ? 1 : 0;
          if (taken) {
            separator += columns;
            position = end + std::size_t{1};
            continue;
          }
        }
      }
      const char* next = rest.data() + position;
      if (!careful(next)) return;
      position = static_cast<std::size_t>(next - rest.data());
      if (nul < done + position) nul = text.find('\0', done + position);
      while (separator != separators.count() && separators.at()[separator] < position) ++separator;
    }
    done += std::min(position, rest.size());
  }
}

}  // namespace halfspace::stream
