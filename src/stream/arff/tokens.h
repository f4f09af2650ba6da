// The tokens of a line of ARFF: words, quoted texts, braces and commas, up to the end of the line or a comment.
//
// Thread-safety: one thread per object. Cost O(line). Views of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

struct ArffProblem {
  const char* at;  // in the line
  std::string reason, hint;
};

struct ArffToken {
  enum class Kind : std::uint8_t { word, quoted, open, close, comma, end };
  Kind kind = Kind::end;
  bool escaped = false;      // has backslash escapes
  const char* at = nullptr;  // where it begins, including a quote
  std::string_view text;     // without quotes

  bool is_value() const { return kind == Kind::word || kind == Kind::quoted; }
  // Returns whether it is a missing value: a ? without quotes, or an empty quoted text.
  bool is_missing() const { return kind == Kind::word ? text == "?" : text.empty(); }
};

class ArffTokens {
 public:
  // `line` excludes the line end.
  explicit ArffTokens(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  // Returns the next token; the end after the last token or after a flaw. In a declaration a token may touch the next
  // one: play{yes,no}, 'x'numeric.
  ArffToken next(bool may_touch = false);
  // Returns what is wrong with a token, if anything is.
  std::optional<ArffProblem>& problem() { return problem_; }

 private:
  ArffToken quoted(bool may_touch);
  ArffToken flawed(const char* at, std::string reason, std::string hint);

  const char* at_;
  const char* end_;
  std::optional<ArffProblem> problem_;
};

// Returns a quoted text with the escapes
// , \t, \r and \ before another byte resolved.
std::string without_escapes(std::string_view text);

}  // namespace halfspace::stream
