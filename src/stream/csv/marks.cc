// Marks that contradict each other.
#include "stream/csv/marks.h"

#include <algorithm>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

std::string shown_mark(char c) {
  return quote(std::string_view(&c, 1));
}

[[noreturn]] void refuse(std::string why, std::string fix) {
  throw Error(ErrorKind::usage, std::move(why)).fix(std::move(fix));
}

}  // namespace

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
