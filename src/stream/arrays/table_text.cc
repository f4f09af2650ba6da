// Writes tables as CSV text while they are read.
#include "halfspace/stream/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include "base/atomic_file.h"
#include "base/read_once.h"
#include "halfspace/base/error.h"
#include "stream/labels/label_inference.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

[[noreturn]] void refuse_table(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

template <class Options>
bool names_column(const Options& names, const std::string& column) {
  return std::find(names.begin(), names.end(), column) != names.end();
}

// Returns whether the options say what a column is for.
bool has_use(const ColumnOptions& columns, const std::string& name) {
  return columns.label == name || columns.identifier == name || columns.weight == name ||
         names_column(columns.drop, name) || names_column(columns.categorical, name) ||
         names_column(columns.numeric, name) || names_column(columns.text, name) || names_column(columns.dates, name);
}

}  // namespace

template <class Value>
bool NumberColumn<Value>::append(std::uint64_t i, std::string& text) const {
  const auto value = static_cast<double>(values_[static_cast<std::ptrdiff_t>(i) * stride_]);
  if (std::isinf(value)) return false;
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(text), "{}", value);
  return true;
}
template class NumberColumn<double>;
template class NumberColumn<float>;

CategoryColumn::CategoryColumn(const std::int32_t* codes, const std::vector<std::string>& texts) : codes_(codes) {
  for (const std::string& text : texts) fields_.push_back(stream::csv_field(text));
}

bool CategoryColumn::append(std::uint64_t i, std::string& text) const {
  const std::int32_t code = read_once(codes_[i]);
  if (code == -1) return true;
  if (code < 0 || static_cast<std::size_t>(code) >= fields_.size()) return false;
  text += fields_[static_cast<std::size_t>(code)];
  return true;
}

TableText::TableText(std::vector<Field> fields, ArrayLabels labels, std::string label) : fields_(std::move(fields)) {
  if (fields_.empty()) refuse_table("the table has no columns", "give at least one");
  std::unordered_set<std::string> seen;
  for (const Field& field : fields_) {
    if (field.name.empty() || !seen.insert(field.name).second)
      refuse_table("the column name " + stream::quote(field.name) + " is empty or duplicate", "give each its own");
  }
  set_labels(std::move(labels), std::move(label));
}

void TableText::set_labels(ArrayLabels labels, std::string label) {
  labels_ = std::move(labels);
  label_ = std::move(label);
  label_texts_.clear();
  for (const std::string& name : labels_.names) {
    if (name.empty()) refuse_table("a class has no name", "give each class a name");
    stream::refuse_line_break(name);
    label_texts_.push_back(stream::csv_field(name));
  }
  const auto is_column = [&](const std::string& name) {
    return std::any_of(fields_.begin(), fields_.end(), [&](const Field& field) { return field.name == name; });
  };
  if (labels_.classes != nullptr && is_column(label_))
    refuse_table("a column is named " + stream::quote(label_) + ", like the label", "rename one of them");
  weight_ = "weight";
  while (is_column(weight_) || weight_ == label_) weight_ += '_';
}

void TableText::add_rows(std::uint64_t rows, std::vector<std::unique_ptr<TableColumn>> columns) {
  if (columns.size() != fields_.size()) {
    refuse_table(fmt::format("{} columns for {} names", columns.size(), fields_.size()), "give a column for each name");
  }
  if (rows == 0) return;
  parts_.push_back({rows_, rows, std::move(columns)});
  rows_ += rows;
}

ReadOptions TableText::read(ReadOptions options) const {
  options.rows = nullptr;
  options.table_text = this;
  options.path = "<memory>";
  options.more.clear();
  options.format = DataFormat::csv;
  options.table.delimiter = ',';
  options.table.decimal = '.';
  options.table.thousands = '\0';
  options.table.quote = Quote::double_quote;
  options.table.skip_lines = 0;
  options.table.comment = "";
  options.table.header = true;
  if (labels_.classes != nullptr) {
    options.columns.label = label_;
    if (options.labels.classes.empty() && labels_.names.size() > 1 && options.schema == nullptr)
      options.labels.classes = labels_.names;
  }
  if (labels_.weights != nullptr) options.columns.weight = weight_;
  if (options.schema != nullptr) return options;
  const ColumnOptions given = options.columns;
  for (const Field& field : fields_) {
    if (field.use == ColumnUse::inferred || has_use(given, field.name)) continue;
    std::vector<std::string>& uses = field.use == ColumnUse::numeric       ? options.columns.numeric
                                     : field.use == ColumnUse::categorical ? options.columns.categorical
                                                                           : options.columns.dates;
    uses.push_back(field.name);
  }
  return options;
}

void TableText::append_header(std::string& text) const {
  for (const Field& field : fields_) {
    if (&field != &fields_.front()) text += ',';
    text += stream::csv_field(field.name);
  }
  if (labels_.classes != nullptr) text += ',' + stream::csv_field(label_);
  if (labels_.weights != nullptr) text += ',' + stream::csv_field(weight_);
  text += '\n';
}

void TableText::append_row(const Part& part, std::uint64_t row, std::string& text) const {
  const std::size_t begin = text.size();
  for (std::size_t c = 0; c < fields_.size(); ++c) {
    if (c > 0) text += ',';
    if (part.columns[c]->append(row - part.first, text)) continue;
    throw Error(ErrorKind::data, fmt::format("row {}, column {}: no number or category to learn from", row + 1,
                                             stream::quote(fields_[c].name)))
        .at("<memory>")
        .fix("leave the row out, or let the value be missing");
  }
  if (labels_.classes != nullptr) {
    const std::int32_t number = read_once(labels_.classes[row]);
    if (number < 0 || static_cast<std::size_t>(number) >= label_texts_.size()) {
      throw Error(ErrorKind::data, fmt::format("the class of row {} is {}, and there are {} names of classes", row + 1,
                                               number, label_texts_.size()))
          .at("<memory>")
          .fix("number the classes from 0 on, in the order of their names");
    }
    text += ',' + label_texts_[static_cast<std::size_t>(number)];
  }
  if (labels_.weights != nullptr) fmt::format_to(std::back_inserter(text), ",{}", labels_.weights[row]);
  if (text.size() == begin) text += "\"\"";  // else the line would be blank, and no row
  text += '\n';
}

std::uint64_t TableText::append_rows(std::uint64_t first, std::size_t enough, std::string& text) const {
  auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return first < p.first + p.rows; });
  for (; part != parts_.end(); ++part) {
    for (; first < part->first + part->rows; ++first) {
      if (text.size() >= enough) return first;
      append_row(*part, first, text);
    }
  }
  return first;
}

void write_text(const TableText& table, const std::string& path) {
  AtomicFile file(path, nullptr);
  std::string text;
  table.append_header(text);
  for (std::uint64_t row = 0; row < table.rows();) {
    row = table.append_rows(row, std::size_t{1} << 18, text);
    file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    text.clear();
  }
  file.commit();
}

}  // namespace halfspace
