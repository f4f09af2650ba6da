// A table of the caller's, columns of numbers, categories and dates with gaps, read as the CSV text that it amounts to.
//
//   TableText table({{"age", ColumnUse::numeric}, {"colour", ColumnUse::categorical}}, {.classes = ..., .names = ...});
//   std::vector<std::unique_ptr<TableColumn>> columns;
//   columns.push_back(std::make_unique<NumberColumn<double>>(ages.data()));
//   columns.push_back(std::make_unique<CategoryColumn>(codes.data(), std::vector<std::string>{"red", "blue"}));
//   table.add_rows(1000, std::move(columns));
//   options.read = table.read(options.read);
//
// Categories, missing values, dates and text columns mean what they mean in CSV, and training gives the same bits as on
// the file that write_text() makes of the table. The text is made a piece at a time whenever it is read; numbers get the
// fewest digits that read back as the same double.
//
// Thread-safety: immutable after the last add_rows(). Ownership: borrows the arrays, which must not change while it is
// used. Cost: about 0.1 us a cell to write and read. Memory: a few hundred kilobytes of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/stream/array_rows.h"
#include "halfspace/stream/read_options.h"

namespace halfspace {

// `inferred`: numeric or categorical, as of the same texts in CSV.
enum class ColumnUse : std::uint8_t { numeric, categorical, date, inferred };

// The cells of some rows of a column.
class TableColumn {
 public:
  virtual ~TableColumn() = default;
  // Appends the cell of row i as a field of CSV; nothing for a missing value. Returns false, appending nothing, for a
  // value that no cell can hold: an infinity, or a code without a category.
  virtual bool append(std::uint64_t i, std::string& text) const = 0;
};

// Numbers; NaN is a missing value. Float or double.
template <class Value>
class NumberColumn final : public TableColumn {
 public:
  explicit NumberColumn(const Value* values, std::ptrdiff_t stride = 1) : values_(values), stride_(stride) {}
  bool append(std::uint64_t i, std::string& text) const override;

 private:
  const Value* values_;
  std::ptrdiff_t stride_;  // in values, may be negative
};

// Texts by number; -1 is a missing value.
class CategoryColumn final : public TableColumn {
 public:
  CategoryColumn(const std::int32_t* codes, const std::vector<std::string>& texts);
  bool append(std::uint64_t i, std::string& text) const override;

 private:
  const std::int32_t* codes_;
  std::vector<std::string> fields_;
};

class TableText {
 public:
  struct Field {
    std::string name;
    ColumnUse use = ColumnUse::numeric;
  };
  // Labels and weights are of all rows, in order. Throws Error(usage) for no columns, or names that are empty,
  // duplicate, or the label's.
  TableText(std::vector<Field> fields, ArrayLabels labels, std::string label = "y");

  // Adds rows behind the others: a column for each field, with cells 0 to rows - 1.
  void add_rows(std::uint64_t rows, std::vector<std::unique_ptr<TableColumn>> columns);
  // Sets labels and weights of all rows, if they were not known before.
  void set_labels(ArrayLabels labels, std::string label);

  const std::vector<Field>& fields() const noexcept { return fields_; }
  std::uint64_t rows() const noexcept { return rows_; }

  // Returns options that read this table instead of a path, each column used as its field says unless the options name
  // it for something else. The table must outlive them.
  ReadOptions read(ReadOptions options) const;

  // Appends the line with the names.
  void append_header(std::string& text) const;
  // Appends rows from `first` on, as lines, until the text has `enough` bytes or the rows end. Returns the next row.
  // Throws Error(data) for a bad value, naming row and column.
  std::uint64_t append_rows(std::uint64_t first, std::size_t enough, std::string& text) const;

 private:
  struct Part {
    std::uint64_t first, rows;
    std::vector<std::unique_ptr<TableColumn>> columns;
  };
  void append_row(const Part& part, std::uint64_t row, std::string& text) const;

  std::vector<Field> fields_;
  ArrayLabels labels_;
  std::string label_, weight_;            // names of these columns
  std::vector<std::string> label_texts_;  // as fields
  std::vector<Part> parts_;
  std::uint64_t rows_ = 0;
};

// Writes the table to a file, atomically. Throws Error(input_output), and as append_rows() does.
void write_text(const TableText& table, const std::string& path);

}  // namespace halfspace
