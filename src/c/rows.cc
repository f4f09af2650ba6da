// Arrays of the caller.
#include <memory>

#include "c/handles.h"

namespace halfspace::c {
namespace {

std::variant<const double*, const float*> values_of(const void* values, int32_t type) {
  if (type == HALFSPACE_FLOAT64) return static_cast<const double*>(values);
  if (type == HALFSPACE_FLOAT32) return static_cast<const float*>(values);
  throw Error(ErrorKind::usage, "no type of values is " + std::to_string(type)).fix("HALFSPACE_FLOAT64 or _FLOAT32");
}

std::variant<const std::int32_t*, const std::int64_t*> integers_of(const void* integers, int32_t type) {
  if (type == HALFSPACE_INT32) return static_cast<const std::int32_t*>(integers);
  if (type == HALFSPACE_INT64) return static_cast<const std::int64_t*>(integers);
  throw Error(ErrorKind::usage, "no type of indices is " + std::to_string(type)).fix("HALFSPACE_INT32 or _INT64");
}

}  // namespace

ArrayLabels labels_of(const halfspace_labels* labels) {
  ArrayLabels own;
  if (labels == nullptr) return own;
  own.classes = labels->classes;
  own.weights = labels->weights;
  own.are = labels->are_numbers != 0 ? LabelsAre::numbers : LabelsAre::texts;
  for (std::size_t k = 0; k < labels->names_count; ++k)
    own.names.emplace_back(&checked((&checked(labels->names, "names"))[k], "a name"));
  return own;
}

}  // namespace halfspace::c

using namespace halfspace;
using namespace halfspace::c;

ReadOptions halfspace_rows::read(ReadOptions options) const {
  if (const auto* const table = std::get_if<TableText>(&rows)) return table->read(std::move(options));
  options.rows = &std::get<ArrayRows>(rows);
  return options;
}

namespace {

ColumnUse use_numbered(int32_t use) {
  if (use == HALFSPACE_NUMERIC) return ColumnUse::numeric;
  if (use == HALFSPACE_CATEGORICAL) return ColumnUse::categorical;
  if (use == HALFSPACE_DATE) return ColumnUse::date;
  if (use == HALFSPACE_INFERRED) return ColumnUse::inferred;
  throw Error(ErrorKind::usage, "no use of a column is " + std::to_string(use))
      .fix("HALFSPACE_NUMERIC, _CATEGORICAL, _DATE or _INFERRED");
}

std::unique_ptr<TableColumn> cells_of(const halfspace_column& column) {
  const auto stride = static_cast<std::ptrdiff_t>(column.stride == 0 ? 1 : column.stride);
  checked(static_cast<const char*>(column.values), "the values of a column");
  if (use_numbered(column.use) == ColumnUse::numeric) {
    return std::visit(
        [&]<class Value>(const Value* values) -> std::unique_ptr<TableColumn> {
          return std::make_unique<NumberColumn<Value>>(values, stride);
        },
        values_of(column.values, column.value_type));
  }
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < column.texts_count; ++k)
    texts.emplace_back(&checked((&checked(column.texts, "texts"))[k], "a text"));
  return std::make_unique<CategoryColumn>(static_cast<const std::int32_t*>(column.values), texts);
}

std::string label_name(const char* label) { return label == nullptr ? "y" : label; }

}  // namespace

