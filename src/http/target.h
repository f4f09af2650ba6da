// The target of an HTTP request, "/rows/case%2017?wait=1", decoded.
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::http {

struct Target {
  std::string path;
  std::map<std::string, std::string> query;
  bool operator==(const Target&) const = default;
};

// Takes the absolute form, "http://host/rows?wait=1", as well (RFC 9112, 3.2.2), and drops its host. Returns nothing
// for a target of another form: without a leading slash, with an incomplete escape, a control character, invalid UTF-8,
// or a name that the query has twice. In the query, + is a space.
std::optional<Target> decoded_target(std::string_view raw);

// Returns whether the text is the name of a header field (a token of RFC 9110).
bool is_token(std::string_view text);

}  // namespace halfspace::http
