// Parses lines of JSON to rows: the parallel half, with known columns and kinds and provisional numbers for new texts.
#include "stream/jsonl/jsonl.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "stream/text/decimals.h"
#include "stream/text/number.h"
#include "stream/text/plain_decimal.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t json_window = std::size_t{32} << 10;  // text whose separators are known at a time

JsonProblem describe_twice(const JsonToken& token, std::string_view name) {
  return {token.key.data() - 1, "the member " + quote(name) + " is twice in the object", "keep one of them"};
}

JsonProblem describe_bad_number(NumberProblem problem, const JsonToken& token, std::string_view text,
                                const std::string& name, bool of_model) {
  const std::string value = quote(text) + " in the member " + quote(name);
  const char* const at = token.value.data();
  if (problem == NumberProblem::overflow) return {at, value + " is too large for a double", "scale the column down"};
  if (problem == NumberProblem::not_finite) {
    return {at, value + " is not finite", "write null if the value is unknown"};
  }
  return {at, value + " is not a number",
          of_model ? "write a number such as 1.5, or null if the value is unknown"
                   : "write a number such as 1.5, null if the value is unknown, or use " + option("categorical", name)};
}

// The plain decimals that JSON writes as well.
bool read_plain_number(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  if (scan_plain_decimal(text.data(), value) != end || !is_digit(end[-1])) return false;
  const std::size_t first = text.front() == '-' ? 1 : 0;
  return text[first] != '0' || text.size() == first + 1 || !is_digit(text[first + 1]);
}

// Returns a text that outlives the line: without escapes it points into the chunk.
std::string_view lasting(std::string_view text, const JsonToken& token, std::deque<std::string>& own) {
  return text.data() == token.value.data() ? text : own.emplace_back(text);
}

// Fast path for lines laid out like an earlier one: compares their names as bytes and parses eight numbers at a time.
// Leaves any exception to the careful reader, which gives the same result for every line.

constexpr unsigned most_patience = 64;  // lines between two that are learned from, while none is like the one before

// Returns whether a plain decimal is a JSON number: digits on both sides of the point, no leading 0.
bool json_writes_decimal(const char* begin, const char* end) {
  begin += *begin == '-' ? 1 : 0;
  const int first = is_digit(*begin), last = is_digit(end[-1]), second = is_digit(begin[1]), zero = *begin == '0';
  return (first & last & ~(zero & second)) != 0;
}

// Recognises lines laid out like an earlier one.

constexpr std::size_t compared_at_once = 16;
constexpr std::size_t numbers_at_once = 8;
static_assert(json_margin >= compared_at_once);

std::array<std::uint64_t, 2> load_two(const char* bytes) {
  std::array<std::uint64_t, 2> two;
  std::memcpy(two.data(), bytes, compared_at_once);
  return two;
}

}  // namespace

// Returns whether an earlier member of the row gives the same feature.
bool JsonlScratch::row_has(std::string_view other_feature) {
  const auto place = static_cast<std::uint32_t>(other_features.size());
  const auto hash = static_cast<std::uint32_t>(hash_of_name(other_feature, seed_of_names()));
  other_hashes.expect(1);
  const bool maybe = other_hashes.find_or_insert(hash, place) != RowNames::none;
  const bool found =
      maybe && std::find(other_features.begin(), other_features.end(), other_feature) != other_features.end();
  other_features.push_back(other_feature);
  return found;
}

void Jsonl::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  auto& scratch = chunk.scratch<JsonlScratch>();
  scratch.clear();
  scratch.names.begin(categories_, chunk);
  for (bool stopped = false; !stopped && !text.empty();) {
    const std::string_view window = first_lines(text, json_window);
    scratch.separators.find_in_json(window.size() <= Separators::most_text ? window : std::string_view());
    const std::uint32_t* at = scratch.separators.at();
    std::string_view kinds(scratch.separators.kind(), scratch.separators.count());
    for (std::size_t begin = 0; !stopped && begin < window.size();) {
      const std::size_t last = kinds.find('\n');  // of the line's separators
      const std::size_t end = kinds.empty() ? window.size() - (window.back() == '\n' ? 1 : 0) : at[last];
      std::string_view line = text.substr(begin, end - begin);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      ++chunk.lines;
      const bool usual = scratch.usual.layout.known() && line.size() <= options_.line_limit &&
                         scratch.usual.layout.matches(text, begin, at, kinds) &&
                         read_usual_line(text, line, scratch, chunk);
      if (usual) {
        ++chunk.data_rows;
      } else {
        chunk.rows.drop_row();
        scratch.names.drop_row();
        const std::size_t rows = chunk.rows.rows();
        stopped = !parse_line(line, scratch, chunk) && stop_at_bad;
        const bool last_line = end + 1 >= text.size();
        if (chunk.rows.rows() != rows && !last_line) learn_layout(text, line, at, kinds, scratch);
      }
      begin = end + 1;
      at += last + 1;
      kinds.remove_prefix(last + 1);
    }
    text.remove_prefix(window.size());
  }
  scratch.names.finish(chunk);
}

