// The LIBSVM text format: labels learned from the first rows, then lines to rows in parallel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/libsvm/labels_alone.h"
#include "stream/source/raw_file.h"
#include "stream/text/decimals.h"
#include "stream/text/number.h"
#include "stream/text/separators.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// Lines of LIBSVM text to rows: `label index:value index:value ... # comment`.
//
// Two readers of the same language. The fast one accepts what most lines consist of (a known label, single blanks,
// ascending indices of up to 8 digits, numbers) and gives up on anything else; the careful one accepts everything and
// reports what is wrong and where. A line goes to the careful one only after the fast one gives up.
//
// Thread-safety: one RowReader per thread; the LabelTable is shared and constant.

// The classes by label text.
class LabelTable {
 public:
  LabelTable() = default;
  // `learning`: unknown labels are collected in ParsedChunk::new_labels instead of being rejected.
  LabelTable(Labels labels, bool learning);

  std::int32_t find(std::string_view text) const;  // not_found when there is none
  static constexpr std::int32_t not_found = -1;

  bool learning() const noexcept { return learning_; }
  const Labels& labels() const noexcept { return labels_; }

 private:
  Labels labels_;
  std::unordered_map<std::string, std::int32_t> by_text_;
  bool learning_ = true;
};

struct RowRules {
  bool zero_based = false;
  bool ignore_labels = false;                       // rows may have any, or none
  bool bare_labels = true;                          // a word alone is always a label; else it must look like one
  std::uint64_t feature_limit = ~std::uint64_t{0};  // features from here on are dropped and counted
  std::size_t line_limit = 0;
  const ReadOptions* options = nullptr;  // for the fix of an unknown label
};

class RowReader {
 public:
  RowReader(const RowRules& rules, const LabelTable& table, ParsedChunk& chunk);

  // Reads whole lines into the chunk, up to and including the first bad one if `stop_at_bad`.
  void read(std::string_view text, bool stop_at_bad);

 private:
  enum class Outcome : std::uint8_t { row, bad, nothing };  // nothing: a blank line or a comment

  // Memory that is reused from chunk to chunk.
  struct Scratch {
    Separators separators;
    std::vector<std::uint8_t> rest;
  };

  bool read_quickly(std::string_view text, std::size_t begin, std::size_t& separator);
  Outcome read_carefully(std::string_view line);
  Outcome refuse(std::string_view line, std::size_t column, std::string reason, std::string hint);
  Outcome read_label(std::string_view line, std::string_view text, std::int32_t& label);
  Outcome read_feature(std::string_view line, std::string_view token, std::int64_t& previous);
  std::int32_t resolve(std::string_view text);
  void remember(std::string_view text, std::int32_t label);
  void finish_row(std::int32_t label);

  struct Cached {
    std::uint64_t key = 0;
    std::int32_t label = LabelTable::not_found;
  };

  const RowRules& rules_;
  const LabelTable& table_;
  ParsedChunk& chunk_;
  std::array<Cached, 64> cache_;
  std::unordered_map<std::string_view, std::int32_t> seen_;
  Scratch& scratch_;
  std::uint64_t unknown_ = 0;  // features of this row that were dropped
};

constexpr const char* without_queries = "take the tokens out: sed -E 's/[[:blank:]]qid:[^[:blank:]]+//' FILE >NAME";

constexpr std::int64_t largest_index = 2'147'483'647;
constexpr std::size_t window_bytes = std::size_t{32} << 10;  // text whose separators are known at a time
constexpr std::size_t usual_bytes = 10;                      // of text a value

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A label of at most 7 bytes and its length as one number.
std::uint64_t label_key(const char* p, std::size_t length) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return (bytes & ((std::uint64_t{1} << (8 * length)) - 1)) | std::uint64_t{length} << 56;
}

// 1,3,5: the labels of a row that has several.
bool lists_numbers(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return false;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    double ignored = 0;
    if (parse_number(text.substr(0, comma), ignored) != NumberProblem::none) return false;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return true;
}

