// Fast path for lines laid out like an earlier one: compares their names as bytes and parses eight numbers at a time.
// Leaves any exception to the careful reader, which gives the same result for every line.
#include <algorithm>

#include "base/utf8.h"
#include "stream/jsonl/jsonl.h"
#include "stream/text/decimals.h"
#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr unsigned most_patience = 64;  // lines between two that are learned from, while none is like the one before

// Returns whether a plain decimal is a JSON number: digits on both sides of the point, no leading 0.
bool json_writes_decimal(const char* begin, const char* end) {
  begin += *begin == '-' ? 1 : 0;
  const int first = is_digit(*begin), last = is_digit(end[-1]), second = is_digit(begin[1]), zero = *begin == '0';
  return (first & last & ~(zero & second)) != 0;
}

}  // namespace

// Learns the layout of the current line, whose row is good, for later lines.
void Jsonl::learn_layout(std::string_view text, std::string_view line, const std::uint32_t* at, std::string_view kinds,
                         JsonlScratch& scratch) const {
  JsonlScratch::Usual& usual = scratch.usual;
  if (usual.wait > 0) {
    --usual.wait;
    return;
  }
  usual.patience = std::min(2 * usual.patience, most_patience);
  usual.wait = usual.patience;
  usual.layout.clear();
  if (kinds.find('\n') == std::string_view::npos) return;
  std::vector<JsonToken> tokens;
  std::vector<std::uint32_t> fields;
  bool all_known = true;
  scratch.members.read(line, names_, [&](std::string_view, std::uint32_t number, const JsonToken& token) -> Problem {
    tokens.push_back(token);
    fields.push_back(number);
    all_known &= number != no_field && token.kind != JsonToken::Kind::array && token.kind != JsonToken::Kind::object;
    return std::nullopt;
  });
  const std::size_t begin = static_cast<std::size_t>(line.data() - text.data());
  if (!all_known || !usual.layout.learn(text, begin, at, kinds, tokens)) return;

  const JsonLayout& layout = usual.layout;
  usual.field.assign(layout.places(), no_field);
  std::vector<std::uint32_t> place_of_field(names_.size(), no_field);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    usual.field[layout.place_of(i)] = fields[i];
    place_of_field[fields[i]] = layout.place_of(i);
  }
  usual.value.resize(layout.bare() + decimals_slack);
  usual.rest.resize(layout.bare() / 8 + 1);
  usual.token.resize(layout.places());
  const std::size_t features = plan_.features.size();
  usual.numbers.assign(features, {});
  usual.direct.assign(layout.places(), false);
  for (std::size_t rank = features; rank-- > 0;) {
    const ColumnPlan::Feature& feature = plan_.features[rank];
    const std::uint32_t place = place_of_field[feature.field];
    if (!feature.numeric || missing_.any_number() || place >= layout.bare()) continue;
    const std::uint32_t behind = rank + 1 == features ? 0 : usual.numbers[rank + 1].count;
    usual.numbers[rank] = {place, behind + 1};
    usual.direct[place] = true;
  }
}

// Reads a line of the layout. Returns false if it needs the careful reader.
bool Jsonl::read_usual_line(std::string_view text, std::string_view line, JsonlScratch& scratch,
                            ParsedChunk& chunk) const {
  JsonlScratch::Usual& usual = scratch.usual;
  const JsonLayout& layout = usual.layout;
  const std::uint32_t* const bounds = layout.bounds();
  const bool plain = read_decimals_between(text, bounds, layout.bare(), usual.value.data(), usual.rest.data());
  bool numbers = true;  // all that the features which are no categories have
  ++scratch.row;
  for (std::size_t place = 0; place < layout.bare(); ++place) {
    if ((plain || (usual.rest[place / 8] >> place % 8 & 1) == 0) &&
        json_writes_decimal(text.data() + bounds[2 * place] + 1, text.data() + bounds[2 * place + 1])) {
      continue;
    }
    const std::string_view value = layout.at_place(text, place);
    if (is_json_number(value)) {
      if (parse_number(value, usual.value[place]) != NumberProblem::none) return false;
    } else if (value == "null" || value == "true" || value == "false") {
      numbers &= !usual.direct[place];
    } else {
      return false;
    }
  }
  for (std::size_t place = 0; place < layout.places(); ++place) {
    const std::uint32_t field = usual.field[place];
    if (field == no_field || (numbers && usual.direct[place])) continue;
    JsonToken& token = usual.token[place];
    token.value = layout.at_place(text, place);
    token.kind = JsonToken::Kind::text;
    if (place < layout.bare()) {
      token.kind = token.value == "null"                             ? JsonToken::Kind::null
                   : token.value == "true" || token.value == "false" ? JsonToken::Kind::boolean
                                                                     : JsonToken::Kind::number;
    } else if (!valid_utf8(token.value)) {
      return false;
    }
    scratch.cells[field] = {scratch.row, &token};
  }
  const std::size_t features = plan_.features.size();
  for (std::size_t rank = 0; rank < features;) {
    const std::uint32_t count = numbers ? usual.numbers[rank].count : 0;
    if (count == 0) {
      if (add_value(plan_.features[rank++], line, scratch, chunk)) return false;
      continue;
    }
    const BlockBuffer::Room room = chunk.rows.extend(count);
    for (std::size_t i = 0; i < count; ++i, ++rank) {
      room.index[i] = plan_.features[rank].feature;
      room.value[i] = usual.value[usual.numbers[rank].place];
    }
  }
  if (finish_row(line, scratch, chunk)) return false;
  usual.patience = usual.wait = 1;  // one line that is odd is not learned from
  return true;
}

}  // namespace halfspace::stream
