// Splits lines of ARFF into tokens as Weka's reader does, but reports whatever Weka skips silently.
#include "stream/arff/tokens.h"

#include <utility>

namespace halfspace::stream {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_quote(char c) {
  return c == '\'' || c == '"';
}

constexpr const char* use_quotes = "put the value in quotes, with \\ before each quote in it";

}  // namespace

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