std::size_t cache_slot(std::uint64_t key) { return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 58); }

LabelTable::LabelTable(Labels labels, bool learning) : labels_(std::move(labels)), learning_(learning) {
  for (std::size_t i = 0; i < labels_.names.size(); ++i) {
    if (!labels_.names[i].empty()) by_text_.emplace(labels_.names[i], static_cast<std::int32_t>(i));
  }
}

std::int32_t LabelTable::find(std::string_view text) const {
  const auto known = by_text_.find(std::string(text));
  if (known != by_text_.end()) return known->second;
  return labels_.find(text).value_or(not_found);
}

RowReader::RowReader(const RowRules& rules, const LabelTable& table, ParsedChunk& chunk)
    : rules_(rules), table_(table), chunk_(chunk), scratch_(chunk.scratch<Scratch>()) {}

void RowReader::read(std::string_view text, bool stop_at_bad) {
  chunk_.rows.expect(text.size() / usual_bytes);
  while (!text.empty()) {
    const std::string_view window = first_lines(text, window_bytes);
    // A line without end is bad input or read once.
    const std::string_view searched = window.size() <= Separators::most_text ? window : std::string_view();
    scratch_.separators.find_in_libsvm(searched);
    std::size_t separator = 0;  // the first of the line
    for (std::size_t begin = 0; begin < window.size();) {
      Outcome outcome = Outcome::row;
      std::size_t end = separator;  // the separator that ends the line
      std::size_t next = window.size();
      if (!searched.empty() && read_quickly(text, begin, end)) {
        next = scratch_.separators.at()[end] + std::size_t{1};
      } else {
        chunk_.rows.drop_row();
        std::size_t line_end = window.size();
        if (!searched.empty()) {
          const char* const kind = scratch_.separators.kind();
          const std::size_t left = scratch_.separators.count() - separator;
          end = static_cast<std::size_t>(static_cast<const char*>(std::memchr(kind + separator, '\n', left)) - kind);
          line_end = scratch_.separators.at()[end];
          next = line_end + 1;
        } else if (window.back() == '\n') {
          --line_end;
        }
        outcome = read_carefully(window.substr(begin, line_end - begin));
      }
      if (outcome != Outcome::nothing) ++chunk_.data_rows;
      ++chunk_.lines;
      if (outcome == Outcome::bad && stop_at_bad) return;
      begin = next;
      separator = end + 1;
    }
    text.remove_prefix(window.size());
  }
}

// Reads the line whose first separator is given, and moves that to the one that ends the line. The tokens are known by
// their separators before any is read; then eight are read at once.
bool RowReader::read_quickly(std::string_view text, std::size_t begin, std::size_t& separator) {
  const std::uint32_t* const at = scratch_.separators.at() + separator;
  const char* const kind = scratch_.separators.kind() + separator;
  const std::size_t label_length = at[0] - begin;
  if (label_length - 1 > 6 || begin + 8 > text.size()) return false;
  const std::uint64_t key = label_key(text.data() + begin, label_length);
  const Cached& cached = cache_[cache_slot(key)];
  if (cached.key != key) return false;

  std::size_t ends = 0;  // separators of whole features: a blank and a colon each
  while (std::memcmp(kind + ends, " : : : :", 8) == 0) ends += 8;
  while (is_blank(kind[ends]) && kind[ends + 1] == ':') ends += 2;
  std::size_t last = ends;
  const auto followed_by = [&](char c) { return kind[last + 1] == c && at[last + 1] == at[last] + 1; };
  if (is_blank(kind[last]) && (followed_by('\r') || followed_by('\n'))) ++last;
  if (kind[last] == '\r' && followed_by('\n')) ++last;
  if (kind[last] != '\n' || at[last] - begin > rules_.line_limit) return false;

  const std::size_t count = ends / 2;
  if (count == 0 && !rules_.bare_labels) return false;
  if (scratch_.rest.size() < count / 8 + 1) scratch_.rest.resize(count / 4 + 1);
  const BlockBuffer::Room room = chunk_.rows.extend(count + decimals_slack);
  const FeaturesRead plain =
      read_features(text, at, count, rules_.zero_based ? 0 : 1, room.index, room.value, scratch_.rest.data());
  if (!plain.indices) return false;
  for (std::size_t i = 0; !plain.values && i < count; ++i) {
    if ((scratch_.rest[i / 8] >> i % 8 & 1) == 0) continue;
    const std::size_t value_begin = at[2 * i + 1] + std::size_t{1};
    const std::string_view value = text.substr(value_begin, at[2 * i + 2] - value_begin);
    if (parse_number(value, room.value[i]) != NumberProblem::none) return false;
  }
  std::size_t kept = count;
  while (kept != 0 && room.index[kept - 1] >= rules_.feature_limit) --kept;
  unknown_ = count - kept;
  chunk_.rows.shorten(count + decimals_slack - kept);
  finish_row(cached.label);
  separator += last;
  return true;
}

