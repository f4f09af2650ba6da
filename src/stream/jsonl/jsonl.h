// JSON Lines as a Format: one object a line, whose members are table columns by their dotted names.
//
// Columns, categories, missing values and labels follow CSV; docs/formats/jsonl.md has the differences. The members of
// the first rows become columns (learn_members.cc); others are categories of one more column, the last, without a name:
// `name` for a number, `name=text` for a text. They only affect the rows that have them.
#pragma once

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
#include "stream/columns/category_numbers.h"
#include "stream/columns/cell_names.h"
#include "stream/columns/chunk_names.h"
#include "stream/columns/column_plan.h"
#include "stream/columns/missing.h"
#include "stream/jsonl/layout.h"
#include "stream/jsonl/members.h"
#include "stream/labels/label_inference.h"
#include "stream/parser.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

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

  // Lines laid out as one before (usual_lines.cc).
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

class Jsonl final : public Format {
 public:
  explicit Jsonl(const ReadOptions& options) : options_(options) {}

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  std::vector<std::string> kept_names() const override;
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override;
  std::size_t split(std::string_view text) const override {
    const std::size_t last = text.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }
  void begin_pass(const Schema& schema) override { categories_.begin_pass(schema); }
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;
  void commit(ParsedChunk& chunk, Schema& schema) override;
  bool final_after_parse(const ParsedChunk& chunk) const override {
    return chunk.scratch<JsonlScratch>().names.resolved() && chunk.new_labels.empty();
  }

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
  // usual_lines.cc
  void learn_layout(std::string_view text, std::string_view line, const std::uint32_t* at, std::string_view kinds,
                    JsonlScratch& scratch) const;
  bool read_usual_line(std::string_view text, std::string_view line, JsonlScratch& scratch, ParsedChunk& chunk) const;

  // The value of a column in this line; null: it is not there, or null.
  const JsonToken* token_of(std::uint32_t field, const JsonlScratch& scratch) const {
    const JsonlScratch::Cell& cell = scratch.cells[field];
    return cell.row == scratch.row && cell.token->kind != JsonToken::Kind::null ? cell.token : nullptr;
  }

  ReadOptions options_;
  ColumnPlan plan_;
  JsonNames names_;  // numbered as the fields of the plan
  MissingNames missing_, missing_labels_;
  Labels labels_;             // as schema inference left them; none while it looks for them
  bool labels_open_ = true;   // a label that is not among them may be new
  std::uint32_t others_ = 0;  // the column of members that are no columns

  // commit's own.
  CategoryNumbers categories_;
};

}  // namespace halfspace::stream
