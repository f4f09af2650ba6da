// Builds blocks that point into the caller's arrays.
#include "halfspace/stream/array_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/read_once.h"
#include "stream/arrays/blocks.h"
#include "stream/labels/label_inference.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

[[noreturn]] void refuse_value(std::uint64_t row, std::uint64_t column, double value) {
  throw Error(ErrorKind::data, "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) + ": " +
                                   (std::isnan(value) ? "NaN" : "an infinity") + " is not a number to learn from")
      .at("<memory>")
      .fix(std::isnan(value) ? "fill in missing values before, or give a file, in which they may be missing"
                             : "leave the row out, or give the largest value that is meant");
}

template <class Value>
constexpr ValueType type_of() {
  return std::is_same_v<Value, float> ? ValueType::float32 : ValueType::float64;
}

// Sums the squares of each row. A finite sum has only finite terms.
template <class Value>
void check_and_sum(Block& block, const Value* values, SourceBuffer& buffer, std::uint64_t first) {
  stream::sum_squares(block, values, buffer);
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (std::isfinite(block.squared_norm[r])) continue;
    for (std::uint64_t k = block.offset[r]; k < block.offset[r + 1]; ++k) {
      const auto value = static_cast<double>(values[k]);
      if (!std::isfinite(value))
        refuse_value(first + r, block.index == nullptr ? k - block.offset[r] : block.index[k], value);
    }
  }
}

template <class Value>
std::vector<Value>& values_of(SourceBuffer& buffer) {
  if constexpr (std::is_same_v<Value, float>) {
    return buffer.narrow;
  } else {
    return buffer.value;
  }
}

[[noreturn]] void refuse_row(std::uint64_t row, const std::string& problem) {
  throw Error(ErrorKind::data, "row " + std::to_string(row + 1) + ": " + problem)
      .at("<memory>")
      .fix("give a sparse matrix in compressed rows, each column at most once a row");
}

// Finds the first row with a column out of range.
[[noreturn]] void refuse_column(const CsrArray& array, const Block& block, std::uint64_t first) {
  std::size_t row = 0;
  const auto in_range = [&](std::size_t r) {
    return std::all_of(block.index + block.offset[r], block.index + block.offset[r + 1],
                       [&](std::uint32_t j) { return j < array.columns; });
  };
  while (row + 1 < block.rows && in_range(row)) ++row;
  refuse_row(first + row, "a column number is not below the " + std::to_string(array.columns) + " columns");
}

// Sorts the columns of a row in ascending order, with their values.
template <class Value>
void sort_row(SourceBuffer& buffer, std::vector<Value>& values, std::size_t row, std::uint64_t first) {
  const std::uint64_t begin = buffer.offset[row], size = buffer.offset[row + 1] - begin;
  std::vector<std::pair<std::uint32_t, Value>> sorted(size);
  for (std::uint64_t k = 0; k < size; ++k) sorted[k] = {buffer.index[begin + k], values[begin + k]};
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::uint64_t k = 0; k < size; ++k) {
    if (k > 0 && sorted[k].first == sorted[k - 1].first)
      refuse_row(first + row, "column " + std::to_string(sorted[k].first + 1) + " is duplicate");
    buffer.index[begin + k] = sorted[k].first;
    values[begin + k] = sorted[k].second;
  }
}

void check_shape(std::uint64_t rows, std::uint32_t columns) {
  if (rows == 0 || columns == 0) refuse("the array has no rows or no columns", "give at least one of each");
  if (columns == Column::no_feature) refuse("the array has too many columns", "give at most 4294967294");
}

}  // namespace

Error RowSource::unfit(std::string problem) const {
  return Error(ErrorKind::data, std::move(problem))
      .at(name())
      .fix("give rows with the model's columns, a file, or single rows to Predictor");
}

ArrayRows::ArrayRows(const DenseArray& array, ArrayLabels labels, const ArrayNames& names)
    : array_(array), labels_(std::move(labels)) {
  check_shape(array.rows, array.columns);
  if (std::visit([](const auto* values) { return values == nullptr; }, array.values))
    refuse("the array of values is null", "give the address of the first value");
  if (std::get<DenseArray>(array_).row_stride == 0) std::get<DenseArray>(array_).row_stride = array.columns;
  const bool named = !names.columns.empty();
  if (named && names.columns.size() != array.columns) {
    refuse(std::to_string(names.columns.size()) + " names for " + std::to_string(array.columns) + " columns",
           "give a name for each column");
  }
  std::unordered_set<std::string> seen;
  for (std::uint32_t j = 0; j < array.columns; ++j) {
    const std::string name = named ? names.columns[j] : std::to_string(j + 1);
    if (name.empty() || !seen.insert(name).second)
      refuse("the column name " + stream::quote(name) + " is empty or duplicate", "give each column its own");
    schema_.columns.push_back({.name = name, .feature = j, .categories = {}, .features = {}});
  }
  if (labelled() && !seen.insert(names.label).second)
    refuse("a column is named " + stream::quote(names.label) + ", like the label", "rename one of them");
  schema_.format = named ? DataFormat::csv : DataFormat::npy;
  schema_.header = named;
  schema_.features = array.columns;
  take_labels(names.label);
}

