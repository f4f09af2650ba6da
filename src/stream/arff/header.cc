// Parses the declarations of ARFF; each flaw has its line and column.
#include "stream/arff/header.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t most_attributes = std::size_t{1} << 20;

bool equal_words(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  ArffHeader read(std::string_view text) {
    const std::size_t size = text.size();
    while (!text.empty() && !header_.complete) {
      line_ = take_line(text);
      ++number_;
      read_line();
    }
    header_.bytes = size - text.size();
    return std::move(header_);
  }

 private:
  void read_line() {
    ArffTokens tokens(line_);
    const ArffToken keyword = take(tokens, true);
    if (keyword.kind == ArffToken::Kind::end) return;
    if (equal_words(keyword.text, "@relation")) {  // its name may be anything
      header_.relation = line_;
      header_.relation_line = number_;
      return;
    }
    if (equal_words(keyword.text, "@data")) {
      if (header_.attributes.empty()) fail(keyword.at, "@data before any @attribute", "declare the attributes first");
      header_.complete = true;
    } else if (equal_words(keyword.text, "@attribute")) {
      read_attribute(tokens);
    } else if (equal_words(keyword.text, "@inputs") || equal_words(keyword.text, "@input")) {
      for (ArffToken token = take(tokens); token.kind != ArffToken::Kind::end; token = take(tokens)) {
        if (token.is_value()) header_.inputs.push_back(text_of(token));
      }
    } else if (equal_words(keyword.text, "@outputs") || equal_words(keyword.text, "@output")) {
      read_outputs(tokens);
    } else {
      fail(keyword.at, quote(keyword.text) + " where @attribute or @data is expected",
           "declare each attribute on a line of its own, and write @data before the rows");
    }
  }

  void read_attribute(ArffTokens& tokens) {
    const ArffToken name = take(tokens, true);
    if (!name.is_value() || name.text.empty()) fail(name.at, "the attribute has no name", "write @attribute NAME TYPE");
    ArffAttribute attribute;
    attribute.name = text_of(name);
    attribute.line = number_;
    const auto [known, inserted] = line_of_.emplace(attribute.name, number_);
    if (!inserted) {
      fail(name.at,
           "the attribute " + quote(attribute.name) + " is declared on line " + std::to_string(known->second) + " too",
           "give each attribute its own name");
    }
    if (header_.attributes.size() == most_attributes) {
      fail(name.at, "more than " + std::to_string(most_attributes) + " attributes", "is this an ARFF file?");
    }
    const ArffToken type = take(tokens);
    const auto is = [&](std::string_view word) {
      // KEEL writes the range of a type behind it: real[0,1].
      return type.kind == ArffToken::Kind::word && equal_words(type.text.substr(0, type.text.find('[')), word);
    };
    if (type.kind == ArffToken::Kind::open) {
      attribute.type = ArffAttribute::Type::nominal;
      read_values(tokens, type.at, attribute);
    } else if (is("string") || is("date")) {
      attribute.type = ArffAttribute::Type::text;
      if (is("date")) take(tokens);  // the format of dates
    } else if (!is("numeric") && !is("real") && !is("integer")) {
      fail(type.at, type.is_value() ? quote(type.text) + " is not a type that is read" : "the attribute has no type",
           "types are numeric, real, integer, string, date and {a, list, of, values}");
    }
    header_.attributes.push_back(std::move(attribute));
  }

  // The attribute to predict, as KEEL declares it.
  void read_outputs(ArffTokens& tokens) {
    const ArffToken name = take(tokens);
    if (!name.is_value()) fail(name.at, "the output has no name", "write @outputs NAME, or take the line out");
    header_.output = text_of(name);
    if (take(tokens).kind != ArffToken::Kind::end)
      fail(name.at, "several outputs, and a row has one label", "leave the one to predict");
    header_.output_line = number_;
  }

  void read_values(ArffTokens& tokens, const char* open, ArffAttribute& attribute) {
    std::unordered_set<std::string> values;
    bool expected = false;  // after a comma
    for (;;) {
      const ArffToken token = take(tokens);
      if (token.kind == ArffToken::Kind::close && !expected) break;
      if (token.kind == ArffToken::Kind::comma && !expected && !attribute.values.empty()) {
        expected = true;
        continue;
      }
      if (token.kind == ArffToken::Kind::end)
        fail(open, "the list of values is not closed on its line", "end it with a }");
      if (!token.is_value())
        fail(token.at, "a value is expected here", "separate values by commas; quote those with braces or commas");
      std::string value = text_of(token);
      if (!values.insert(value).second)
        fail(token.at, "the value " + quote(value) + " is twice in the list", "keep one of them");
      attribute.values.push_back(std::move(value));
      expected = false;
    }
    if (attribute.values.empty()) fail(open, "the list of values is empty", "list the values of the attribute");
  }

  ArffToken take(ArffTokens& tokens, bool may_touch = false) {
    const ArffToken token = tokens.next(may_touch);
    if (tokens.problem()) fail(tokens.problem()->at, tokens.problem()->reason, tokens.problem()->hint);
    return token;
  }

  std::string text_of(const ArffToken& token) const {
    std::string text = token.escaped ? without_escapes(token.text) : std::string(token.text);
    if (!valid_utf8(text)) fail(token.at, quote(text) + " is not valid UTF-8", to_utf8);
    return text;
  }

  [[noreturn]] void fail(const char* at, std::string reason, std::string hint) const {
    throw Error(ErrorKind::data, std::move(reason))
        .at(file_, number_, static_cast<std::uint64_t>(at - line_.data()) + 1)
        .showing(std::string(line_))
        .fix(std::move(hint));
  }

  const std::string& file_;
  ArffHeader header_;
  std::string_view line_;
  std::uint64_t number_ = 0;
  std::unordered_map<std::string, std::uint64_t> line_of_;  // of each attribute
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_quote(char c) { return c == '\'' || c == '"'; }

constexpr const char* use_quotes = "put the value in quotes, with \\ before each quote in it";

}  // namespace

