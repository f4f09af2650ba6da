// Reads a file a second time, for the bound of a run too long to keep its rows: evaluates weights on all rows in
// constant memory.
//
// A hinge bound needs only the margins, lengths and weights of the rows, with their counts. Rows whose margins agree in
// their leading bits share a bucket, which stores the least of their margins and the least of their lengths: hinges
// then err on the safe side, by a part in 2^8 of a margin.
//
// Thread-safety: one thread. Ownership: keeps references to the run and to the weights.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "halfspace/detail/bounds/bound_search.h"
#include "train/run/run.h"

namespace halfspace::training {

// Returns whether a path is a pipe or a device: it exists, but is no regular file.
bool gone_after_one_reading(const std::string& path);
// Returns whether the data can be read a second time: none of the inputs is a pipe.
bool can_be_read_again(const ReadOptions& read);

class MarginBuckets {
 public:
  static constexpr std::size_t most = 1 << 18;  // limit on distinct buckets; individually weighted rows may exceed it

  // Counts rows with their margins under the weights. Returns false if there are too many buckets.
  bool add(const Rows& rows, const EvaluatedMargins& evaluated);

  // One row per bucket, its margin, and the number of rows it stands for.
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

// Evaluates weights on some rows. Returns one result for each.
std::vector<MarginBuckets::Counted> count_margins(const Run& run, const Rows& rows,
                                                  const std::vector<Comparator>& weights);
// Evaluates weights on the rows that the run trained on. Returns one result for each; nothing if the file has changed
// since, or the run must end now.
std::vector<MarginBuckets::Counted> read_again(const Run& run, const RowsTaken& taken,
                                               const std::vector<Comparator>& weights);

}  // namespace halfspace::training