ArrayRows::ArrayRows(const CsrArray& array, ArrayLabels labels) : array_(array), labels_(std::move(labels)) {
  check_shape(array.rows, array.columns);
  const bool null = std::visit([](const auto* offsets) { return offsets == nullptr; }, array.offsets) ||
                    (array.stored != 0 && (std::visit([](const auto* i) { return i == nullptr; }, array.indices) ||
                                           std::visit([](const auto* v) { return v == nullptr; }, array.values)));
  if (null) refuse("an array of the sparse matrix is null", "give offsets, indices and values");
  std::visit(
      [&](const auto* offsets) {
        if (offsets[0] != 0 || static_cast<std::uint64_t>(offsets[array.rows]) != array.stored) {
          refuse("the offsets of the sparse matrix lead from " + std::to_string(offsets[0]) + " to " +
                     std::to_string(offsets[array.rows]) + ", and it has " + std::to_string(array.stored) + " values",
                 "give rows + 1 offsets, from 0 to the number of values");
        }
      },
      array.offsets);
  schema_.format = DataFormat::csr;
  take_labels({});
}

// `column`: the name of the label's column; empty: there are no column names.
void ArrayRows::take_labels(std::string column) {
  if (!labelled()) return;
  const std::size_t classes = labels_.names.size();
  if (classes == 0 || classes > stream::most_classes)
    refuse(std::to_string(classes) + " classes", "name each class, 1 to " + std::to_string(stream::most_classes));
  const std::string& first = labels_.names.front();
  const std::optional<Labels> pair = classes == 1 ? stream::default_pair_of(first, labels_.are) : std::nullopt;
  schema_.labels = pair ? *pair : Labels::from(labels_.names, classes == 1 ? first : std::string(), labels_.are);
  std::vector<bool> taken(schema_.labels.names.size());
  for (const std::string& name : labels_.names) {
    stream::refuse_line_break(name);
    const auto found = schema_.labels.find(name);
    if (!found || taken[static_cast<std::size_t>(*found)])
      refuse("the class name " + stream::quote(name) + " is empty or duplicate", "name each class once");
    taken[static_cast<std::size_t>(*found)] = true;
    class_of_.push_back(*found);
  }
  if (column.empty()) return;
  schema_.columns.push_back({.name = std::move(column), .kind = Column::Kind::label, .categories = {}, .features = {}});
}

std::uint32_t ArrayRows::width() const {
  return std::visit([](const auto& array) { return array.columns; }, array_);
}

std::uint64_t ArrayRows::rows() const {
  return std::visit([](const auto& array) { return array.rows; }, array_);
}

std::size_t ArrayRows::blocks() const { return stream::blocks_of(rows()); }

Block ArrayRows::block(std::size_t i, SourceBuffer& buffer) const {
  const auto [first, count] = stream::rows_of_block(i, rows());
  return range(first, count, buffer);
}

Block ArrayRows::quarter(std::size_t i, std::size_t q, SourceBuffer& buffer) const {
  constexpr std::size_t most = Rows::block_rows / 4;
  const auto [first, count] = stream::rows_of_block(i, rows());
  const std::size_t before = std::min(count, q * most);
  return before == count ? Block() : range(first + before, std::min(most, count - before), buffer);
}

Block ArrayRows::range(std::uint64_t first, std::size_t count, SourceBuffer& buffer) const {
  Block block = std::holds_alternative<DenseArray>(array_)
                    ? dense_block(std::get<DenseArray>(array_), first, count, buffer)
                    : sparse_block(std::get<CsrArray>(array_), first, count, buffer);
  stream::number_rows(block, first, buffer);
  read_labels(first, block, buffer);
  return block;
}

// Maps the caller's class numbers to those of Labels. Copies before it checks: the caller's arrays may change afterwards.
void ArrayRows::read_labels(std::uint64_t first, Block& block, SourceBuffer& buffer) const {
  if (labels_.weights != nullptr) {
    buffer.weight.assign(labels_.weights + first, labels_.weights + first + block.rows);
    block.weight = buffer.weight.data();
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (is_weight(block.weight[r])) continue;
      throw Error(ErrorKind::data, "the weight of row " + std::to_string(first + r + 1) + " is not a weight")
          .at(name())
          .fix(what_a_weight_is);
    }
  }
  buffer.label.assign(block.rows, -1);
  block.label = buffer.label.data();
  if (!labelled()) return;
  for (std::size_t r = 0; r < block.rows; ++r) {
    const std::int32_t number = read_once(labels_.classes[first + r]);
    if (number < 0 || static_cast<std::size_t>(number) >= class_of_.size()) {
      throw Error(ErrorKind::data, "the class of row " + std::to_string(first + r + 1) + " is " +
                                       std::to_string(number) + ", and there are " + std::to_string(class_of_.size()) +
                                       " names of classes")
          .at(name())
          .fix("number the classes from 0 on, in the order of their names");
    }
    buffer.label[r] = class_of_[static_cast<std::size_t>(number)];
  }
}

