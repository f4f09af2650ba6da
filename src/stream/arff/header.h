// Parses the header of an ARFF file: the attributes, their types and values.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::stream {

struct ArffAttribute {
  enum class Type : std::uint8_t { numeric, nominal, text };  // text: string and date
  std::string name;
  Type type = Type::numeric;
  std::vector<std::string> values;  // of a nominal one, in their order
  std::uint64_t line = 0;           // of its declaration, from 1

  bool same_as(const ArffAttribute& other) const {
    return name == other.name && type == other.type && values == other.values;
  }
};

struct ArffHeader {
  std::string relation;  // its line
  std::uint64_t relation_line = 0;
  std::vector<ArffAttribute> attributes;
  std::string output;  // the attribute to predict, as KEEL declares it; empty: none is declared
  std::uint64_t output_line = 0;
  std::vector<std::string> inputs;  // as KEEL declares them
  std::size_t bytes = 0;            // up to the end of the @data line
  bool complete = false;            // it ended within the text
};

// Parses the lines up to @data. `file` is for errors. Throws Error(data) with line and column.
ArffHeader read_arff_header(std::string_view text, const std::string& file);

// Throws Error(data) if the output that the header declares is no attribute.
void refuse_unknown_output(const ArffHeader& header, const std::string& file);

// Returns whether a text begins as ARFF does: with @relation or @attribute, after comments and blank
// lines.
bool begins_arff(std::string_view text);

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

// The tokens of a line of ARFF: words, quoted texts, braces and commas, up to the end of the line or a comment.
//
// Thread-safety: one thread per object. Cost O(line). Views of the line.
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
