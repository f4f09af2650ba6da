// Lines of JSON to members, by simdjson.
#include "stream/jsonl/tokens.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>

#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

namespace ondemand = simdjson::ondemand;

// simdjson looks at the processor on first use, in a function that may not throw, and asks for memory: do it when the
// program is loaded.
[[maybe_unused]] const bool kProcessorIsKnown = !simdjson::get_active_implementation()->name().empty();

static_assert(json_margin >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t first_capacity = std::size_t{4} << 10;
constexpr std::size_t most_kept = std::size_t{1} << 20;  // bytes of a line for which the parser's memory stays
constexpr unsigned most_depth = 64;

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_json_space(token.back())) token.remove_suffix(1);
  return token;
}

// The key ends at the quote before the colon before the value.
std::string_view key_before(const char* key, const char* value) {
  for (--value; *value != ':'; --value) {
  }
  for (--value; *value != '"'; --value) {
  }
  return {key, static_cast<std::size_t>(value - key)};
}

bool read_members(ondemand::object& object, unsigned depth, std::vector<JsonToken>& tokens);

bool read_member(ondemand::field& field, unsigned depth, std::vector<JsonToken>& tokens) {
  const std::string_view value = trimmed(field.value().raw_json_token());
  if (value.empty()) return false;
  JsonToken token;
  token.key = key_before(field.key().raw(), value.data());
  token.value = value;
  const char first = value.front();
  if (first == '"') {
    if (value.size() < 2 || value.back() != '"') return false;
    token.kind = JsonToken::Kind::text;
    token.value = value.substr(1, value.size() - 2);
  } else if (first == '-' || is_digit(first)) {
    token.kind = JsonToken::Kind::number;
  } else if (first == '{') {
    token.kind = JsonToken::Kind::object;
    tokens.push_back(token);
    ondemand::object within;
    if (depth == most_depth || field.value().get_object().get(within) != simdjson::SUCCESS) return false;
    if (!read_members(within, depth + 1, tokens)) return false;
    token.kind = JsonToken::Kind::end;
  } else if (first == '[') {
    token.kind = JsonToken::Kind::array;
  } else if (value == "true" || value == "false") {
    token.kind = JsonToken::Kind::boolean;
  } else if (value != "null") {
    return false;
  }
  tokens.push_back(token);
  return true;
}

bool read_members(ondemand::object& object, unsigned depth, std::vector<JsonToken>& tokens) {
  for (auto member : object) {
    ondemand::field field;
    if (std::move(member).get(field) != simdjson::SUCCESS || !read_member(field, depth, tokens)) return false;
  }
  return true;
}

void append_utf8(std::uint32_t point, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xc0 | point >> 6);
  } else if (point < 0x10000) {
    put(0xe0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3f));
  } else {
    put(0xf0 | point >> 18);
    put(0x80 | (point >> 12 & 0x3f));
    put(0x80 | (point >> 6 & 0x3f));
  }
  put(0x80 | (point & 0x3f));
}

// The four hexadecimal digits of \uXXXX at `at`; none where they are not there.
std::optional<std::uint32_t> hexadecimal(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(at, 4)) {
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return std::nullopt;
    value = value * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return value;
}

}  // namespace

struct JsonTokens::Parser {
  ondemand::parser parser;
};

JsonTokens::JsonTokens() : parser_(std::make_unique<Parser>()) {}
JsonTokens::~JsonTokens() = default;

std::optional<std::span<const JsonToken>> JsonTokens::read(std::string_view line) {
  tokens_.clear();
  if (line.starts_with("\xef\xbb\xbf")) return std::nullopt;  // newer versions of simdjson skip a byte order mark
  ondemand::parser& parser = parser_->parser;
  if (parser.capacity() > most_kept && line.size() <= most_kept) {
    parser_ = std::make_unique<Parser>();
    return read(line);
  }
  if (line.size() > parser.capacity() &&
      parser.allocate(std::bit_ceil(std::max(line.size(), first_capacity))) != simdjson::SUCCESS) {
    throw std::bad_alloc();
  }
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(line.data(), line.size(), line.size() + json_margin).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS || !read_members(object, 0, tokens_) ||
      document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return std::nullopt;
  }
  return tokens_;
}

bool unescape_json(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return false;
    constexpr std::string_view written = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (const std::size_t place = written.find(text[i]); place != std::string_view::npos) {
      out += meant[place];
      continue;
    }
    std::optional<std::uint32_t> point = text[i] == 'u' ? hexadecimal(text, i + 1) : std::nullopt;
    if (!point || *point == 0 || (*point >= 0xdc00 && *point < 0xe000)) return false;
    i += 4;
    if (*point >= 0xd800 && *point < 0xdc00) {
      const auto low = text.substr(i + 1).starts_with("\\u") ? hexadecimal(text, i + 3) : std::nullopt;
      if (!low || *low < 0xdc00 || *low >= 0xe000) return false;
      point = 0x10000 + ((*point - 0xd800) << 10) + (*low - 0xdc00);
      i += 6;
    }
    append_utf8(*point, out);
  }
  return true;
}

bool is_json_number(std::string_view text) {
  const auto digits = [&] {
    std::size_t count = 0;
    for (; !text.empty() && is_digit(text.front()); ++count) text.remove_prefix(1);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace halfspace::stream
