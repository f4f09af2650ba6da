// Finds fields and record ends (RFC 4180), vectorised where there are no quotes.
#include "stream/csv/scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t every_byte = 0x0101010101010101;

// The top bit of each byte that is zero; bytes above the lowest zero may be marked falsely.
std::uint64_t zero_bytes(std::uint64_t word) { return (word - every_byte) & ~word & (every_byte << 7); }

// The first delimiter, line end or quote, eight bytes at a step: fields are short, so that the set-up of wider vectors
// would not pay.
const char* find_special(const char* at, const char* end, char delimiter, char quote) {
  if (delimiter == ' ') {
    while (at < end && *at != ' ' && *at != '\t' && *at != '\n' && *at != quote) ++at;
    return at;
  }
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t delimiters = every_byte * static_cast<unsigned char>(delimiter);
    while (end - at >= 8) {
      std::uint64_t word;
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t found = zero_bytes(word ^ delimiters) | zero_bytes(word ^ (every_byte * '\n')) |
                                  zero_bytes(word ^ (every_byte * static_cast<unsigned char>(quote)));
      if (found != 0) return at + (std::countr_zero(found) >> 3);
      at += 8;
    }
  }
  while (at < end && *at != delimiter && *at != '\n' && *at != quote) ++at;
  return at;
}

// Returns what a record may take without being overlong, and one byte.
std::size_t most_bytes(const CsvGrammar& grammar) {
  return grammar.limit < ~std::size_t{0} - 3 ? grammar.limit + 3 : ~std::size_t{0};
}

// With blanks as delimiters: returns the last blank of the run at `at`, or the line end after it.
const char* end_of_run(const char* at, const char* end) {
  const char* p = at;
  while (p < end && (*p == ' ' || *p == '\t')) ++p;
  if (p == at || p == end || *p == '\n') return p;
  return *p == '\r' && (p + 1 == end || p[1] == '\n') ? p + 1 : p - 1;
}

