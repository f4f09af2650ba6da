// Recognises, by their first bytes, files of other programs and Halfspace files that are no data, to name them with a
// way to convert them. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

// An unsupported format, and how to convert it to a supported one.
struct Foreign {
  std::string_view name, fix;
  enum class Kind : std::uint8_t { binary, text, own };
  Kind kind = Kind::binary;  // text: may be a table after all; own: a Halfspace file that is no data
};

// Returns what the beginning of a text is if it is unsupported: a binary file, or a text format that would be trained
// on as nonsense. Pass whole lines, as many as there are; a few hundred bytes usually suffice.
std::optional<Foreign> recognise_foreign(std::string_view text);

// Throws Error(data) that names the format if the text is foreign. `format_named`: the user names the format, so it may
// be a table even if it looks like another text format.
void refuse_foreign(std::string_view text, const std::string& file, bool format_named);

}  // namespace halfspace::stream
