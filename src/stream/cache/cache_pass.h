// One pass over a cache, as if its text were read: the same blocks of rows with the same bits, under the options and
// the schema (a model's, perhaps) that reading would have been given.
//
// Blocks are checked in parallel and consumed in order on the caller's thread. Where nothing has to be changed they are
// handed on as they are mapped; features and labels that a model numbers otherwise, rows that are normalised, values
// made single and classes that are weighted need a copy.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"
#include "stream/cache/cache.h"

namespace halfspace::stream {

class CachePass {
 public:
  // Agrees the cache's schema with the one given, and grows that if it may grow; makes it the cache's when none is
  // given. Throws Error: usage (options that only text has), data (columns that do not fit).
  CachePass(const Cache& cache, const ReadOptions& options, Schema& schema);

  // Passes over the rows as Reader::read.
  bool run(const std::vector<double>& class_factors, ReadReport& report,
           const std::function<bool(const Block&)>& consume) const;

 private:
  void take_schema(Schema& schema);
  void match_schema(Schema& schema);
  void match_columns(Schema& schema);
  void refuse_other_factor(const Column& model, std::size_t place, const Column& cached, std::size_t k) const;
  void match_names(Schema& schema);
  void forget_identity();
  void match_labels(const Labels& wanted);

  const Cache& cache_;
  const ReadOptions& options_;
  const Schema& schema_;
  // Where features and classes of the cache go; empty: where they were. Column::no_feature: left out.
  std::vector<std::uint32_t> feature_;
  std::vector<std::int32_t> label_;
};

}  // namespace halfspace::stream
