// The members of one line of JSON Lines, as simdjson finds them, and what is wrong with a line that holds no object.
//
// simdjson finds strings and structure and checks UTF-8 and brackets; numbers, escapes and what stands within arrays are
// not looked at before someone asks for them. Whatever it refuses, find_json_flaw names with its place.
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

// So many bytes behind a line must be readable; what they are means nothing.
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

  // Reads a line without its end. Returns the members, those of objects within between `object` and `end`; nothing when
  // the line is not one object.
  std::optional<std::span<const JsonToken>> read(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<JsonToken> tokens_;
};

// Undoes the escapes of a text. Gives false where one is none, or stands for no character that a text may hold.
bool unescape_json(std::string_view text, std::string& out);
// Tells whether a text is a number as JSON writes it.
bool is_json_number(std::string_view text);

struct JsonProblem {
  const char* at;  // in the line
  std::string reason, hint;
};

// Finds the first thing for which a line is not one JSON object, if there is any.
std::optional<JsonProblem> find_json_flaw(std::string_view line);

}  // namespace halfspace::stream
