// Small helpers on text: quoting for messages, UTF-8.
#include "stream/text.h"

namespace halfspace::stream {

bool valid_utf8(std::string_view text) {
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80             ? 1
                               : (lead & 0xe0) == 0xc0 ? 2
                               : (lead & 0xf0) == 0xe0 ? 3
                               : (lead & 0xf8) == 0xf0 ? 4
                                                       : 0;
    if (length == 0) return false;
    std::uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      if (!continues(i + k)) return false;
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return false;
    i += length;
  }
  return true;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 60;
  const bool readable = valid_utf8(text);
  std::size_t length = text.size();
  if (length > most) {
    length = most;
    while (readable && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  }
  std::string shown = "'";
  for (const char c : text.substr(0, length)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !readable) ? '.' : c;
  }
  return shown + (length < text.size() ? "…'" : "'");
}

std::string_view line_at(std::string_view text, std::uint64_t number) {
  for (; number != 0; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace halfspace::stream
