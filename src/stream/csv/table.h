// A CSV file as a table of cells: columns by name, record by record. For data without labelled examples, such as
// experts' advice or arms' losses. Grammar, delimiter, header, decimal mark and missing values are detected as for
// examples (docs/formats/csv.md), by the same code; a bad record stops the reading.
//
// Thread-safety: one thread. Memory: a chunk of the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/stream/table_file.h"
#include "stream/columns/missing.h"
#include "stream/csv/problems.h"
#include "stream/csv/scan.h"
#include "stream/pipeline/chunks.h"
#include "stream/source/source.h"

namespace halfspace::stream {

class TableReader {
 public:
  // Throws Error: no_input, input_output, data (nothing to read), usage (options that contradict each other).
  explicit TableReader(const TableFileOptions& options);

  const std::vector<std::string>& columns() const noexcept { return columns_; }
  // Returns whether the first column holds row names: the header has one name too few, as R writes tables.
  bool names_rows() const noexcept { return names_rows_; }
  // Returns the column of that name, which the option `asked_by` gives. Throws Error(usage) with similar names if there
  // is none or more than one.
  std::size_t column(const std::string& name, const std::string& asked_by) const;

  // Moves to the next record; returns false at the end. Throws Error(data) for a malformed record.
  bool next();

  // Describe the current record. A cell's text is valid until the next call of next().
  std::uint64_t row() const noexcept { return row_; }  // 1-based, without a header
  bool missing(std::size_t column) const;              // empty, or a text of missing values
  bool missing_label(std::size_t column) const;        // like missing(), but the default - is a label, as + is
  std::string text(std::size_t column) const;
  // Throws Error(data); `fix`: what to do about a text that is no number.
  double number(std::size_t column, const std::string& fix = {}) const;
  // Returns the flags for a cell that cannot be used: it has a decimal comma, or means a missing value, if one
  // `may_be_missing`; and the one that drops its column.
  std::string fix_of_cell(std::size_t column, bool may_be_missing) const;
  // Returns what to do about a record that is a second header line, or a total of others; empty: it seems to be neither.
  std::string fix_of_stray_row() const;
  // Returns the command that divides these columns by 100, if the cell is above 1 or has a percent sign; else nothing.
  std::string fix_of_percent(std::size_t column, const std::vector<std::size_t>& columns) const;
  // Returns whether the cell is a finite number.
  bool is_number(std::size_t column, double& value) const;
  // Returns an error at this cell.
  Error error(std::size_t column, const std::string& reason, const std::string& fix) const;

  std::uint64_t done() const { return source_->done(); }    // bytes of the file
  std::uint64_t total() const { return source_->total(); }  // 0: not known

 private:
  void read_head(std::uint64_t lines_before);
  void settle(const TableFileOptions& options);
  void read_names();
  bool fill();
  bool scan();
  [[noreturn]] void refuse(const char* at, const std::string& reason, const std::string& fix) const;

  std::string name_;
  std::unique_ptr<Source> source_;
  CsvGrammar grammar_;
  OtherQuotes other_quotes_;
  MissingNames missing_, missing_labels_;
  bool header_ = true, names_rows_ = false;
  TextBuffer text_;  // read; whole records up to whole_
  std::size_t at_ = 0, whole_ = 0;
  bool ended_ = false;
  std::uint64_t line_ = 1, next_line_ = 1, row_ = 0;
  CsvRecord record_;
  std::vector<CsvField> fields_;
  std::vector<std::string> columns_;
};

}  // namespace halfspace::stream