RowReader::Outcome RowReader::read_carefully(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() > rules_.line_limit) {
    return refuse(line, rules_.line_limit + 1,
                  "the line is longer than " + std::to_string(rules_.line_limit) + " bytes",
                  "check that lines end where rows do, or raise the limit");
  }
  unknown_ = 0;
  const std::string_view content = line.substr(0, line.find('#'));
  std::int32_t label = LabelTable::not_found;
  std::int64_t previous = -1;
  bool first = true;
  std::string_view alone, unknown;  // the label until a feature follows; one that the data do not have
  for (std::size_t at = 0;;) {
    while (at < content.size() && is_blank(content[at])) ++at;
    if (at == content.size()) break;
    std::size_t stop = at;
    while (stop < content.size() && !is_blank(content[stop])) ++stop;
    const std::string_view token = content.substr(at, stop - at);
    at = stop;
    Outcome outcome = Outcome::row;
    if (first && token.find(':') == std::string_view::npos) {
      outcome = read_label(line, token, label);
      alone = token;
      if (!rules_.ignore_labels && label == LabelTable::not_found) unknown = token;
    } else if (first && !rules_.ignore_labels) {
      outcome = refuse(line, static_cast<std::size_t>(token.data() - line.data()) + 1, "the row has no label",
                       "begin it with its label, such as +1 " + std::string(token.substr(0, 40)));
    } else {
      outcome = read_feature(line, token, previous);
      alone = {};
    }
    if (outcome != Outcome::row) return outcome;
    first = false;
  }
  if (first) return Outcome::nothing;
  if (!unknown.empty()) {
    if (!chunk_.late_label) chunk_.late_label = unknown;
    return refuse(line, static_cast<std::size_t>(unknown.data() - line.data()) + 1,
                  quote(unknown) + " is not a label of this data",
                  hint_for_unknown(unknown, table_.labels(), *rules_.options));
  }
  double ignored = 0;
  if (!alone.empty() && !rules_.bare_labels && table_.find(alone) == LabelTable::not_found &&
      parse_number(alone, ignored) != NumberProblem::none) {
    return refuse(line, static_cast<std::size_t>(alone.data() - line.data()) + 1,
                  quote(alone) + " is neither a label of the model, which was learned from LIBSVM data, nor a feature",
                  "rows of LIBSVM are a label and index:value, such as +1 3:0.5; is this text, or a table?");
  }
  finish_row(label);
  return Outcome::row;
}

RowReader::Outcome RowReader::refuse(std::string_view line, std::size_t column, std::string reason, std::string hint) {
  chunk_.rows.drop_row();
  BadRow bad;
  bad.line = chunk_.lines;
  bad.row = chunk_.data_rows;
  bad.column = column;
  bad.reason = std::move(reason);
  bad.hint = std::move(hint);
  bad.text = line.substr(0, rules_.line_limit);
  chunk_.bad.push_back(std::move(bad));
  return Outcome::bad;
}

