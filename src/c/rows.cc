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
  for (std::size_t k = 0; k < labels->names_count; ++k)
    own.names.emplace_back(&checked((&checked(labels->names, "names"))[k], "a name"));
  return own;
}

}  // namespace halfspace::c

using namespace halfspace;
using namespace halfspace::c;

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

void halfspace_rows_free(halfspace_rows* rows) {
  delete rows;
}

int halfspace_rows_write(const halfspace_rows* rows, const char* path, halfspace_error* error) {
  return guarded(error, [&] { write_text(checked(rows, "rows").rows, &checked(path, "path")); });
}

}  // extern "C"
