// All rows of the data as exact integers, coordinate by coordinate scaled by a power of ten.
//
// The coordinates are the features that occur, in their order: what the data leave out takes no room. Coordinate j of a
// row is integer(j) * 10^-places(j). Scaling a coordinate changes neither separability nor witnesses,
// so everything but margins is asked of the integers. The integers are kept as doubles in Rows, which the float search
// reads; those beyond 2^53 are kept whole separately.
//
// Memory: the rows are in Rows, which keep what the memory allows and the rest in a temporary file. How far each
// coordinate has to be scaled is known once all rows were seen: until then they wait as they were read, and where they
// take too much room for that they are only measured, and have to be added a second time.
//
// Thread-safety: after finish() any number of threads may read. Ownership: owns everything.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/rows.h"

namespace halfspace::proof {

class Points {
 public:
  // `memory`: for the points and the data of a search together.
  explicit Points(RowsOptions memory) : memory_(std::move(memory)) {}

  // Adding: entries of the row, then end_row. Entries are not 0; features are distinct. Throws GaveUp where the numbers
  // outgrow the memory.
  void add(std::uint32_t feature, std::int64_t mantissa, std::int32_t exponent);
  void add(std::uint32_t feature, const mpz_class& mantissa, std::int32_t exponent);
  void end_row(std::uint32_t source, std::uint64_t row, std::int32_t klass);
  // Returns true if the rows were only measured: then begin_again(), and the same rows once more.
  bool outgrown() const noexcept { return stage_ == Stage::measuring; }
  // `features`: of the data, more than any that was added. Both throw Error(data) where the powers of ten would make
  // the integers senselessly long, and GaveUp where there is no room.
  void begin_again(std::uint32_t features);
  // Chooses the coordinates, and the powers of ten. Throws Error(data) when other rows came the second time, too.
  void finish(std::uint32_t features);

  std::size_t size() const noexcept { return klass_.size(); }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(feature_.size()); }  // that occur
  std::uint32_t feature(std::uint32_t j) const { return feature_[j]; }                             // of the data
  std::uint32_t features_of_data() const noexcept { return features_of_data_; }
  const Rows& rows() const noexcept { return rows_; }
  std::int32_t klass(std::size_t i) const { return klass_[i]; }
  std::uint32_t source(std::size_t i) const { return source_[i]; }
  std::uint64_t row(std::size_t i) const { return row_[i]; }
  std::int32_t places(std::uint32_t j) const { return places_[j]; }
  // Returns what the points take of the memory.
  std::uint64_t bytes() const noexcept { return bytes_; }

  // Bounds for sums in 128 bits: bits of the largest integer of those rows that each_small gives, values of the longest
  // row.
  int largest_bits() const noexcept { return largest_bits_; }
  std::size_t longest_row() const noexcept { return longest_row_; }

  // Hands out the exact integers of row i: f(coordinate, mpz_class const&).
  template <class F>
  void each(std::size_t i, F&& f) const {
    const auto big = big_.find(i);
    if (big != big_.end()) {
      for (const auto& [j, value] : big->second) f(j, value);
      return;
    }
    mpz_class value;
    rows_.with_row(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if (x.value_at(k) == 0) continue;  // a block stored densely
        value = x.value_at(k);
        f(x.index[k], value);
      }
    });
  }
  // Hands them out as 64-bit integers; false, and no call, for a row that does not fit.
  template <class F>
  bool each_small(std::size_t i, F&& f) const {
    if (!big_.empty() && big_.count(i) != 0) return false;
    rows_.with_row(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) f(x.index[k], static_cast<std::int64_t>(x.value_at(k)));
    });
    return true;
  }

 private:
  enum class Stage : std::uint8_t { collecting, measuring, placing };

  // mantissa * 10^exponent. A mantissa beyond 64 bits is the position of its number in `long_`.
  struct Entry {
    std::uint32_t coordinate;  // the feature, until the row is placed
    std::int32_t coded;        // 2 * exponent, and 1 more where the mantissa is long
    std::int64_t mantissa;
    std::int32_t exponent() const { return coded >> 1; }
    bool is_long() const { return (coded & 1) != 0; }
  };
  struct Range {
    std::int32_t least, most;
  };

  void keep(const Entry& entry);
  void measure(std::uint32_t feature, std::int32_t exponent);
  void only_measure();
  void choose_coordinates(std::uint32_t features);
  void choose_places();
  void open_rows();
  void place(std::uint64_t begin, std::uint64_t end);
  void need(std::uint64_t bytes) const;
  std::uint32_t coordinate_of(std::uint32_t feature) const;

  RowsOptions memory_;
  Rows rows_;
  BlockBuffer buffer_;  // rows on their way into rows_
  Stage stage_ = Stage::collecting;
  std::deque<Entry> entries_;
  std::deque<mpz_class> long_;
  std::vector<std::uint64_t> ends_;
  std::vector<Range> range_;           // exponents of a feature, while measuring
  std::vector<std::uint64_t> occurs_;  // a bit for each feature
  std::vector<std::uint32_t> before_;  // how many occur before each 64 of them
  std::size_t placed_ = 0;
  std::uint64_t bytes_ = 0, big_bytes_ = 0;
  std::int64_t largest_ = 0;
  std::vector<std::int32_t> klass_;
  std::vector<std::uint32_t> source_;
  std::vector<std::uint64_t> row_;
  std::vector<std::int32_t> places_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint32_t, mpz_class>>> big_;
  std::vector<std::uint32_t> feature_;
  std::uint32_t features_of_data_ = 0;
  int largest_bits_ = 0;
  std::size_t longest_row_ = 0;
};

mpz_class power_of_ten(unsigned long exponent);

}  // namespace halfspace::proof