RowReader::Outcome RowReader::read_label(std::string_view line, std::string_view text, std::int32_t& label) {
  if (rules_.ignore_labels) {
    remember(text, label);
    return Outcome::row;
  }
  label = resolve(text);
  if (label != LabelTable::not_found) return Outcome::row;
  const std::size_t column = static_cast<std::size_t>(text.data() - line.data()) + 1;
  double ignored = 0;
  const NumberProblem problem = parse_number(text, ignored);
  if (problem == NumberProblem::not_finite || problem == NumberProblem::overflow) {
    return refuse(line, column, "the label " + quote(text) + " is not a finite number", "give the row its label");
  }
  if (!valid_utf8(text)) {
    return refuse(line, column, "the label " + quote(text) + " is not valid UTF-8", to_utf8);
  }
  if (lists_numbers(text)) {
    return refuse(
        line, column, quote(text) + " are several labels, and a row has one",
        "learn a model for each of them: awk '{ $1 = \",\" $1 \",\" ~ /,3,/ ? 1 : -1; print }' FILE is about the "
        "label 3");
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) {  // such as the zeros of a part that was never written
    return refuse(line, column, "a control character in the label " + quote(text), "take the line out: it is no text");
  }
  if (!table_.learning()) return Outcome::row;  // not found; any other fault of the row is named first
  label = first_new_label - static_cast<std::int32_t>(chunk_.new_labels.size());
  chunk_.new_labels.push_back(text);
  seen_.emplace(text, label);
  return Outcome::row;
}

RowReader::Outcome RowReader::read_feature(std::string_view line, std::string_view token, std::int64_t& previous) {
  const std::size_t column = static_cast<std::size_t>(token.data() - line.data()) + 1;
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) {
    return refuse(line, column, quote(token) + " has no ':'", "write a feature as index:value, such as 3:0.5");
  }
  const std::string_view index_text = token.substr(0, colon);
  const std::string_view value_text = token.substr(colon + 1);
  if (index_text == "qid") {
    return refuse(line, column, "'qid:' is for ranking, which is not supported", without_queries);
  }
  const bool negative = !index_text.empty() && index_text.front() == '-';
  const std::string_view digits = index_text.substr(negative ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return refuse(line, column, quote(index_text) + " is not a feature index", "write a whole number before the ':'");
  }
  std::int64_t index = 0;
  for (const char c : digits) index = std::min(index * 10 + (c - '0'), largest_index + 1);
  if (negative) {
    return refuse(line, column, "the index " + quote(index_text) + " is negative",
                  rules_.zero_based ? "indices start at 0" : "indices start at 1");
  }
  if (index > largest_index) {
    return refuse(line, column, "the index " + quote(index_text) + " is greater than 2147483647",
                  "number the features from 1");
  }
  if (index == 0 && !rules_.zero_based) {
    return refuse(line, column, "index 0, but indices start at 1",
                  "give " + option("zero-based") + " if the file counts from 0");
  }
  if (index == previous) {
    return refuse(line, column, "index " + std::to_string(index) + " is twice in the row", "keep one of them");
  }
  if (index < previous) {
    return refuse(line, column, "index " + std::to_string(index) + " after index " + std::to_string(previous),
                  "write the indices of a row in ascending order");
  }
  previous = index;

  const std::size_t value_column = column + colon + 1;
  if (value_text.empty()) {
    return refuse(line, value_column, "index " + std::to_string(index) + " has no value",
                  "write the value right after the ':', or leave the feature out");
  }
  double value = 0;
  switch (parse_number(value_text, value)) {
    case NumberProblem::none:
      break;
    case NumberProblem::not_a_number:
      return refuse(line, value_column, quote(value_text) + " is not a number", "write a decimal such as 1.5");
    case NumberProblem::not_finite:
      return refuse(line, value_column, quote(value_text) + " is not a finite number",
                    "leave the feature out, or give it a value");
    case NumberProblem::overflow:
      return refuse(line, value_column, quote(value_text) + " is too large for a double", "scale the feature down");
  }
  const std::uint64_t feature = static_cast<std::uint64_t>(index) - (rules_.zero_based ? 0 : 1);
  if (feature < rules_.feature_limit) {
    chunk_.rows.add(static_cast<std::uint32_t>(feature), value);
  } else {
    ++unknown_;
  }
  return Outcome::row;
}

