// Files of other programs, and files of this one in the wrong place: told by their first bytes, and named with the way to
// a file that is read. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

// Names a format that is not read, and how to bring it to one that is.
struct Foreign {
  std::string_view name, fix;
  enum class Kind : std::uint8_t { binary, text, own };
  Kind kind = Kind::binary;  // text: may be a table all the same; own: Halfspace wrote it, and it is no data
};

// Returns what a text is by its beginning when it is something else: a binary file, or one of the formats of text that
// would be learned as nonsense. Whole lines of it, as many as there are; a few hundred bytes tell most.
std::optional<Foreign> recognise_foreign(std::string_view text);

// Throws Error(data) that names what the text is, if it is foreign. `format_named`: the user says what it is, and it may
// be a table though it looks like another format of text.
void refuse_foreign(std::string_view text, const std::string& file, bool format_named);

}  // namespace halfspace::stream