Block ArrayRows::dense_block(const DenseArray& array, std::uint64_t first, std::size_t rows,
                             SourceBuffer& buffer) const {
  Block block;
  block.rows = rows;
  block.features = array.columns;
  block.dense = true;
  if (buffer.index.size() < array.columns) {
    buffer.index.resize(array.columns);
    std::iota(buffer.index.begin(), buffer.index.end(), 0U);
  }
  block.ordinal = buffer.index.data();
  buffer.offset.resize(rows + 1);
  for (std::size_t r = 0; r <= rows; ++r) buffer.offset[r] = std::uint64_t{r} * array.columns;
  block.offset = buffer.offset.data();
  std::visit(
      [&]<class Value>(const Value* values) {
        values += static_cast<std::ptrdiff_t>(first) * array.row_stride;
        if (array.column_stride != 1 || array.row_stride != static_cast<std::ptrdiff_t>(array.columns)) {
          std::vector<Value>& copy = values_of<Value>(buffer);
          copy.resize(rows * array.columns);
          for (std::size_t r = 0; r < rows; ++r) {
            const Value* const row = values + static_cast<std::ptrdiff_t>(r) * array.row_stride;
            for (std::uint32_t j = 0; j < array.columns; ++j)
              copy[r * array.columns + j] = row[static_cast<std::ptrdiff_t>(j) * array.column_stride];
          }
          values = copy.data();
        }
        block.value_type = type_of<Value>();
        block.value = values;
        check_and_sum(block, values, buffer, first);
      },
      array.values);
  return block;
}

Block ArrayRows::sparse_block(const CsrArray& array, std::uint64_t first, std::size_t rows,
                              SourceBuffer& buffer) const {
  Block block;
  block.rows = rows;
  buffer.offset.resize(rows + 1);
  std::uint64_t begin = 0;
  std::visit(
      [&](const auto* offsets) {
        for (std::size_t r = 0; r <= rows; ++r) {
          const auto next = static_cast<std::uint64_t>(read_once(offsets[first + r]));
          if (r == 0) begin = next;
          const bool ascends = r == 0 || next >= begin + buffer.offset[r - 1];
          if (!ascends || next > array.stored || (r > 0 && next - begin - buffer.offset[r - 1] > UINT32_MAX))
            refuse_row(first + (r == 0 ? 0 : r - 1), "its offsets do not ascend, or exceed the number of values");
          buffer.offset[r] = next - begin;
        }
      },
      array.offsets);
  block.offset = buffer.offset.data();
  const std::uint64_t stored = buffer.offset[rows];
  // Copied before they are checked: a column number that changes afterwards would lead out of the weights.
  buffer.index.resize(stored);
  if (const auto* const* narrow = std::get_if<const std::int32_t*>(&array.indices)) {
    // Numbers below 0 wrap around and become too large.
    if (stored != 0) std::memcpy(buffer.index.data(), *narrow + begin, stored * sizeof(std::uint32_t));
  } else {
    const std::int64_t* const wide = std::get<const std::int64_t*>(array.indices) + begin;
    for (std::uint64_t k = 0; k < stored; ++k) {
      const std::int64_t column = read_once(wide[k]);
      buffer.index[k] = column < 0 || column > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(column);
    }
  }
  block.index = buffer.index.data();
  bool ascends = true;
  std::uint32_t largest = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::uint64_t k = buffer.offset[r]; k < buffer.offset[r + 1]; ++k) {
      largest = std::max(largest, block.index[k]);
      ascends &= k == buffer.offset[r] || block.index[k - 1] < block.index[k];
    }
  }
  if (stored != 0 && largest >= array.columns) refuse_column(array, block, first);
  block.features = stored == 0 ? 0 : largest + 1;
  std::visit(
      [&]<class Value>(const Value* values) {
        if (stored != 0) values += begin;
        if (!ascends) {
          std::vector<Value>& copy = values_of<Value>(buffer);
          copy.assign(values, values + stored);
          for (std::size_t r = 0; r < rows; ++r) sort_row(buffer, copy, r, first);
          values = copy.data();
        }
        block.value_type = type_of<Value>();
        block.value = values;
        check_and_sum(block, values, buffer, first);
      },
      array.values);
  return block;
}

// The values alone: whatever they become, they lead nowhere.
Mapping ArrayRows::mapping() const {
  Mapping mapping;
  const auto add = [&](const void* from, std::uint64_t count, std::size_t bytes_each) {
    if (from != nullptr) mapping.bytes.emplace_back(static_cast<const std::byte*>(from), count * bytes_each);
  };
  if (const auto* const dense = std::get_if<DenseArray>(&array_)) {
    if (dense->column_stride != 1 || dense->row_stride != static_cast<std::ptrdiff_t>(dense->columns)) return mapping;
    std::visit([&](const auto* values) { add(values, dense->rows * dense->columns, sizeof *values); }, dense->values);
  } else {
    const auto& sparse = std::get<CsrArray>(array_);
    std::visit([&](const auto* values) { add(values, sparse.stored, sizeof *values); }, sparse.values);
  }
  return mapping;
}

}  // namespace halfspace
