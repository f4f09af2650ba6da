// Texts of others without what disturbs a terminal.
#include "base/printable.h"

#include <algorithm>

#include "base/utf8.h"

namespace halfspace {
namespace {

// The length of the character at the front by its first byte; 1 where it is none.
std::size_t length_of(std::string_view text) {
  const unsigned char first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return std::min(length, text.size());
}

// Control characters beyond ASCII, line and paragraph separators, and those that turn the direction of writing.
bool disturbs(std::string_view character) {
  const auto between = [&](std::string_view first, std::string_view last) {
    return character >= first && character <= last;
  };
  return between("\xc2\x80", "\xc2\x9f") || character == "\xd8\x9c" || between("\xe2\x80\x8e", "\xe2\x80\x8f") ||
         between("\xe2\x80\xa8", "\xe2\x80\xae") || between("\xe2\x81\xa6", "\xe2\x81\xa9");
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
    } else if (first < 0x20 || first == 0x7f || disturbs(character)) {
      shown += '.';
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
