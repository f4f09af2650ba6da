// All rows of the data as exact integers, coordinate by coordinate scaled by a power of ten.
//
// The coordinates are the features that occur, in their order: what the data leave out takes no room. Coordinate j of a
// row is integer(j) * 10^-places(j). Scaling a coordinate changes neither separability nor witnesses,
// so everything but margins is asked of the integers. The integers are kept as doubles in Rows, which the float search
// reads; those beyond 2^53 are kept whole beside them.
//
// Thread-safety: after finish() any number of threads may read. Ownership: owns everything.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/rows.h"

namespace halfspace::proof {

class Points {
 public:
  explicit Points(RowsOptions memory) : rows_(std::move(memory)) {}

  // Adding: entries of the row, then end_row. Entries are not 0; features are distinct.
  void add(std::uint32_t feature, std::int64_t mantissa, std::int32_t exponent);
  void add(std::uint32_t feature, const mpz_class& mantissa, std::int32_t exponent);
  void end_row(std::uint32_t source, std::uint64_t row, std::int32_t klass);
  // Chooses the coordinates, and the powers of ten. `features`: of the data, more than any that was added. Throws Error(data) when they would make the integers senselessly long.
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
  std::uint64_t bytes() const noexcept { return rows_.bytes() + klass_.size() * 16; }

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
  Rows rows_;
  void choose_coordinates();
  void choose_places();

  // mantissa * 10^exponent, until finish(). A mantissa beyond 64 bits is the position of its number in `long_`.
  struct Entry {
    std::uint32_t coordinate;  // the feature, until the coordinates are chosen
    std::int32_t coded;        // 2 * exponent, and 1 more where the mantissa is long
    std::int64_t mantissa;
    std::int32_t exponent() const { return coded >> 1; }
    bool is_long() const { return (coded & 1) != 0; }
  };
  std::vector<Entry> entries_;
  std::vector<mpz_class> long_;
  std::vector<std::uint64_t> ends_;
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
