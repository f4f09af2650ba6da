// Which text format the data is in, by what it looks like. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns LIBSVM when the first line that is neither blank nor a comment is one word, or begins with index:value, or
// has index:value as its second word; else CSV. One word with a comma, semicolon or quote in it is CSV.
DataFormat recognise_text(std::string_view text);

}  // namespace halfspace::stream
