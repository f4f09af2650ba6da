// Which characters may part, group and begin what a table holds. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// Tells whether a character may part the values of a table.
constexpr bool may_delimit(char c) {
  constexpr std::string_view allowed = "\t !#$%&'()*,/:;<=>?@[\\]^`{|}~";
  return allowed.find(c) != std::string_view::npos;
}

// Tells whether a character may stand between groups of three digits; NUL: nothing does.
constexpr bool parts_thousands(char c, char delimiter, char decimal) {
  constexpr std::string_view allowed = ",. '";
  return c == '\0' || (allowed.find(c) != std::string_view::npos && c != decimal && (c == ',' || c != delimiter));
}

// Tells whether lines that begin with a character may be comments: no value begins with it.
constexpr bool may_begin_comments(char c, char delimiter, char quote) {
  constexpr std::string_view allowed = "!#$%&'()*,/:;<=>?@[\\]^_`{|}~";
  return allowed.find(c) != std::string_view::npos && c != delimiter && c != quote;
}

// Returns the byte that opens a field; NUL: none does.
constexpr char mark_of(Quote quote) {
  return quote == Quote::none ? '\0' : quote == Quote::single_quote ? '\'' : '"';
}

// Returns what comments begin with as a schema holds it: each once, ascending.
std::string canonical_comment(std::string_view given);

// Throws Error(usage) for marks of the options that contradict each other or may stand in values. `delimiter`: what
// parts the values, NUL where it is not known yet.
void refuse_marks(const ReadOptions& options, char decimal, char delimiter);

}  // namespace halfspace::stream