extern "C" {

halfspace_rows* halfspace_rows_dense(const halfspace_dense* array, const halfspace_labels* labels,
                                     const char* const* columns, const char* label, halfspace_error* error) {
  return made(error, [&] {
    const halfspace_dense& a = checked(array, "array");
    ArrayNames names;
    for (std::uint32_t j = 0; columns != nullptr && j < a.columns; ++j)
      names.columns.emplace_back(&checked(columns[j], "a column's name"));
    if (label != nullptr) names.label = label;
    const DenseArray dense{
        .values = values_of(a.values, a.value_type),
        .rows = a.rows,
        .columns = a.columns,
        .row_stride = static_cast<std::ptrdiff_t>(a.row_stride),
        .column_stride = a.row_stride == 0 && a.column_stride == 0 ? 1 : static_cast<std::ptrdiff_t>(a.column_stride)};
    return new halfspace_rows{ArrayRows(dense, labels_of(labels), names)};
  });
}

halfspace_rows* halfspace_rows_sparse(const halfspace_sparse* array, const halfspace_labels* labels,
                                      halfspace_error* error) {
  return made(error, [&] {
    const halfspace_sparse& a = checked(array, "array");
    const CsrArray sparse{.values = values_of(a.values, a.value_type),
                          .indices = integers_of(a.indices, a.index_type),
                          .offsets = integers_of(a.offsets, a.offset_type),
                          .stored = a.stored,
                          .rows = a.rows,
                          .columns = a.columns};
    return new halfspace_rows{ArrayRows(sparse, labels_of(labels))};
  });
}

halfspace_rows* halfspace_rows_table(const halfspace_column* columns, size_t columns_count, uint64_t rows,
                                     const halfspace_labels* labels, const char* label, halfspace_error* error) {
  return made(error, [&] {
    std::vector<TableText::Field> fields;
    std::vector<std::unique_ptr<TableColumn>> cells;
    for (std::size_t c = 0; c < columns_count; ++c) {
      const halfspace_column& column = (&checked(columns, "columns"))[c];
      fields.push_back({&checked(column.name, "a column's name"), use_numbered(column.use)});
      cells.push_back(cells_of(column));
    }
    if (rows == 0) throw Error(ErrorKind::usage, "the table has no rows").fix("give at least one");
    TableText table(std::move(fields), labels_of(labels), label_name(label));
    table.add_rows(rows, std::move(cells));
    return new halfspace_rows{std::move(table)};
  });
}

halfspace_rows* halfspace_rows_arrow(void* stream, halfspace_error* error) {
  return made(error, [&] {
    TableText table = arrow_table(stream);
    if (table.rows() == 0) throw Error(ErrorKind::usage, "the table has no rows").fix("give at least one");
    return new halfspace_rows{std::move(table)};
  });
}

int halfspace_rows_set_labels(halfspace_rows* rows, const halfspace_labels* labels, const char* label,
                              halfspace_error* error) {
  return guarded(error, [&] {
    auto* const table = std::get_if<TableText>(&checked(rows, "rows").rows);
    if (table == nullptr)
      throw Error(ErrorKind::usage, "an array has its labels from the beginning").fix("make it anew");
    table->set_labels(labels_of(labels), label_name(label));
  });
}

uint64_t halfspace_rows_count(const halfspace_rows* rows) {
  return rows == nullptr ? 0 : std::visit([](const auto& given) { return given.rows(); }, rows->rows);
}

uint32_t halfspace_rows_columns(const halfspace_rows* rows) {
  if (rows == nullptr) return 0;
  if (const auto* const table = std::get_if<TableText>(&rows->rows))
    return static_cast<uint32_t>(table->fields().size());
  return std::get<ArrayRows>(rows->rows).width();
}

const char* halfspace_rows_column_name(const halfspace_rows* rows, uint32_t column) {
  const auto* const table = rows == nullptr ? nullptr : std::get_if<TableText>(&rows->rows);
  return table == nullptr || column >= table->fields().size() ? nullptr : table->fields()[column].name.c_str();
}

void halfspace_rows_free(halfspace_rows* rows) { delete rows; }

int halfspace_rows_write(const halfspace_rows* rows, const char* path, halfspace_error* error) {
  return guarded(error, [&] {
    const char* const to = &checked(path, "path");
    std::visit([&](const auto& given) { write_text(given, to); }, checked(rows, "rows").rows);
  });
}

}  // extern "C"