const char* find(const char* at, const char* end, char wanted) {
  const void* found = at == end ? nullptr : std::memchr(at, wanted, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

// The closing quote of the field whose text begins at `at`, or `end`.
const char* find_closing(const char* at, const char* end, char quote, char& doubled) {
  for (;;) {
    at = find(at, end, quote);
    if (at == end || at + 1 == end || at[1] != quote) return at;
    doubled = quote;
    at += 2;
  }
}

std::string shown_mark(char c) { return quote(std::string_view(&c, 1)); }

[[noreturn]] void refuse(std::string why, std::string fix) {
  throw Error(ErrorKind::usage, std::move(why)).fix(std::move(fix));
}

}  // namespace

std::uint64_t skip_to_record(const char*& at, const char* end, const CsvGrammar& grammar) {
  std::uint64_t lines = 0;
  while (at < end) {
    const bool cut = static_cast<std::size_t>(end - at) >= most_bytes(grammar);
    const char* const stop = cut ? at + most_bytes(grammar) : end;
    const char* p = at;
    if (grammar.is_comment(p, stop)) p = find(p, stop, '\n');
    while (p < stop && grammar.is_blank(*p)) ++p;
    if (p < stop && *p == '\r' && (p + 1 == end || p[1] == '\n')) ++p;
    if (p == stop ? cut : *p != '\n') break;
    at = p == end ? end : p + 1;
    ++lines;
  }
  return lines;
}

CsvField plain_field(const char* begin, const char* end, const CsvGrammar& grammar) {
  while (begin < end && grammar.is_blank(*begin)) ++begin;
  while (end > begin && grammar.is_blank(end[-1])) --end;
  return {begin, end};
}

CsvRecord scan_record(const char* at, const char* end, const CsvGrammar& grammar, std::vector<CsvField>& fields) {
  const char delimiter = grammar.delimiter, mark = grammar.quote;
  const char* const whole_end = end;
  const bool cut = static_cast<std::size_t>(end - at) >= most_bytes(grammar);
  if (cut) end = at + most_bytes(grammar);
  CsvRecord record;
  record.begin = at;
  record.lines = 1;
  const auto flawed = [&](CsvFlaw flaw, const char* where) {
    if (record.flaw != CsvFlaw::none) return;
    record.flaw = flaw;
    record.flaw_at = where;
  };
  const auto overlong = [&] {
    record.flaw = CsvFlaw::overlong;
    record.flaw_at = at + grammar.limit;
    record.end = end;
    record.lines = 1 + static_cast<std::uint64_t>(std::count(at, end, '\n'));
    const char* const line_end = find(end, whole_end, '\n');
    record.next = line_end == whole_end ? whole_end : line_end + 1;
    return record;
  };
  const char* p = at;
  for (;;) {
    const char* const field_at = p;
    CsvField field;
    while (p < end && grammar.is_blank(*p)) ++p;
    const char* begin = p;
    const bool opened = mark != '\0' && p < end && *p == mark;
    if (opened) {
      field.begin = p + 1;
      field.end = find_closing(p + 1, end, mark, field.doubled);
      record.lines += static_cast<std::uint64_t>(std::count(field.begin, field.end, '\n'));
      if (field.end == end) {
        if (cut) return overlong();
        flawed(CsvFlaw::unclosed_quote, p);
        record.next = record.end = end;
        if (end[-1] == '\n') {
          --record.lines;  // the text ends with a line, it does not begin another
          record.end -= end - at > 1 && end[-2] == '\r' ? 2 : 1;
        }
        return record;
      }
      begin = p = field.end + 1;
    }
    p = find_special(p, end, delimiter, mark);
    const char* const quote = p;
    while (p < end && *p == mark) p = find_special(p + 1, end, delimiter, mark);
    if (!opened && quote != p && mark != '\0') flawed(CsvFlaw::stray_quote, quote);
    if (grammar.by_blanks()) p = end_of_run(p, end);
    if (p == end && cut) return overlong();
    const bool last = p == end || *p == '\n';
    const char* stop = p;
    if (last) {
      if (stop > begin && stop[-1] == '\r') --stop;
      record.end = stop;
    }
    while (stop > begin && grammar.is_blank(stop[-1])) --stop;
    if (opened) {
      while (begin < stop && grammar.is_blank(*begin)) ++begin;
      if (begin < stop) flawed(CsvFlaw::text_after_quote, begin);
    } else {
      field = {begin, stop};
    }
    if (record.fields < fields.size()) {
      fields[record.fields] = field;
    } else if (record.extra == nullptr) {
      record.extra = field_at;
    }
    ++record.fields;
    if (last) {
      record.next = p == end ? end : p + 1;
      if (record.text().size() > grammar.limit) {
        record.flaw = CsvFlaw::overlong;
        record.flaw_at = at + grammar.limit;
      }
      return record;
    }
    ++p;
  }
}

std::size_t end_of_records(std::string_view text, const CsvGrammar& grammar) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (grammar.quote == '\0') return text.rfind('\n') + 1;  // npos + 1 is 0
  const char* record = begin;   // where the record at hand begins, as far as quotes made it matter
  const char* outside = begin;  // no quote is open here
  for (;;) {
    const char* const quote = find(outside, end, grammar.quote);
    if (outside < quote) {
      const void* line_end = ::memrchr(outside, '\n', static_cast<std::size_t>(quote - outside));
      if (line_end != nullptr) record = static_cast<const char*>(line_end) + 1;
    }
    if (quote == end) break;
    if (grammar.is_comment(record, end)) {
      const char* const line_end = find(quote, end, '\n');
      if (line_end == end) break;
      record = outside = line_end + 1;
      continue;
    }
    const char* p = quote;
    while (p > outside && grammar.is_blank(p[-1])) --p;
    outside = quote + 1;
    const bool opens = p == begin || p[-1] == grammar.delimiter || p[-1] == '\n' || (grammar.by_blanks() && p != quote);
    if (!opens) continue;
    const bool cut = static_cast<std::size_t>(end - record) >= most_bytes(grammar);
    const char* const stop = cut ? record + most_bytes(grammar) : end;
    char doubled = '\0';
    const char* const closing = quote < stop ? find_closing(outside, stop, grammar.quote, doubled) : stop;
    if (cut && closing == stop) {
      const char* const line_end = find(std::max(quote, stop), end, '\n');
      if (line_end == end) break;
      record = outside = line_end + 1;
    } else if (closing == end) {
      break;
    } else {
      outside = closing + 1;
    }
  }
  return static_cast<std::size_t>(record - begin);
}

std::string canonical_comment(std::string_view given) {
  std::string marks(given);
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

void refuse_marks(const ReadOptions& options, char decimal, char delimiter) {
  if (options.table.delimiter && !may_delimit(*options.table.delimiter)) {
    refuse(option("delimiter") + ": " + shown_mark(*options.table.delimiter) + " may stand in values",
           "name another delimiter, such as a comma, a semicolon or a tab");
  }
  if (decimal != '.' && decimal != ',') refuse(option("decimal") + " is a point or a comma", "choose one of the two");
  const char thousands = options.table.thousands.value_or('\0');
  if (!parts_thousands(thousands, delimiter, decimal)) {
    refuse(option("thousands") + ": " + shown_mark(thousands) +
               (thousands == decimal ? " is the decimal mark" : " cannot separate groups of digits here"),
           "it is a comma, a point, a space or an apostrophe, and neither the decimal mark nor the delimiter");
  }
  const char opens = mark_of(options.table.quote.value_or(Quote::double_quote));
  for (const char c : options.table.comment.value_or("")) {
    if (may_begin_comments(c, delimiter, opens == '\0' ? '"' : opens)) continue;
    refuse(option("comment") + ": " + shown_mark(c) + " may begin a value",
           "name characters that no row begins with, such as " + option("comment", "#"));
  }
}

}  // namespace halfspace::stream
