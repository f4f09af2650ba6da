// Reads a file a second time, for the bound of a run that was too long to be kept: what weights come to on all its rows,
// in memory that does not grow with them.
//
// A hinge bound asks of the rows for no more than their margins, lengths and weights, and how many have them. Rows whose
// margins agree in their first bits share a bucket, which has the least of these margins, and the least of their
// lengths: hinges then err on the safe side, by a part in 2^8 of a margin.
//
// Thread-safety: one thread. Ownership: keeps references to the run and to the weights.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "halfspace/bounds/bound_search.h"
#include "train/run.h"

namespace halfspace::training {

class MarginBuckets {
 public:
  static constexpr std::size_t most = 1 << 18;  // more, of rows that are weighted one by one, are not counted

  // Counts rows with their margins under the weights. Returns false when there are too many kinds of them.
  bool add(const Rows& rows, const EvaluatedMargins& evaluated);

  // A row a bucket, its margin, and how many it stands for.
  struct Counted {
    Rows rows;
    EvaluatedMargins evaluated;
    std::vector<double> times;
  };
  Counted counted() const;

 private:
  struct Key {
    std::int32_t margin;
    std::int32_t squared_norm;
    double weight;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): the check takes <=> for a pointer
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  std::unordered_map<Key, std::uint64_t, Hash> buckets_;
  Evaluation evaluation_;
};

// Judges weights on the rows that the run learned from. Returns what each comes to; nothing when the file is not the one
// that was read before, or the run is to end now.
std::vector<MarginBuckets::Counted> read_again(const Run& run, const RowsTaken& taken,
                                               const std::vector<Comparator>& weights);

}  // namespace halfspace::training
