// Recognises lines laid out like an earlier one.
#include "stream/jsonl/layout.h"

#include <algorithm>
#include <cstring>

namespace halfspace::stream {
namespace {

constexpr std::size_t compared_at_once = 16;
constexpr std::size_t numbers_at_once = 8;
static_assert(json_margin >= compared_at_once);

std::array<std::uint64_t, 2> load_two(const char* bytes) {
  std::array<std::uint64_t, 2> two;
  std::memcpy(two.data(), bytes, compared_at_once);
  return two;
}

}  // namespace

bool JsonLayout::learn(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds,
                       std::span<const JsonToken> values) {
  clear();
  kinds_ = kinds.substr(0, kinds.find('\n') + 1);
  if (values.empty() || kinds_.find('\\') != std::string::npos) return false;
  text_.clear();
  literals_.clear();
  place_.clear();
  std::size_t from = begin, separator = 0;
  const auto add = [&](std::size_t to) {
    while (at[separator] < from) ++separator;
    Literal literal;
    literal.separator = static_cast<std::uint32_t>(separator);
    literal.before = static_cast<std::uint32_t>(at[separator] - from);
    literal.size = static_cast<std::uint32_t>(to - from);
    literal.begin = static_cast<std::uint32_t>(text_.size());
    text_ += text.substr(from, to - from);
    std::array<char, compared_at_once> bytes{}, mask{};
    const std::size_t first = std::min<std::size_t>(literal.size, compared_at_once);
    std::copy_n(text.data() + from, first, bytes.begin());
    std::fill_n(mask.begin(), first, '\xff');
    literal.bytes = load_two(bytes.data());
    literal.mask = load_two(mask.data());
    literals_.push_back(literal);
  };
  bare_ = static_cast<std::size_t>(std::count_if(
      values.begin(), values.end(), [](const JsonToken& token) { return token.kind != JsonToken::Kind::text; }));
  std::size_t next_bare = 0, next_quoted = (bare_ + numbers_at_once - 1) / numbers_at_once * numbers_at_once;
  for (const JsonToken& token : values) {
    const std::size_t value = static_cast<std::size_t>(token.value.data() - text.data());
    add(value);
    from = value + token.value.size();
    place_.push_back(static_cast<std::uint32_t>(token.kind == JsonToken::Kind::text ? next_quoted++ : next_bare++));
  }
  add(at[kinds_.size() - 1]);
  bounds_.resize(2 * next_quoted);
  values_ = values.size();
  return true;
}

bool JsonLayout::matches(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds) {
  if (!kinds.starts_with(kinds_)) return false;
  std::size_t end = begin;  // of the literal before
  std::uint64_t other = 0;
  std::uint32_t* const bounds = bounds_.data();
  for (std::size_t i = 0; i <= values_; ++i) {
    const Literal& literal = literals_[i];
    const std::size_t separator = at[literal.separator];
    // The first begins the line; the others do not overlap.
    if (separator < end + literal.before) return false;
    const std::size_t from = separator - literal.before;
    const std::array<std::uint64_t, 2> bytes = load_two(text.data() + from);
    other |= ((bytes[0] ^ literal.bytes[0]) & literal.mask[0]) | ((bytes[1] ^ literal.bytes[1]) & literal.mask[1]);
    if (literal.size > compared_at_once &&
        text.substr(from, literal.size) != std::string_view(text_).substr(literal.begin, literal.size)) {
      return false;
    }
    if (i == 0) {
      other |= from ^ begin;
    } else {
      bounds[2 * std::size_t{place_[i - 1]} + 1] = static_cast<std::uint32_t>(from);
    }
    end = from + literal.size;
    if (i != values_) bounds[2 * std::size_t{place_[i]}] = static_cast<std::uint32_t>(end - 1);
  }
  // Behind the last there is nothing.
  if (other != 0 || end != at[kinds_.size() - 1]) return false;
  // Numbers are read eight at a time: those that are none are the last once more.
  for (std::size_t place = bare_; place % numbers_at_once != 0; ++place) {
    bounds[2 * place] = bounds[2 * bare_ - 2];
    bounds[2 * place + 1] = bounds[2 * bare_ - 1];
  }
  return true;
}

}  // namespace halfspace::stream
