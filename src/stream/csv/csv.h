// CSV as a Format. The accepted grammar and every rule are in docs/formats/csv.md.
//
// Schema inference (infer_schema.cc) plans the file's columns (column_plan.cc); parse (parse.cc) follows that plan and
// finds the features of known categories; commit (cell_names.h) maps each new one to its feature, once per chunk, in
// order of first appearance in good rows.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stream/columns/missing.h"
#include "stream/columns/odd_texts.h"
#include "stream/columns/table_format.h"
#include "stream/columns/text_cells.h"
#include "stream/csv/problems.h"
#include "stream/csv/scan.h"
#include "stream/csv/walk.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/names/cell_dictionary.h"
#include "stream/text/number.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

// Memory of parse for one chunk, for commit and for the next parse.
struct CsvScratch {
  Separators separators;
  std::vector<std::uint8_t> rest;  // numbers of a run that are not plain
  std::vector<CsvField> fields;
  CellNames names;
  CellDictionary labels;
  TextCells text_cells;
  struct Factor {
    std::size_t place;      // of its value in the rows
    std::string_view text;  // of a category; empty: a number, or missing
    bool missing;
  };
  std::vector<Factor> factors;               // by feature of the plan, when there are products
  std::vector<std::int32_t> class_of_label;  // by number in `labels`
  std::deque<std::string> unescaped;         // texts whose "" have become "
  std::string buffer;
  std::vector<NewLabelRow> new_label_rows;
};

class Csv final : public TableFormat<CsvScratch> {
 public:
  using TableFormat::TableFormat;

  std::uint64_t lines_before_rows(std::string_view) const override {
    return options_.table.skip_lines.value_or(options_.schema == nullptr ? 0 : options_.schema->skip_lines);
  }
  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  void begin_files(std::string_view text, bool whole, const Schema& schema) override;
  std::optional<std::size_t> header_of_file(std::string_view text, bool whole, const std::string& file) const override;
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override;
  std::size_t split(std::string_view text) const override;
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;

 private:
  // files.cc
  void refuse_labels_alone(std::string_view records, const std::string& file) const;
  void compare_header(const CsvRecord& record, const std::vector<CsvField>& fields, std::uint64_t line,
                      const std::string& file) const;
  void refuse_late_header(std::string_view records, const CsvRecord& record, std::uint64_t line,
                          const std::string& file) const;
  void refuse_second_header(const CsvRecord& record, const std::vector<CsvField>& fields, std::uint64_t line,
                            const std::string& file) const;

  // infer_schema.cc
  std::size_t begin_of_table(std::string_view text) const;
  void resolve_grammar(std::string_view text, bool whole, Schema& schema);
  void resolve_missing(Schema& schema);
  void know_missing(const Schema& schema);
  void refuse_unparted(std::string_view records) const;
  bool choose_header(std::string_view records, const Schema& schema) const;
  bool has_role(const std::string& name, const Schema& schema) const;
  void refuse_unclear_names(std::string_view records) const;
  void take_row_names(const Schema& schema);
  std::string fix_of_equal_names(std::string_view below, std::uint64_t line, bool counts) const;
  std::vector<bool> empty_columns(std::string_view data) const;
  std::optional<CsvProblem> flaw_of(const CsvRecord& record, std::string_view text) const;
  std::size_t learn_columns(std::string_view text, std::size_t size, bool header);
  void learn_kinds(std::string_view data, const std::vector<std::uint32_t>& open, Schema& schema);
  void learn_marks(std::string_view data, std::uint64_t usable, std::vector<OddTexts> odd, Schema& schema);
  void learn_date_orders(std::string_view data, Schema& schema) const;
  DateOrder order_of(const std::array<std::uint64_t, 3>& fitting, const std::string& name,
                     const std::string& first) const;
  bool usable_for_kinds(const CsvField& label, const CsvField* weight) const;
  Labels learn_labels(std::string_view data, bool whole, const std::function<std::string_view()>& more) const;
  void prepare(const Schema& schema);

  // parse.cc
  bool add_text(const ColumnPlan::Feature& feature, std::string_view text, CsvScratch& scratch,
                ParsedChunk& chunk) const;
  static bool add_category(std::uint32_t column, const CsvField& field, CsvScratch& scratch, ParsedChunk& chunk,
                           std::string_view& added);
  static bool add_date(const ColumnPlan::Feature& feature, std::string_view text, CsvScratch& scratch,
                       ParsedChunk& chunk);
  std::optional<CsvProblem> add_products(const char* at, CsvScratch& scratch, ParsedChunk& chunk) const;
  void add_pair(const ColumnPlan::Product& product, CsvScratch& scratch, ParsedChunk& chunk) const;
  bool parse_regular(const RegularRecord& record, CsvScratch& scratch, ParsedChunk& chunk) const;
  const char* parse_carefully(const char* at, const char* end, CsvScratch& scratch, ParsedChunk& chunk) const;
  CsvProblem describe_cell(NumberProblem problem, const CsvField& field, std::uint32_t number,
                           const CsvScratch& scratch) const;
  std::optional<CsvProblem> parse_row(const CsvRecord& record, const char* nul, CsvScratch& scratch,
                                      ParsedChunk& chunk) const;
  std::optional<CsvProblem> parse_label(const CsvRecord& record, const CsvField& field, CsvScratch& scratch,
                                        ParsedChunk& chunk, std::int32_t& label) const;

  std::optional<CsvGrammar> grammar_;  // none before schema inference
  std::optional<bool> header_;         // likewise
  std::uint64_t skip_lines_ = 0;       // lines before the table, in each file
  OtherQuotes other_quotes_;           // alternatives that fit the first records as well
  bool names_but_one_ = false;         // the header lacks the name of the first column
  // Of several files: how the first begins. No record: nothing is to be compared with it.
  struct Files {
    std::string first;
    std::vector<std::string> first_record;
  };
  std::optional<Files> files_;
  MissingNames missing_, missing_labels_;
  bool reads_plain_ = true;  // what is written as a plain decimal is a number
  Labels labels_;            // from schema inference; empty during it
  bool labels_open_ = true;  // new labels are accepted
};

}  // namespace halfspace::stream
