// The caller's arrays as data, dense or sparse, float or double: read in place, never copied as a whole.
//
//   const DenseArray x{.values = numbers.data(), .rows = 1000, .columns = 20};   // row-major doubles or floats
//   const ArrayRows rows(x, {.classes = labels.data(), .names = {"no", "yes"}});
//   TrainOptions options;
//   options.read.rows = &rows;
//   const TrainResult result = train(options);
//
// Training gives the same bits as on a file of the same numbers: X.npy for a dense array without column names, CSV for
// one with names (the label last), an .npz by scipy.sparse.save_npz for a sparse one. So a model trained on arrays
// predicts for such files, and vice versa. Columns of sparse rows may be in any order.
//
// Thread-safety: immutable once constructed. Ownership: borrows the arrays, which should not change while it is used: if
// another thread writes into them, results are of no use, but no memory outside of them is read or written, since
// offsets, indices, classes and weights are checked in copies. Cost: one pass over the values for squared norms and
// checks. Memory: a few hundred kilobytes a thread, plus a block of values if they are strided or out of order; rows that
// are kept for more passes have copies of all but the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "halfspace/stream/row_source.h"

namespace halfspace {

// A matrix: value (i, j) is values[i * row_stride + j * column_stride].
struct DenseArray {
  std::variant<const double*, const float*> values;
  std::uint64_t rows = 0;
  std::uint32_t columns = 0;
  std::ptrdiff_t row_stride = 0;     // in values, may be negative; 0: columns
  std::ptrdiff_t column_stride = 1;  // in values
};

// A matrix in compressed sparse rows: row i is [offsets[i], offsets[i + 1]) of columns and values.
struct CsrArray {
  std::variant<const double*, const float*> values;
  std::variant<const std::int32_t*, const std::int64_t*> indices;  // columns from 0, distinct within a row
  std::variant<const std::int32_t*, const std::int64_t*> offsets;  // rows + 1, ascending from 0
  std::uint64_t stored = 0;                                        // length of values and indices
  std::uint64_t rows = 0;
  std::uint32_t columns = 0;
};

// The label and weight of each row.
struct ArrayLabels {
  const std::int32_t* classes = nullptr;  // indices into `names`; null: rows without labels, for prediction only
  std::vector<std::string> names{};       // distinct; Labels orders them
  const double* weights = nullptr;        // null: all 1
  LabelsAre are = LabelsAre::texts;
};

// Names of the columns and of the label's column, as in a CSV file. Empty: none.
struct ArrayNames {
  std::vector<std::string> columns{};
  std::string label = "y";
};

class ArrayRows final : public RowSource {
 public:
  // Throws Error(usage) for null arrays, a wrong number of names, duplicate names, offsets out of range, or no rows or
  // columns.
  ArrayRows(const DenseArray& array, ArrayLabels labels, const ArrayNames& names = {});
  ArrayRows(const CsrArray& array, ArrayLabels labels);

  const Schema& schema() const override { return schema_; }
  bool labelled() const override { return labels_.classes != nullptr; }
  std::uint32_t width() const override;
  std::uint64_t rows() const override;
  std::size_t blocks() const override;
  Block block(std::size_t i, SourceBuffer& buffer) const override;
  bool has_quarters() const override { return true; }
  Block quarter(std::size_t i, std::size_t q, SourceBuffer& buffer) const override;
  Mapping mapping() const override;

 private:
  void take_labels(std::string column);
  Block range(std::uint64_t first, std::size_t count, SourceBuffer& buffer) const;
  void read_labels(std::uint64_t first, Block& block, SourceBuffer& buffer) const;
  Block dense_block(const DenseArray& array, std::uint64_t first, std::size_t rows, SourceBuffer& buffer) const;
  Block sparse_block(const CsrArray& array, std::uint64_t first, std::size_t rows, SourceBuffer& buffer) const;

  std::variant<DenseArray, CsrArray> array_;
  ArrayLabels labels_;
  std::vector<std::int32_t> class_of_;  // by index in labels_.names; empty: identical
  Schema schema_;
};

}  // namespace halfspace
