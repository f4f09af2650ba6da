// Rows built one by one, as data for a Reader, and so for train(), Folds, choose(), evaluate() and certify(), instead
// of a file. For rows that are in arrays already see array_rows.h.
//
//   MemoryData data;
//   data.add("yes", index, value);        // sparse: feature numbers from 0, ascending, and their values
//   data.add("no", dense);                // all features
//   TrainOptions options;
//   options.read.rows = &data;
//
// Training gives the same bits as on a LIBSVM file of the same numbers (write_text() makes one): features are named by
// their number from 1, zeros of dense rows are dropped, and labels are inferred as for a file. A model trained on CSV
// data has columns that these rows lack: predict for it with Predictor::predict of one row.
//
// Memory: 12 bytes a value, 12 a row. Thread-safety: one thread adds; afterwards any number may read. Ownership: copies
// its input.
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

  // Adds a row. A label is a name or a number without blanks, colons or #. Throws Error(usage), and adds nothing, for
  // an invalid label, different numbers of values and indices, indices that do not ascend or exceed 2147483646, or
  // values that are not finite.
  void add(std::string_view label, std::span<const std::uint32_t> index, std::span<const double> value);
  void add(std::string_view label, std::span<const double> dense);

  const Schema& schema() const override { return schema_; }
  bool labels_are_texts() const override { return true; }
  std::uint64_t rows() const override { return label_.size(); }
  std::size_t blocks() const override;
  Block block(std::size_t i, SourceBuffer& buffer) const override;

 private:
  void end_row(std::string_view label);

  Schema schema_;  // its labels: all texts, in order of first appearance
  std::unordered_map<std::string, std::int32_t> number_of_;
  std::vector<std::uint64_t> offset_{0};
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
  std::vector<std::int32_t> label_;
};

}  // namespace halfspace
