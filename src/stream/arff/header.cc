// Parses the declarations of ARFF; each flaw has its line and column.
#include "stream/arff/header.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/arff/tokens.h"
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

}  // namespace

ArffHeader read_arff_header(std::string_view text, const std::string& file) {
  return HeaderReader(file).read(text);
}

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

}  // namespace halfspace::stream
