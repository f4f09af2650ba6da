// Helpers for text: quoting for messages and for CSV, lines.
#include "stream/text/text.h"

#include "base/printable.h"
#include "base/utf8.h"

namespace halfspace::stream {

std::string quote(std::string_view text) {
  constexpr std::size_t most = 60;
  const bool readable = valid_utf8(text);
  std::size_t length = text.size();
  if (length > most) {
    length = most;
    while (readable && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  }
  return "'" + printable(text.substr(0, length)) + (length < text.size() ? "…'" : "'");
}

std::string csv_field(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     (text.empty() || !(blank(text.front()) || blank(text.back())));
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
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
