// Finds where a table begins, after leading lines that do not belong to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// Returns the size of a number of lines in bytes; nothing if the text has fewer.
std::optional<std::size_t> bytes_of_lines(std::string_view text, std::uint64_t lines);

// Lines to skip before a table.
struct LinesBefore {
  std::uint64_t count = 0;
  std::optional<ReadNote> note{};   // on a table that begins differently from its model's
  std::optional<char> delimiter{};  // that the first line declares, as Excel does: sep=;
};
// Returns the number of lines that the options give, else that of the model's data, unless the first line belongs to
// the table. `text`: the beginning of the file, or all of it if `whole`. Throws Error(data) if this is ambiguous.
LinesBefore lines_before_table(std::string_view text, bool whole, const ReadOptions& options);

// Notes that the first lines of a text do not belong to the table below, or are names above those of its columns, and
// how many; nothing if the options set the beginning. Call it when the delimiter is guessed or given for the text.
std::optional<Error> describe_preamble(std::string_view text, bool whole, const ReadOptions& options);

}  // namespace halfspace::stream