// Fills the cache of the quick reader.
void RowReader::remember(std::string_view text, std::int32_t label) {
  if (text.size() > 7) return;
  std::array<char, 8> bytes{};
  std::copy(text.begin(), text.end(), bytes.begin());
  const std::uint64_t key = label_key(bytes.data(), text.size());
  cache_[cache_slot(key)] = {key, label};
}

// The class or the provisional number of a label met before, else not_found.
std::int32_t RowReader::resolve(std::string_view text) {
  const auto met = seen_.find(text);
  std::int32_t label = LabelTable::not_found;
  if (met != seen_.end()) {
    label = met->second;
  } else {
    label = table_.find(text);
    if (label != LabelTable::not_found) seen_.emplace(text, label);
  }
  if (label != LabelTable::not_found) remember(text, label);
  return label;
}

void RowReader::finish_row(std::int32_t label) {
  chunk_.line_of_row.push_back(chunk_.lines);
  chunk_.rows.end_row(label, chunk_.data_rows);
  chunk_.unknown_features += unknown_;
}

class Libsvm final : public Format {
 public:
  explicit Libsvm(const ReadOptions& options) : options_(options) {
    rules_.ignore_labels = options.labels.ignore;
    rules_.line_limit = options.line_limit;
    rules_.options = &options_;
  }

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override {
    schema.format = DataFormat::libsvm;
    schema.labels.are = LabelsAre::numbers;
    if (options_.schema != nullptr && options_.zero_based && !schema.zero_based) {
      throw Error(ErrorKind::usage, "the model counts indices from 1, and the options count from 0")
          .at(shown_name(options_.path))
          .fix("leave " + option("zero-based") + " out: the model has it");
    }
    if (options_.schema == nullptr) {
      schema.zero_based = options_.zero_based;
    } else if (!options_.grow) {
      rules_.feature_limit = schema.features;
    }
    rules_.zero_based = schema.zero_based;
    rules_.bare_labels = !options_.labels.ignore;
    if (!rules_.bare_labels && options_.schema != nullptr)
      refuse_labels_alone(shown_name(options_.path), text, &schema.labels);
    if (schema.labels.names.empty() && !options_.labels.ignore) {
      RowRules rules = rules_;
      rules.feature_limit = ~std::uint64_t{0};
      const LabelTable learning;
      schema.labels = learn_labels(
          options_, LabelsAre::numbers, text, whole, more,
          [&](std::string_view lines, ParsedChunk& chunk) { RowReader(rules, learning, chunk).read(lines, false); });
    }
    final_ = !has_nameless_class(schema.labels);
    table_ = LabelTable(schema.labels, !final_);
    return 0;
  }

  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    RowReader(rules_, table_, chunk).read(text, stop_at_bad);
  }

  // Only when a class has no name yet: the first label that is new names it.
  void commit(ParsedChunk& chunk, Schema& schema) override {
    const Labels& labels = schema.labels;
    for (const auto& [i, text] : commit_new_labels(chunk, schema.labels)) {
      if (!chunk.late_label) chunk.late_label = text;
      BadRow bad;
      bad.line = chunk.line_of_row[i];
      bad.row = chunk.rows.row_numbers()[i];
      bad.text = line_at(chunk.text, bad.line);
      bad.column = bad.text.find_first_not_of(" \t") + 1;
      bad.reason = quote(text) + " is not a label of this data";
      bad.hint = hint_for_unknown(text, labels, options_);
      chunk.bad.push_back(std::move(bad));
    }
  }

  bool final_after_parse(const ParsedChunk&) const override { return final_; }

 private:
  ReadOptions options_;
  RowRules rules_;
  LabelTable table_;
  bool final_ = false;
};

}  // namespace

std::unique_ptr<Format> make_libsvm(const ReadOptions& options) { return std::make_unique<Libsvm>(options); }

}  // namespace halfspace::stream
