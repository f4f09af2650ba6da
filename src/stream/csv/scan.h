// The grammar of CSV: where records and fields begin and end.
//
// A field is quoted if its first nonblank byte is a quote. Inside, "" is a quote, and delimiters and line ends are
// text; anything but blanks between the closing quote and the end of the field is a flaw. In an unquoted field a quote
// is a flaw and has no effect. So the end of a record depends only on the text from its beginning, and `end_of_records`
// and `scan_record` agree on it. Blank: a space, or a tab unless tabs delimit. If blanks delimit, a run of them is one
// delimiter, and those at either end of a line are ignored. If quotes are plain text, each line is a record. Blank
// lines are skipped, and so are comments: lines whose first nonblank byte, at the beginning of a record, is a comment
// mark. A record longer than the limit is overlong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

struct CsvField {
  const char* begin = nullptr;  // without surrounding blanks and quotes
  const char* end = nullptr;
  char doubled = '\0';  // the quote that is doubled in the text; NUL: none is

  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
  std::string unescaped() const {
    std::string plain;
    for (const char* p = begin; p < end; ++p) {
      plain += *p;
      if (doubled != '\0' && *p == doubled) ++p;
    }
    return plain;
  }
};

enum class CsvFlaw : std::uint8_t { none, overlong, unclosed_quote, text_after_quote, stray_quote };

struct CsvRecord {
  const char* begin = nullptr;
  const char* end = nullptr;    // without the line end
  const char* next = nullptr;   // where the next record begins
  std::uint64_t lines = 0;      // lines the record takes
  std::uint64_t fields = 0;     // those beyond the ones wanted counted too
  const char* extra = nullptr;  // where the first field beyond the ones wanted begins
  CsvFlaw flaw = CsvFlaw::none;
  const char* flaw_at = nullptr;  // of the first flaw

  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

// How a file is split into records and fields.
struct CsvGrammar {
  char delimiter = ',';
  std::size_t limit = 0;  // bytes of a record
  char decimal = '.';     // or a comma
  char quote = '"';       // opens a field; NUL: nothing does
  char thousands = '\0';  // between groups of three digits; NUL: nothing is
  std::string comment{};  // marks of comments

  bool by_blanks() const { return delimiter == ' '; }
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter != '\t'); }
  // Returns whether a line is a comment.
  bool is_comment(const char* line, const char* end) const {
    if (comment.empty()) return false;
    while (line < end && is_blank(*line)) ++line;
    return line < end && comment.find(*line) != std::string::npos;
  }
};

// Skips blank lines and comments: moves `at` to the next record, or to `end`. Returns the number of lines skipped.
std::uint64_t skip_to_record(const char*& at, const char* end, const CsvGrammar& grammar);

// Scans the record at `at` < `end`; stores its first `fields.size()` fields.
CsvRecord scan_record(const char* at, const char* end, const CsvGrammar& grammar, std::vector<CsvField>& fields);

// Returns what scan_record makes of a field without quotes whose bytes are known.
CsvField plain_field(const char* begin, const char* end, const CsvGrammar& grammar);

// Returns the length of the longest prefix of `text` that ends with a record's line end. `text` begins at a record.
std::size_t end_of_records(std::string_view text, const CsvGrammar& grammar);

// Which characters may delimit, group and begin the values of a table. Thread-safety: pure functions.

// Returns whether a character may delimit the values of a table.
constexpr bool may_delimit(char c) {
  constexpr std::string_view allowed = "\t !#$%&'()*,/:;<=>?@[\\]^`{|}~";
  return allowed.find(c) != std::string_view::npos;
}

// Returns whether a character may separate groups of three digits; NUL: none.
constexpr bool parts_thousands(char c, char delimiter, char decimal) {
  constexpr std::string_view allowed = ",. '";
  return c == '\0' || (allowed.find(c) != std::string_view::npos && c != decimal && (c == ',' || c != delimiter));
}

// Returns whether a character may mark comment lines: no value begins with it.
constexpr bool may_begin_comments(char c, char delimiter, char quote) {
  constexpr std::string_view allowed = "!#$%&'()*,/:;<=>?@[\\]^_`{|}~";
  return allowed.find(c) != std::string_view::npos && c != delimiter && c != quote;
}

// Returns the byte that opens a quoted field; NUL: none does.
constexpr char mark_of(Quote quote) { return quote == Quote::none ? '\0' : quote == Quote::single_quote ? '\'' : '"'; }

// Returns the comment marks in the schema's form: distinct, ascending.
std::string canonical_comment(std::string_view given);

// Throws Error(usage) for marks of the options that contradict each other or may occur in values. `delimiter`: NUL if
// not known yet.
void refuse_marks(const ReadOptions& options, char decimal, char delimiter);

}  // namespace halfspace::stream
