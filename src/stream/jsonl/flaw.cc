// Finds what is wrong with a line that should be one JSON object, and where: slow, only called for such lines.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "stream/jsonl/tokens.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr const char* one_line = "write each object on a line of its own: jq -c . FILE";
constexpr unsigned deepest = 64;

class JsonFlawFinder {
 public:
  explicit JsonFlawFinder(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  std::optional<JsonProblem> find() {
    skip_blanks();
    if (at_ == end_ || *at_ != '{') {
      const bool array = at_ != end_ && *at_ == '[';
      const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
      const bool comment = rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#');
      const bool marked = rest.starts_with(byte_order_mark);
      fail(at_,
           array     ? "an array, where a row is an object"
           : comment ? "a comment, where a row is an object"
           : marked  ? "a byte order mark, where a row is an object"
                     : "an object is expected here",
           comment  ? "leave out such lines: sed -E '\\:^ *(//|/[*]|#):d' FILE >NAME.jsonl"
           : marked ? without_byte_order_marks
           : array  ? "write the objects in it as lines: jq -c 'if type == \"array\" then .[] else . end' FILE"
                    : "a row is written {\"name\": value, ...}");
    } else if (read_object(0)) {
      skip_blanks();
      if (at_ != end_) {
        fail(at_, "text after the object",
             *at_ == '/' || *at_ == '#'
                 ? "leave out the comments: sed -E 's:[}] *(//|/[*]|#)[^}]*$:}:' FILE >NAME.jsonl"
             : *at_ == ',' ? "the rows of JSON Lines have no commas between them: is it an array? jq -c '.[]' FILE"
                           : one_line);
      }
    }
    return std::move(problem_);
  }

 private:
  bool fail(const char* at, std::string reason, std::string hint) {
    if (!problem_) problem_ = JsonProblem{at, std::move(reason), std::move(hint)};
    return false;
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  // {"name": value, ...}; an array in the same way, without names.
  bool read_object(unsigned depth) {
    const char* const open = at_;
    const bool named = *open == '{';
    const char close = named ? '}' : ']';
    const std::string what = named ? "object" : "array";
    if (depth > deepest) {
      return fail(at_, "objects in objects, more than " + std::to_string(deepest) + " deep", "write them flatter");
    }
    const auto cut = [&] { return fail(open, "the " + what + " that opens here is not closed on its line", one_line); };
    ++at_;
    skip_blanks();
    for (bool first = true;; first = false) {
      if (at_ == end_) return cut();
      if (first && *at_ == close) break;
      if (named && !read_name(first)) return false;
      skip_blanks();
      if (at_ == end_) return cut();
      if (!read_value(depth)) return false;
      skip_blanks();
      if (at_ == end_) return cut();
      if (*at_ == close) break;
      if (*at_ != ',') {
        return fail(at_, std::string("a comma or ") + close + " is expected here", "separate members by commas");
      }
      ++at_;
      skip_blanks();
    }
    ++at_;
    return true;
  }

  bool read_name(bool first) {
    if (*at_ != '"') {
      return fail(at_, "a name in double quotes is expected here",
                  *at_ == '}' && !first
                      ? "take out the comma before it; of all lines: sed -E 's/, *([]}])/\\1/g' FILE >NAME.jsonl"
                      : "a row is written {\"name\": value, ...}");
    }
    if (!read_text()) return false;
    skip_blanks();
    if (at_ < end_ && *at_ == ':') {
      ++at_;
      return true;
    }
    return fail(at_, "a ':' is expected here, after the name", "a row is written {\"name\": value, ...}");
  }

  bool read_value(unsigned depth) {
    if (*at_ == '{' || *at_ == '[') return read_object(depth + 1);
    if (*at_ == '"') return read_text();
    const char* const begin = at_;
    at_ = std::find_if(at_, end_, [](char c) {
      return c == ',' || c == '}' || c == ']' || c == '"' || c == ' ' || c == '\t' || c == '\r' || c == '\n' ||
             c == ':' || c == '{' || c == '[';
    });
    const std::string_view word(begin, static_cast<std::size_t>(at_ - begin));
    if (word == "null" || word == "true" || word == "false" || is_json_number(word)) return true;
    if (word.empty()) return fail(begin, "a value is expected here", "write null where a value is unknown");
    const bool other_null = word == "NaN" || word == "None" || word == "nan" || word.ends_with("nfinity");
    const bool number = word.find_first_of("0123456789") != std::string_view::npos;
    return fail(begin, quote(word) + " is no value of JSON",
                other_null ? "write null where a value is unknown: sed -E 's/([:,[] "
                             "*)-?(NaN|nan|None|Infinity)\\b/\\1null/g' FILE >NAME.jsonl"
                : number   ? "numbers are written such as 1.5 or -2e3, texts in double quotes"
                           : "texts are written in double quotes, and true, false and null without");
  }

  bool read_text() {
    const char* const open = at_;
    for (++at_; at_ < end_ && *at_ != '"'; ++at_) {
      if (*at_ == '\0') return fail(at_, "a NUL byte", "convert the file to UTF-8 text");
      if (static_cast<unsigned char>(*at_) < 0x20) {
        return fail(at_, "a control character within a text", "write it as an escape, such as \\t");
      }
      if (*at_ == '\\' && !read_escape()) return false;
    }
    if (at_ == end_) return fail(open, "the quote that opens here is not closed on its line", one_line);
    ++at_;
    return true;
  }

  // Leaves the last byte of the escape at hand.
  bool read_escape() {
    const char* const begin = at_;
    if (++at_ == end_) return fail(begin, "a \\ at the end of the line", one_line);
    std::size_t length = 1;
    if (*at_ == 'u') {
      const auto given = [&](std::size_t from) { return static_cast<std::size_t>(end_ - begin) >= from + 6; };
      length = 5;
      if (given(0) && (begin[2] == 'd' || begin[2] == 'D') && begin[3] >= '8' && given(6) && begin[6] == '\\')
        length = 11;
    }
    length = std::min(length, static_cast<std::size_t>(end_ - at_));
    std::string ignored;
    const std::string_view escape(begin, length + 1);
    if (!unescape_json(escape, ignored)) {
      return fail(begin, quote(escape) + " stands for no character that a text may hold",
                  "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX; not \\u0000, and surrogates in pairs");
    }
    at_ += length - 1;
    return true;
  }

  const char* at_;
  const char* const end_;
  std::optional<JsonProblem> problem_;
};

}  // namespace

std::optional<JsonProblem> find_json_flaw(std::string_view line) {
  std::optional<JsonProblem> problem = JsonFlawFinder(line).find();
  const char* const bad_byte = line.data() + first_invalid_utf8(line);
  if (bad_byte != line.data() + line.size() && (!problem || bad_byte <= problem->at)) {
    return JsonProblem{bad_byte, "invalid UTF-8", to_utf8};
  }
  return problem;
}

}  // namespace halfspace::stream
