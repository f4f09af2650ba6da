// Counts the rows that contain each token of a text column, for tf-idf.
//
// Thread-safety: one thread. Memory: 8 bytes a feature.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class DocumentCounts {
 public:
  // Returns whether a new schema needs counts.
  static bool asked_for(const Schema& schema);

  void add(const Block& block);
  // Sets each token's factor, 1 + ln((1 + rows) / (1 + rows with it)), and unseen_factor to that of no rows.
  void finish(Schema& schema) const;

 private:
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> rows_with_;  // by feature
};

}  // namespace halfspace::stream
