// Which format the data are in, by what they look like. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns ARFF when the first line that is neither blank nor begins with % begins with @relation; JSON Lines when the first
// line that is not blank begins with { and behind it " or }; VW when the first line that is not blank has a bar, before it
// nothing but what stands there in Vowpal Wabbit's text and behind it two words or name:value; where one word stands behind
// it the next lines tell. Else LIBSVM when the first line that is neither blank nor a comment is one word, or begins with
// index:value, or has index:value as its second word; else CSV. One word with a comma, semicolon, bar or quote in it is
// CSV.
DataFormat recognise_text(std::string_view text);

// Returns what text looks like, such as "looks like CSV", where it is plainly not of the format `expected`, which is
// known beforehand; nothing where it may be. The lines of a table may look like those of another format: they count as
// another where all of the first do. `delimiter` is the table's.
std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter);

struct FileKind;

// Returns what a file is by its first bytes when it is no text (format_entry.h); null: it is none of these.
const FileKind* recognise_file(std::string_view first_bytes);

}  // namespace halfspace::stream
