// Detects the format of data by their look. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns ARFF if the first line that is neither blank nor begins with % begins with @relation; JSON Lines if the first
// nonblank line begins with { followed by " or }; VW if the first nonblank line has a bar, preceded only by what Vowpal
// Wabbit allows there and followed by two words or name:value (after a single word the next lines decide). Else LIBSVM
// if the first line that is neither blank nor a comment is one word, or begins with index:value, or has index:value as
// its second word; else CSV. One word with a comma, semicolon, bar or quote in it is CSV.
DataFormat recognise_text(std::string_view text);

// Returns what text looks like, such as "looks like CSV", if it is clearly not of the format `expected`; nothing if it
// may be. Lines of a table may look like another format: they count as another only if all of the first do. `delimiter`
// is the table's.
std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter);

struct FileKind;

// Returns the kind of a binary file by its first bytes (format_entry.h); null: none of these.
const FileKind* recognise_file(std::string_view first_bytes);

}  // namespace halfspace::stream
