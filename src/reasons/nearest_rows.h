// The rows of a file whose scores are nearest to a row's, and how many of them are labelled otherwise.
//
// Cost: a pass over the data, and a prediction a row. Memory: O(most), however many rows there are.
// Thread-safety: use NearestCounts from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "halfspace/reasons/explanation.h"

namespace halfspace::reasons {

// Counts the nearest rows: the fewest distances that have `most` rows together. The order of the rows changes nothing.
class NearestCounts {
 public:
  explicit NearestCounts(std::uint64_t most) : most_(most) {}

  void add(double distance, bool otherwise);
  // Returns the counts; none without rows.
  std::optional<NearestRows> result() const;

 private:
  struct Count {
    std::uint64_t rows = 0, otherwise = 0;
  };

  std::uint64_t most_, rows_ = 0;
  std::map<double, Count> at_;  // by distance
};

// Returns the rows nearest to this one; none for data without labels, and for a pipe, which cannot be read twice. Skips
// bad rows.
std::optional<NearestRows> nearest_rows(const Model& model, const ReadOptions& read, const FoundRow& row,
                                        std::uint64_t most);

}  // namespace halfspace::reasons
