// Detects the format of data by their look. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns the formats of text, the best first: those that some of the first lines fit, and CSV (Likeness,
// format_entry.h).
std::vector<FormatGuess> guess_formats(std::string_view text);

// Returns the best of them; DataFormat::automatic if two fit about as well.
DataFormat recognise_text(std::string_view text);

// Rejects text whose format is unclear: two fit about as well, or CSV alone, though most values are name:value. Throws
// Error(data) that names the formats, and the command that repairs the lines.
void refuse_unclear(const std::vector<FormatGuess>& guesses, std::string_view text, const std::string& file);

// Returns what text looks like, such as "looks like CSV", if it is clearly not of the format `expected`; nothing if it
// may be. Lines of a table may look like another format: they count as another only if all of the first do. `delimiter`
// is the table's.
std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter);

struct FileKind;

// Returns the kind of a binary file by its first bytes (format_entry.h); null: none of these.
const FileKind* recognise_file(std::string_view first_bytes);

}  // namespace halfspace::stream
