// Where a table begins: behind lines of its file that are none of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// Returns how many bytes so many lines take; nothing where the text has fewer.
std::optional<std::size_t> bytes_of_lines(std::string_view text, std::uint64_t lines);

// Lines before a table that are passed over.
struct LinesBefore {
  std::uint64_t count = 0;
  std::optional<ReadNote> note{};  // on a table that begins otherwise than that of its model
};
// Returns as many as the options say, else as of the model's data, unless the first line is one of the table. `text`: the
// beginning of the file, or all of it where it is `whole`. Throws Error(data) where it may be or not.
LinesBefore lines_before_table(std::string_view text, bool whole, const ReadOptions& options);

// Tells that the first lines of a text are none of the table below them, or names before those of its columns, and how
// many; nothing where the options say where it begins. To be called where the delimiter is guessed, or given, for the text.
std::optional<Error> describe_preamble(std::string_view text, bool whole, const ReadOptions& options);

}  // namespace halfspace::stream