// Adds the row of a line, unless it is blank. Returns false for a bad row.
bool Jsonl::parse_line(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
  Problem problem;
  if (line.size() > options_.line_limit) {
    problem = JsonProblem{line.data() + options_.line_limit,
                          "the line is longer than the limit of " + std::to_string(options_.line_limit) + " bytes",
                          "write one object a line: jq -c . FILE, or raise the limit"};
  } else {
    problem = parse_row(line, scratch, chunk);
  }
  if (problem) {
    chunk.rows.drop_row();
    scratch.names.drop_row();
    chunk.bad.push_back({chunk.lines - 1, chunk.data_rows, static_cast<std::uint64_t>(problem->at - line.data()) + 1,
                         std::move(problem->reason), std::move(problem->hint),
                         std::string(line.substr(0, options_.line_limit))});
  }
  ++chunk.data_rows;
  return !problem;
}

Jsonl::Problem Jsonl::read_cells(std::string_view line, JsonlScratch& scratch) const {
  scratch.cells.resize(names_.size());
  scratch.other_count = 0;
  ++scratch.row;
  return scratch.members.read(line, names_,
                              [&](std::string_view name, std::uint32_t number, const JsonToken& token) -> Problem {
                                if (number == no_field) {
                                  if (scratch.other_count == scratch.others.size()) scratch.others.emplace_back();
                                  JsonlScratch::Other& other = scratch.others[scratch.other_count++];
                                  other.name.assign(name);
                                  other.token = &token;
                                  return std::nullopt;
                                }
                                JsonlScratch::Cell& cell = scratch.cells[number];
                                if (cell.row == scratch.row) return describe_twice(token, name);
                                cell = {scratch.row, &token};
                                return std::nullopt;
                              });
}

