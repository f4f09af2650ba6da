// JSON Lines as a Format: one object a line, whose members are table columns by their dotted names.
//
// Columns, categories, missing values and labels follow CSV; docs/formats/jsonl.md has the differences. The members of
// the first rows become columns (learn_members.cc); others are categories of one more column, the last, without a name:
// `name` for a number, `name=text` for a text. They only affect the rows that have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/columns/missing.h"
#include "stream/columns/table_format.h"
#include "stream/formats/parser.h"
#include "stream/jsonl/members.h"
#include "stream/jsonl/tokens.h"
#include "stream/labels/label_inference.h"
#include "stream/names/known_names.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

// The layout of a line: the bytes between its values. A line with the same layout has the same members in the same
// order, which is known before any of it is parsed as JSON.
//
// A line matches a layout if its quotes, backslashes and control characters come in the same order and the bytes
// between its values are equal. Then it has the same members; only the positions of its values are known: one between
// quotes is a text without escapes, though perhaps invalid UTF-8, and one without quotes may be anything.
//
// Thread-safety: one thread per JsonLayout. Cost O(values), without allocation but for the longest line so far.
class JsonLayout {
 public:
  // Clears the layout.
  void clear() { values_ = 0; }
  // Learns the layout of a sound line that begins at `begin`. at[0] and kinds[0] belong to its first separator
  // (find_in_json), and the separators of later lines follow; the values are its tokens in order, none of them an array
  // or an object. Returns false, and holds no layout, if a text has an escape.
  bool learn(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds,
             std::span<const JsonToken> values);
  bool known() const { return values_ != 0; }

  // Returns whether a line, given as above, matches the layout; sets the number of its separators.
  bool matches(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds);
  std::size_t separators() const { return kinds_.size(); }

  // The positions of the values of the matching line. Those without quotes come first; place(i) lies between
  // bounds()[2i] and bounds()[2i + 1], as read_decimals_between expects.
  std::size_t bare() const { return bare_; }
  std::size_t places() const { return bounds_.size() / 2; }                  // some may belong to no value
  std::uint32_t place_of(std::size_t value) const { return place_[value]; }  // of a value, in the order of the line
  const std::uint32_t* bounds() const { return bounds_.data(); }
  std::string_view at_place(std::string_view text, std::size_t place) const {
    const std::size_t begin = bounds_[2 * place] + std::size_t{1};
    return text.substr(begin, bounds_[2 * place + 1] - begin);
  }

 private:
  // The bytes between two values; it begins `before` bytes before a separator.
  struct Literal {
    std::array<std::uint64_t, 2> bytes, mask;  // of the first 16
    std::uint32_t separator, before, size;
    std::uint32_t begin;  // in text_
  };

  std::string kinds_;              // of the separators of the line
  std::string text_;               // the literals, concatenated
  std::vector<Literal> literals_;  // one before each value, and one after the last
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> bounds_;
  std::size_t values_ = 0, bare_ = 0;
};

// Memory of parse in a chunk, for commit and for the next parse.
struct JsonlScratch {
  JsonMembers members;
  std::uint64_t row = 0;  // counts the lines, to distinguish cells of this line from earlier ones
  struct Cell {
    std::uint64_t row = 0;
    const JsonToken* token = nullptr;
  };
  std::vector<Cell> cells;  // of the columns
  struct Other {            // a member that is no column
    std::string name;
    const JsonToken* token = nullptr;
  };
  std::vector<Other> others;  // the first `other_count` are of this line: the memory of their names is used again
  std::size_t other_count = 0;
  std::string feature;  // the name of one of them

  // Lines laid out as one before.
  struct Usual {
    JsonLayout layout;
    unsigned wait = 0, patience = 0;   // lines until the next one is learned from; and its next value
    std::vector<std::uint32_t> field;  // by value index of the layout; no_field: none
    std::vector<bool> direct;          // by value index: a number that is a feature
    struct Number {
      std::uint32_t place = 0, count = 0;  // count: consecutive numeric features from here; 0: none
    };
    std::vector<Number> numbers;  // by feature of the plan
    // For the current line, by value index.
    std::vector<double> value;
    std::vector<std::uint8_t> rest;
    std::vector<JsonToken> token;
  };
  Separators separators;
  Usual usual;

  CellNames names;
  std::vector<std::string_view> other_features;  // of members of the row that are no columns
  RowNames other_hashes;                         // of these
  ChunkLabels labels;
  std::deque<std::string> own;  // texts that differ from those in the chunk
  std::vector<NewLabelRow> new_label_rows;

  bool row_has(std::string_view other_feature);
  void clear() {
    usual.layout.clear();
    usual.wait = 0;
    usual.patience = 1;
    labels.clear();
    own.clear();
    new_label_rows.clear();
  }
};

class Jsonl final : public TableFormat<JsonlScratch> {
 public:
  using TableFormat::TableFormat;

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override;
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;
  void commit(ParsedChunk& chunk, Schema& schema) override;

 private:
  using Problem = std::optional<JsonProblem>;
  struct Seen {  // of a member in the first rows
    std::uint64_t rows = 0, last = 0;
  };
  struct FirstRows {
    std::unordered_map<std::string, Seen> members;
    std::vector<std::string> names;  // in order of first appearance
    std::uint64_t rows = 0;          // that are sound
    std::optional<Error> bad;        // the first that is not
  };

  // learn_members.cc
  FirstRows look_at(std::string_view text) const;
  void learn_members(const FirstRows& rows, std::string_view text, Schema& schema);
  void learn_kinds(std::string_view text, const std::vector<std::uint32_t>& open, Schema& schema);
  void know_missing(const Schema& schema);
  bool usable_for_kinds(JsonlScratch& scratch) const;
  void match_members(const FirstRows& rows, Schema& schema);
  void tell_absent(const FirstRows& rows, const Schema& schema) const;
  void tell_ignored(const FirstRows& rows) const;
  void name_members(const std::vector<std::string>& names);

  // jsonl.cc
  Problem read_cells(std::string_view line, JsonlScratch& scratch) const;
  Problem parse_row(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;
  bool parse_line(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;
  Problem finish_row(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;
  Problem add_value(const ColumnPlan::Feature& feature, std::string_view line, JsonlScratch& scratch,
                    ParsedChunk& chunk) const;
  Problem add_others(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;
  Problem read_weight(std::string_view line, JsonlScratch& scratch, double& weight) const;
  Problem read_label(std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk, std::int32_t& label) const;
  // Lines laid out as one before.
  void learn_layout(std::string_view text, std::string_view line, const std::uint32_t* at, std::string_view kinds,
                    JsonlScratch& scratch) const;
  bool read_usual_line(std::string_view text, std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;

  // The value of a column in this line; null: it is not there, or null.
  const JsonToken* token_of(std::uint32_t field, const JsonlScratch& scratch) const {
    const JsonlScratch::Cell& cell = scratch.cells[field];
    return cell.row == scratch.row && cell.token->kind != JsonToken::Kind::null ? cell.token : nullptr;
  }

  JsonNames names_;  // numbered as the fields of the plan
  MissingNames missing_, missing_labels_;
  Labels labels_;             // as schema inference left them; none while it looks for them
  bool labels_open_ = true;   // a label that is not among them may be new
  std::uint32_t others_ = 0;  // the column of members that are no columns
};

}  // namespace halfspace::stream
