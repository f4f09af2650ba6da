// One pass over the blocks of a RowSource, as if its text were read: the same rows with the same bits, under the options
// and the schema (a model's, perhaps) that reading would have been given.
//
// Blocks are checked in parallel and consumed in order on the caller's thread. Where nothing has to change they are passed
// on as the source has them; features and labels that a model numbers otherwise, rows that are normalised, values made
// single and classes that are weighted need a copy.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "stream/parser.h"
#include "stream/pipeline/transform.h"

namespace halfspace::stream {

class BlockPass {
 public:
  // Matches the source's schema to the one given, and grows that if it may grow; makes it the source's when none is
  // given. `before`: what reading the text reported, when the source was made from text. Keeps references to all.
  // Throws Error: usage (options that only text has), data (columns that do not fit).
  BlockPass(const RowSource& source, const ReadReport* before, const ReadOptions& options, Schema& schema);

  // Returns a block of the source's under the options and the schema: itself, or a copy in `changed`, which is cleared.
  // `class_factors`: of the classes' weights, empty: all 1. Thread-safe.
  Block adapt(const Block& block, const std::vector<double>& class_factors, ParsedChunk& changed) const;

  // Passes over the rows as Reader::read. `report`: null where nobody asks for one.
  bool run(const std::vector<double>& class_factors, ReadReport* report,
           const std::function<bool(const Block&)>& consume);

 private:
  Block change(const Block& block, const Transforms& transforms, const std::vector<double>& class_factors,
               ParsedChunk& chunk) const;
  void take_schema();
  void match_schema();
  void match_columns();
  void refuse_other_factor(const Column& model, std::size_t position, const Column& given, std::size_t k) const;
  void match_names();
  void forget_identity();
  Labels labels_of_texts() const;
  void match_labels(const Labels& wanted);

  const RowSource& source_;
  const ReadReport* before_;
  const ReadOptions& options_;
  Schema& schema_;
  // The model's numbers of the source's features and classes; empty: the same. Column::no_feature: left out.
  std::vector<std::uint32_t> feature_;
  std::vector<std::int32_t> label_;
  std::uint32_t feature_limit_ = Column::no_feature;  // features from here on are left out
};

}  // namespace halfspace::stream
