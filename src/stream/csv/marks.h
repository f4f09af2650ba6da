// Which characters may delimit, group and begin the values of a table. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

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
constexpr char mark_of(Quote quote) {
  return quote == Quote::none ? '\0' : quote == Quote::single_quote ? '\'' : '"';
}

// Returns the comment marks in the schema's form: distinct, ascending.
std::string canonical_comment(std::string_view given);

// Throws Error(usage) for marks of the options that contradict each other or may occur in values. `delimiter`: NUL if
// not known yet.
void refuse_marks(const ReadOptions& options, char decimal, char delimiter);

}  // namespace halfspace::stream
