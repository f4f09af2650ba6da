// Arrays of the caller as data, dense or sparse, float or double: read where they lie, never copied whole.
//
//   const DenseArray x{.values = numbers.data(), .rows = 1000, .columns = 20};   // row-major doubles or floats
//   const ArrayRows rows(x, {.classes = labels.data(), .names = {"no", "yes"}});
//   TrainOptions options;
//   options.read.rows = &rows;
//   const TrainResult result = train(options);
//
// The result is, to the bit, that of a file of the same numbers: of X.npy for a dense array without column names, of a
// CSV file for one with names (its label the last column), of an .npz by scipy.sparse.save_npz for a sparse one. So a
// model learned from arrays predicts for such files, and the reverse. Columns of sparse rows may be in any order.
//
// Thread-safety: constant once made. Ownership: borrows the arrays, which must stay as they are while it is used.
// Cost: a pass over the values for squared norms and checks; memory of a few hundred kilobytes a thread, or a block's
// values where they are strided, sparse rows' columns where they have 64 bits or are out of order.
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
  std::variant<const std::int32_t*, const std::int64_t*> indices;  // columns from 0 on, distinct within a row
  std::variant<const std::int32_t*, const std::int64_t*> offsets;  // rows + 1, ascending from 0
  std::uint64_t stored = 0;                                        // length of values and indices
  std::uint64_t rows = 0;
  std::uint32_t columns = 0;
};

// What belongs to each row, besides its values.
struct ArrayLabels {
  const std::int32_t* classes = nullptr;  // numbers into `names`; null: rows without labels, to predict for
  std::vector<std::string> names{};       // distinct; Labels orders them
  const double* weights = nullptr;        // finite, >= 0; null: all 1
};

// Names of the columns and of the label's: those of a CSV file. Empty: there are none.
struct ArrayNames {
  std::vector<std::string> columns{};
  std::string label = "y";
};

class ArrayRows final : public RowSource {
 public:
  // Throws Error(usage): null arrays, too many or too few names, names that are not distinct, offsets out of range, no
  // rows or columns.
  ArrayRows(const DenseArray& array, ArrayLabels labels, const ArrayNames& names = {});
  ArrayRows(const CsrArray& array, ArrayLabels labels);

  const Schema& schema() const override { return schema_; }
  bool labelled() const override { return labels_.classes != nullptr; }
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
  std::vector<std::int32_t> class_of_;  // by number in labels_.names; empty: the same
  Schema schema_;
};

}  // namespace halfspace
