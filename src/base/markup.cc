// Walks over characters: those of UTF-8 (RFC 3629) that XML 1.0 allows (section 2.2).
#include "base/markup.h"

#include <cstdint>

namespace halfspace {
namespace {

// Returns the length in bytes of the text's first character; 0 if it is not one that XML allows.
std::size_t character(std::string_view text) {
  const auto byte = [text](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = lead & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool shortest = code >= (size == 4 ? 0x10000U : size == 3 ? 0x800U : 0x80U);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return shortest && !surrogate && code != 0xfffe && code != 0xffff && code <= 0x10ffff ? size : 0;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character(text.substr(at));
    if (size != 1) {
      result += size == 0 ? "\xef\xbf\xbd" : text.substr(at, size);
      at += size == 0 ? 1 : size;
      continue;
    }
    switch (const char c = text[at++]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      case '\t':
        result += "&#9;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\r':
        result += "&#13;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::size_t unwritable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

}  // namespace halfspace