// The features in the order of the schema's columns, so that equal rows give equal bits whatever the line's order.
Jsonl::Problem Jsonl::parse_row(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const {
  if (Problem problem = read_cells(line, scratch)) return problem;
  for (const ColumnPlan::Feature& feature : plan_.features) {
    if (Problem problem = add_value(feature, line, scratch, chunk)) return problem;
  }
  if (scratch.other_count != 0) {
    if (Problem problem = add_others(line, scratch, chunk)) return problem;
  }
  return finish_row(line, scratch, chunk);
}

// Ends the row whose features are there.
Jsonl::Problem Jsonl::finish_row(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const {
  double weight = 1;
  if (plan_.weight != no_field) {
    if (Problem problem = read_weight(line, scratch, weight)) return problem;
  }
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    // The last check of all: only good rows may bring new labels.
    if (Problem problem = read_label(line, scratch, chunk, label)) return problem;
  }
  chunk.line_of_row.push_back(chunk.lines - 1);
  end_row(label, weight, scratch, chunk);
  return std::nullopt;
}

Jsonl::Problem Jsonl::add_value(const ColumnPlan::Feature& feature, std::string_view line, JsonlScratch& scratch,
                                ParsedChunk& chunk) const {
  const JsonToken* const token = token_of(feature.field, scratch);
  double value = 0;
  if (token != nullptr && feature.numeric && token->kind == JsonToken::Kind::number && !missing_.any_number() &&
      read_plain_number(token->value, value)) {
    chunk.rows.add(feature.feature, value);
    return std::nullopt;
  }
  std::string_view text;
  if (token != nullptr) {
    const auto found = scratch.members.text_of(*token);
    if (!found) return JsonMembers::flaw(line);
    text = *found;
  }
  if (missing_(text)) {
    chunk.rows.add(scratch.names.missing(feature.column), 1.0);
  } else if (feature.numeric) {
    const NumberProblem problem = parse_number(text, value);
    if (problem != NumberProblem::none)
      return describe_bad_number(problem, *token, text, names_[feature.field], options_.schema != nullptr);
    chunk.rows.add(feature.feature, value);
  } else if (text.data() == token->value.data()) {
    scratch.names.add(feature.column, text, 1.0, chunk.rows);
  } else {
    scratch.names.add_copy(feature.column, text, 1.0, chunk.rows);
  }
  return std::nullopt;
}

// Members that are no columns, by their names.
Jsonl::Problem Jsonl::add_others(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const {
  using Other = JsonlScratch::Other;
  const std::span<Other> others = std::span(scratch.others).first(scratch.other_count);
  scratch.other_features.clear();
  scratch.other_hashes.clear();
  std::sort(others.begin(), others.end(),
            [](const Other& a, const Other& b) { return a.name != b.name ? a.name < b.name : a.token < b.token; });
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto& [name, token] = others[i];
    if (i != 0 && others[i - 1].name == name) return describe_twice(*token, name);
    if (token->kind == JsonToken::Kind::null) continue;
    const auto text = scratch.members.text_of(*token);
    if (!text) return JsonMembers::flaw(line);
    if (missing_(*text)) continue;
    double value = 1;
    scratch.feature = name;
    if (token->kind == JsonToken::Kind::number) {
      const NumberProblem problem = parse_number(*text, value);
      if (problem != NumberProblem::none)
        return describe_bad_number(problem, *token, *text, name, options_.schema != nullptr);
    } else {
      scratch.feature += '=';
      scratch.feature += *text;
    }
    if (scratch.row_has(scratch.names.add_copy(others_, scratch.feature, value, chunk.rows))) {
      return JsonProblem{token->key.data() - 1, "two members give the feature " + quote(scratch.feature),
                         "name one of them in another way"};
    }
  }
  return std::nullopt;
}

Jsonl::Problem Jsonl::read_weight(std::string_view line, JsonlScratch& scratch, double& weight) const {
  const JsonToken* const token = token_of(plan_.weight, scratch);
  if (token == nullptr && options_.labels.weights_may_be_absent) return std::nullopt;
  const auto text = token == nullptr ? std::string_view() : scratch.members.text_of(*token);
  if (!text) return JsonMembers::flaw(line);
  if (parse_weight(*text, weight)) return std::nullopt;
  const std::string& name = names_[plan_.weight];
  if (token == nullptr)
    return JsonProblem{line.data(), "the weight " + quote(name) + " is missing", "give the row its weight"};
  return JsonProblem{token->value.data(), quote(*text) + " in the member " + quote(name) + " is not a weight",
                     what_a_weight_is};
}

Jsonl::Problem Jsonl::read_label(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk,
                                 std::int32_t& label) const {
  const JsonToken* const token = token_of(plan_.label, scratch);
  const std::string& name = names_[plan_.label];
  if (token == nullptr) {
    return JsonProblem{line.data(), "the label " + quote(name) + " is missing",
                       "give the row its label, or name another member with " + option("label")};
  }
  const auto text = scratch.members.text_of(*token);
  if (!text) return JsonMembers::flaw(line);
  if (missing_labels_(*text)) {
    return JsonProblem{token->value.data(),
                       "the label " + quote(name) + " is missing: " + quote(*text) + " stands for no value",
                       fix_of_missing_label(*text, missing_) + "give the row its label, or name another member with " +
                           option("label")};
  }
  const std::string_view own = lasting(*text, *token, scratch.own);
  label = token->kind == JsonToken::Kind::number
              ? scratch.labels.find_number(written_once(own, scratch.own), labels_, labels_open_, chunk)
              : scratch.labels.find(own, labels_, labels_open_, chunk);
  if (label == ChunkLabels::none) {
    LabelProblem problem = describe_unknown(*text, labels_, options_);
    return JsonProblem{token->value.data(), std::move(problem.reason), std::move(problem.hint)};
  }
  if (label <= first_new_label) {
    const auto column = static_cast<std::uint64_t>(token->value.data() - line.data()) + 1;
    scratch.new_label_rows.push_back({chunk.rows.rows(), column, line});
  }
  return std::nullopt;
}

void Jsonl::commit(ParsedChunk& chunk, Schema& schema) {
  if (final_after_parse(chunk)) return;
  const std::vector<ChunkNames::Entry>& names = chunk.scratch<JsonlScratch>().names.new_names();
  const bool others =
      std::any_of(names.begin(), names.end(), [&](const ChunkNames::Entry& name) { return name.column == others_; });
  const bool made = others && schema.columns.size() == others_;
  if (made) {
    Column column;
    column.kind = Column::Kind::categorical;
    schema.columns.push_back(std::move(column));
  }
  TableFormat::commit(chunk, schema);
  if (made && schema.columns.back().categories.empty() && schema.columns.back().missing_feature == Column::no_feature)
    schema.columns.pop_back();
}

// Returns the kept texts of a bad row: those before its flaw, as far as known, are reliable.
void Jsonl::keep(std::span<const std::string_view> records, KeptTexts& kept) const {
  if (plan_.kept.empty()) return;
  JsonlScratch scratch;
  for (const std::string_view record : records) {
    const std::string_view line = record.substr(0, std::min(record.find('\n'), options_.line_limit));
    read_cells(line, scratch);
    for (const std::uint32_t field : plan_.kept) {
      const JsonToken* const token = token_of(field, scratch);
      const bool written =
          token != nullptr && token->kind != JsonToken::Kind::array && token->kind != JsonToken::Kind::object;
      const auto text = written ? scratch.members.text_of(*token) : std::string_view();
      kept.texts.push_back(text && !text->empty() ? lasting(*text, *token, kept.own) : std::string_view());
    }
  }
}

std::unique_ptr<Format> make_jsonl(const ReadOptions& options) { return std::make_unique<Jsonl>(options); }

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
