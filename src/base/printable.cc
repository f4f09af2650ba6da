// Removes from text what would disturb a terminal.
#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/utf8.h"

namespace halfspace {
namespace {

// Returns the length of the first character by its first byte; 1 if it is not valid.
std::size_t length_of(std::string_view text) {
  const unsigned char first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return std::min(length, text.size());
}

// Returns the code point of a UTF-8 character, or of an encoded surrogate, which is invalid; 0 for other bytes.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i])); };
  const bool surrogate =
      character.size() == 3 && byte(0) == 0xed && byte(1) >= 0xa0 && byte(1) < 0xc0 && (byte(2) & 0xc0) == 0x80;
  if (character.size() < 2 || !(surrogate || valid_utf8(character))) return 0;
  std::uint32_t code = byte(0) & (0x7fU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3f);
  return code;
}

struct Range {
  std::uint32_t first, last;
};
// Characters that a terminal does not show or that act on it: controls beyond ASCII, characters without width, marks of
// writing direction, line ends, surrogates, tags.
constexpr Range hidden[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},
                            {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},
                            {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xd800, 0xdfff},
                            {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};

bool is_hidden(std::uint32_t code) {
  return std::any_of(std::begin(hidden), std::end(hidden),
                     [code](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text, LineEnds line_ends) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const unsigned char first = static_cast<unsigned char>(text.front());
    const std::size_t length = length_of(text);
    const std::string_view character = text.substr(0, length);
    if (first == '\n' && line_ends == LineEnds::kept) {
      shown += '\n';
    } else if (first < 0x20 || first == 0x7f) {
      shown += '.';
    } else if (const std::uint32_t code = code_point(character); is_hidden(code)) {
      shown += fmt::format("<U+{:04X}>", code);
    } else if (first < 0x80 || valid_utf8(character)) {
      shown += character;
    } else {
      shown += '.';
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(length);
  }
  return shown;
}

}  // namespace halfspace
