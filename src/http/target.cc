// Decodes percent escapes.
#include "http/target.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace halfspace::http {
namespace {

std::optional<std::string> unescaped(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char byte = text[i];
    if (byte == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const char* const digits = text.data() + i + 1;
      unsigned value = 0;
      const auto [end, error] = std::from_chars(digits, digits + 2, value, 16);
      if (error != std::errc() || end != digits + 2) return std::nullopt;
      byte = static_cast<char>(value);
      i += 2;
    } else if (byte == '+' && plus_is_space) {
      byte = ' ';
    }
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f || text[i] == ' ') return std::nullopt;
    decoded += byte;
  }
  if (!valid_utf8(decoded)) return std::nullopt;
  return decoded;
}

// Returns the path and the query of a target in absolute form, "http://host/path?query", which proxies send; others as
// they are.
std::string_view without_origin(std::string_view raw) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (raw.size() <= scheme.size() || ::strncasecmp(raw.data(), scheme.data(), scheme.size()) != 0) continue;
    const std::size_t host = scheme.size(), end = std::min(raw.find_first_of("/?", host), raw.size());
    return end == host ? raw : raw.substr(end);
  }
  return raw;
}

}  // namespace

std::optional<Target> decoded_target(std::string_view raw) {
  const std::string_view given = raw;
  raw = without_origin(raw);
  const std::size_t mark = std::min(raw.find('?'), raw.size());
  const bool no_path = mark == 0 && raw.data() != given.data();
  if (!raw.starts_with('/') && !no_path) return std::nullopt;
  const std::optional<std::string> path = no_path ? "/" : unescaped(raw.substr(0, mark), false);
  if (!path) return std::nullopt;
  Target target{*path, {}};
  for (std::size_t at = mark + 1; at < raw.size();) {
    const std::size_t end = std::min(raw.find('&', at), raw.size());
    const std::string_view part = raw.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::optional<std::string> name = unescaped(part.substr(0, equals), true);
    const std::optional<std::string> value = unescaped(part.substr(std::min(equals + 1, part.size())), true);
    if (!name || !value || !target.query.emplace(*name, *value).second) return std::nullopt;
  }
  return target;
}

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

}  // namespace halfspace::http
