// One pass over the blocks of a RowSource, as if its text were read: the same rows with the same bits, under the same
// options and schema (a model's, perhaps).
//
// Checks blocks in parallel and consumes them in order on the caller's thread. Passes them on unchanged where possible;
// renumbered features and labels, normalised rows, float rounding and class weights need a copy.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "stream/columns/logarithms.h"
#include "stream/formats/parser.h"
#include "stream/pipeline/transform.h"

namespace halfspace::stream {

class BlockPass {
 public:
  // Matches the source's schema to the given one, which grows if it may; without one, sets it to the source's.
  // `before`: the report of reading the text that the source was made from. Keeps references to all. Throws
  // Error(usage) for options that only apply to text, Error(data) for columns that do not match.
  BlockPass(const RowSource& source, const ReadReport* before, const ReadOptions& options, Schema& schema);

  // Returns a block of the source under the options and the schema: itself, or a copy in `changed`, which is cleared.
  // `class_factors`: from the class weights; empty: all 1. Thread-safe.
  Block adapt(const Block& block, const std::vector<double>& class_factors, ParsedChunk& changed) const;

  // Passes over the rows as Reader::read does. `report`: null if not wanted.
  bool run(const std::vector<double>& class_factors, ReadReport* report,
           const std::function<bool(const Block&)>& consume);

 private:
  Block change(const Block& block, const Transforms& transforms, const std::vector<double>& class_factors,
               ParsedChunk& chunk) const;
  void take_schema();
  void match_schema();
  void match_columns();
  void match_names();
  void match_hashed();
  void match_labels(const Labels& wanted);

  const RowSource& source_;
  const ReadReport* before_;
  const ReadOptions& options_;
  Schema& schema_;
  // The model's numbers of the source's features and classes; empty: identical. Column::no_feature: dropped.
  std::vector<std::uint32_t> feature_;
  std::vector<std::int32_t> label_;
  Logarithms logarithms_;                             // that the source lacks
  std::uint32_t feature_limit_ = Column::no_feature;  // features from here on are dropped
};

}  // namespace halfspace::stream
