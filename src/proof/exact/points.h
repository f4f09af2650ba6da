// All rows of the data as exact integers, coordinate by coordinate scaled by a power of ten.
//
// The coordinates are the features that occur, in their order: other features take no memory. Coordinate j of a row is
// integer(j) * 10^-places(j). Scaling a coordinate changes neither separability nor witnesses, so everything but
// margins is computed on the integers. The integers are stored as doubles in Rows, which the float search reads; those
// beyond 2^53 are also stored exactly.
//
// Memory: the rows are in Rows, which keep what fits into memory and write the rest to a temporary file. The scale of
// each coordinate is known only after all rows were seen: until then rows are buffered as read. If the buffer grows too
// large, rows are only measured, and must be added a second time.
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

  // Adds the entries of a row; end_row() ends it. Entries are not 0; features are distinct. Throws GaveUp if the
  // numbers exceed the memory.
  void add(std::uint32_t feature, std::int64_t mantissa, std::int32_t exponent);
  void add(std::uint32_t feature, const mpz_class& mantissa, std::int32_t exponent);
  void end_row(std::uint32_t source, std::uint64_t row, std::int32_t klass);
  // Returns true if the rows were only measured: then call begin_again() and add the same rows again.
  bool outgrown() const noexcept { return stage_ == Stage::measuring; }
  // `features`: of the data, more than any that was added. Both throw Error(data) if a coordinate's powers of ten are
  // too far apart, and GaveUp if memory is exceeded.
  void begin_again(std::uint32_t features);
  // Chooses the coordinates and the powers of ten. Throws Error(data) if the rows of the second time differ.
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
  // Returns the memory of the points in bytes.
  std::uint64_t bytes() const noexcept { return bytes_; }

  // Bounds for sums in 128 bits: bits of the largest integer in the rows that each_small() visits, and values of the
  // longest row.
  int largest_bits() const noexcept { return largest_bits_; }
  std::size_t longest_row() const noexcept { return longest_row_; }

  // Calls f(coordinate, mpz_class const&) for each value of row i, exactly.
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
  // Calls f with 64-bit integers; returns false, without a call, for a row that does not fit.
  template <class F>
  bool each_small(std::size_t i, F&& f) const {
    if (!big_.empty() && big_.count(i) != 0) return false;
    rows_.with_row(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) f(x.index[k], static_cast<std::int64_t>(x.value_at(k)));
    });
    return true;
  }

 private:
  enum class Stage : std::uint8_t { collecting, measuring, storing };

  // mantissa * 10^exponent. A mantissa beyond 64 bits is the position of its number in `long_`.
  struct Entry {
    std::uint32_t coordinate;  // the feature, until the row is stored
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
  void store_row(std::uint64_t begin, std::uint64_t end);
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
  std::size_t stored_ = 0;
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
