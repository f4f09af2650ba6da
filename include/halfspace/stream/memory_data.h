// Rows built one by one, as data: given to a Reader, and so to train(), Folds, choose(), evaluate() and certify(), instead
// of a file. Rows that lie in arrays already are read there (array_rows.h).
//
//   MemoryData data;
//   data.add("yes", index, value);        // sparse: feature numbers from 0 on, ascending, and their values
//   data.add("no", dense);                // all features
//   TrainOptions options;
//   options.read.rows = &data;
//
// What is learned from them is, to the bit, what is learned from a file of LIBSVM text with the same numbers
// (write_text() makes one): features are named by their number from 1 on, zeros of dense rows are left out, and labels
// are inferred as those of a file are. A model that was trained on CSV data has columns that such rows do not: predict
// for it with Predictor::predict of one row.
//
// Memory: 12 bytes a value, 12 a row. Thread-safety: one thread adds; then many may read. Ownership: copies what it is
// given.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/row_source.h"

namespace halfspace {

class MemoryData final : public RowSource {
 public:
  MemoryData();

  // Adds a row. A label is a name or a number without blanks, colons or #. Throws Error(usage): for another label, as many
  // values as indices, indices that do not ascend or exceed 2147483646, values that are not finite. Then nothing was added.
  void add(std::string_view label, std::span<const std::uint32_t> index, std::span<const double> value);
  void add(std::string_view label, std::span<const double> dense);

  const Schema& schema() const override { return schema_; }
  bool labels_are_texts() const override { return true; }
  std::uint64_t rows() const override { return label_.size(); }
  std::size_t blocks() const override;
  Block block(std::size_t i, SourceBuffer& buffer) const override;

 private:
  void end_row(std::string_view label);

  Schema schema_;  // its labels: all texts, in the order of their first rows
  std::unordered_map<std::string, std::int32_t> number_of_;
  std::vector<std::uint64_t> offset_{0};
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
  std::vector<std::int32_t> label_;
};

}  // namespace halfspace