ArffHeader read_arff_header(std::string_view text, const std::string& file) { return HeaderReader(file).read(text); }

void refuse_unknown_output(const ArffHeader& header, const std::string& file) {
  if (header.output.empty()) return;
  std::vector<std::string> others;
  for (const ArffAttribute& attribute : header.attributes) {
    if (attribute.name == header.output) return;
    if (std::find(header.inputs.begin(), header.inputs.end(), attribute.name) == header.inputs.end())
      others.push_back(attribute.name);
  }
  throw Error(ErrorKind::data, "the output " + quote(header.output) + " is no attribute")
      .at(file, header.output_line, 1)
      .fix(others.size() == 1 ? "the only attribute that is no input is " + quote(others[0]) + ": " +
                                    option("label", others[0]) + " learns it"
                              : option("label") + " names the attribute to learn");
}

bool begins_arff(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line.front() == '%') continue;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    return word.size() < line.size() && (equal_words(word, "@relation") || equal_words(word, "@attribute"));
  }
  return false;
}

ArffToken ArffTokens::next(bool may_touch) {
  while (at_ < end_ && is_space(*at_)) ++at_;
  if (at_ == end_ || *at_ == '%') {
    at_ = end_;
    return {ArffToken::Kind::end, false, end_, {}};
  }
  const auto single = [&](ArffToken::Kind kind) {
    const char* const at = at_++;
    return ArffToken{kind, false, at, {at, 1}};
  };
  if (*at_ == ',') return single(ArffToken::Kind::comma);
  if (*at_ == '{') return single(ArffToken::Kind::open);
  if (*at_ == '}') return single(ArffToken::Kind::close);
  if (is_quote(*at_)) return quoted(may_touch);
  const char* const begin = at_;
  while (at_ < end_ && !is_space(*at_) && *at_ != ',' && *at_ != '}') {
    if (may_touch && (is_quote(*at_) || *at_ == '{')) break;
    if (is_quote(*at_)) return flawed(at_, "a quote inside an unquoted value", use_quotes);
    if (*at_ == '%') return flawed(at_, "a % inside an unquoted value, where it would begin a comment", use_quotes);
    if (*at_ == '{') return flawed(at_, "a { inside an unquoted value", use_quotes);
    if (*at_ == '\0') return flawed(at_, "a NUL byte", "convert the file to UTF-8 text");
    ++at_;
  }
  return {ArffToken::Kind::word, false, begin, {begin, static_cast<std::size_t>(at_ - begin)}};
}

ArffToken ArffTokens::quoted(bool may_touch) {
  const char* const open = at_;
  ArffToken token{ArffToken::Kind::quoted, false, open, {}};
  for (++at_; at_ < end_ && *at_ != *open; ++at_) {
    if (*at_ == '\0') return flawed(at_, "a NUL byte", "convert the file to UTF-8 text");
    if (*at_ != '\\') continue;
    token.escaped = true;
    if (at_ + 1 < end_ && at_[1] >= '0' && at_[1] <= '9') {
      return flawed(at_, "a \\ before a digit", "write the character itself, in UTF-8");
    }
    if (at_ + 1 < end_) ++at_;
  }
  if (at_ >= end_) return flawed(open, "the quote that opens here is not closed on its line", use_quotes);
  token.text = {open + 1, static_cast<std::size_t>(at_ - open - 1)};
  ++at_;
  if (!may_touch && at_ < end_ && !is_space(*at_) && *at_ != ',' && *at_ != '}' && *at_ != '{' && *at_ != '%') {
    return flawed(at_, "text after the closing quote", use_quotes);
  }
  return token;
}

ArffToken ArffTokens::flawed(const char* at, std::string reason, std::string hint) {
  problem_ = ArffProblem{at, std::move(reason), std::move(hint)};
  at_ = end_;
  return {ArffToken::Kind::end, false, at, {}};
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char c = text[++i];
    plain += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return plain;
}

}  // namespace halfspace::stream
