// In how many rows each token of a text column is, for tf-idf.
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
  // Tells whether a new schema asks for counts.
  static bool asked_for(const Schema& schema);

  void add(const Block& block);
  // Gives each token its factor, 1 + ln((1 + rows) / (1 + rows with it)), and the tokens to come that of none.
  void finish(Schema& schema) const;

 private:
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> rows_with_;  // by feature
};

}  // namespace halfspace::stream
