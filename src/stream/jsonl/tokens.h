// Splits one line of JSON Lines into members with simdjson; finds what is wrong with a line that is no object.
//
// simdjson finds strings and structure and checks UTF-8 and brackets; numbers, escapes and the content of arrays are
// checked on demand. find_json_flaw reports the position of whatever it rejects.
//
// Thread-safety: one thread per JsonTokens; functions are pure. Cost O(line), without allocation once the longest line
// has been seen. Views of the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::stream {

// This many bytes after a line must be readable; their content does not matter.
inline constexpr std::size_t json_margin = 64;

struct JsonToken {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object, end };  // end: of an object within
  Kind kind = Kind::null;
  std::string_view key;    // between its quotes, as written
  std::string_view value;  // as written, a text between its quotes; of an array or object its bracket
};

class JsonTokens {
 public:
  JsonTokens();
  ~JsonTokens();

  // Reads a line without its end. Returns the members, those of nested objects between `object` and `end`; nothing if
  // the line is not one object.
  std::optional<std::span<const JsonToken>> read(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<JsonToken> tokens_;
};

// Resolves the escapes of a text. Returns false for an invalid escape, or one for a character that a text must not
// hold.
bool unescape_json(std::string_view text, std::string& out);
// Returns whether a text is a JSON number.
bool is_json_number(std::string_view text);

struct JsonProblem {
  const char* at;  // in the line
  std::string reason, hint;
};

// Returns the first reason why a line is not one JSON object, if there is one.
std::optional<JsonProblem> find_json_flaw(std::string_view line);

}  // namespace halfspace::stream
