// Some rows of a text that exceeds the memory, as exact decimals.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/exact/points.h"
#include "proof/verify/exact_reader.h"

namespace halfspace::proof {

struct KeptRow {
  struct Number {
    std::uint32_t coordinate;
    std::int32_t exponent;
    std::int64_t mantissa;
  };
  RowPosition position;
  std::int32_t klass = 0;
  std::vector<Number> numbers;
  std::vector<std::pair<std::uint32_t, Decimal>> long_numbers;

  KeptRow() = default;
  KeptRow(const ExactRow& exact, std::uint32_t source, std::int32_t row_class);
};

// Estimates what a row takes, here and in a search; `rivals`: of many classes, how many points it makes.
std::uint64_t bytes_in_search(const KeptRow& row, std::uint32_t rivals);

// Draws rows evenly from a stream, each class by itself (reservoir sampling).
class RowSample {
 public:
  // `bytes`: of all rows; `most` rows, as many of each class. `source`: where the rows are from; each has its own draws.
  RowSample(std::uint64_t bytes, std::size_t most, std::size_t classes, std::uint32_t rivals, std::uint32_t source);
  void offer(const ExactRow& row, std::int32_t klass);
  std::vector<KeptRow> take();

 private:
  struct OfClass {
    std::vector<KeptRow> rows;
    std::uint64_t bytes = 0, seen = 0;
    std::size_t most = 0;
  };
  std::vector<OfClass> classes_;
  std::uint64_t bytes_;
  std::uint32_t rivals_, source_;
  std::mt19937_64 draws_;
};

// A row and its agreement with a separator, as RowScorer::add() returns it.
struct RatedRow {
  double agreement = 0;
  KeptRow row;
};

// The rows with the least agreements of a pass, or of passes over parts of the data.
class WorstRows {
 public:
  WorstRows(std::uint64_t bytes, std::size_t most, std::uint32_t rivals);
  void offer(double agreement, const ExactRow& row, std::uint32_t source, std::int32_t klass);
  void offer(RatedRow row);
  std::vector<RatedRow> take();

 private:
  struct Entry {
    std::uint64_t bytes;
    RatedRow row;
  };
  bool refuses(double agreement) const;

  std::vector<Entry> heap_;  // the best of the worst first
  std::uint64_t limit_, bytes_ = 0;
  std::size_t most_;
  std::uint32_t rivals_;
};

class WorkingSet {
 public:
  explicit WorkingSet(std::uint32_t rivals) : rivals_(rivals) {}
  // Adds rows that the set does not have.
  void add(std::vector<KeptRow> rows);
  // Keeps only the rows at these positions, ascending.
  void keep(const std::vector<std::uint32_t>& positions);
  std::size_t size() const noexcept { return rows_.size(); }
  std::uint64_t bytes() const noexcept { return bytes_; }
  // Throws GaveUp if the points exceed their memory. Point i is row i of the set, in the order of the text.
  std::unique_ptr<Points> points(std::uint32_t features, const RowsOptions& memory) const;

 private:
  std::vector<KeptRow> rows_;
  std::uint64_t bytes_ = 0;
  std::uint32_t rivals_;
};

}  // namespace halfspace::proof
