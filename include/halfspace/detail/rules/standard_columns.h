// Standardizes columns of numbers that most rows have, with means and standard deviations updated online.
//
//   trial    the first 64 rows are unchanged. A feature that more than half of them have, and that seldom has the same
//            value twice in succession, is standardized from then on. No feature is standardized if such columns are
//            less than a quarter of a row's values, as in text
//   z        (x - centre) / scale, clipped to [-4, 4]; x is 0 in rows without the feature
//   periods  centre and scale are those of the previous period's rows. A period ends when the number of training rows
//            reaches a power of two: it is as long as all periods before it
//
// So an outlier counts as 4 and distorts centre and scale for one period at most, in which the column is almost
// constant. When a period ends, changes() gives z = ratio z' + offset, so that a linear function of z can be kept the
// same. Sparse features are unchanged, and so are columns of few distinct values, whose rare ones may be informative.
//
// A column times a power of two changes no z. Cost: O(standardized columns + stored values) a row, nothing where there
// are none.
//
// Thread-safety: one thread. Ownership: value type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "halfspace/detail/base/domain.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

class StandardColumns {
 public:
  static constexpr std::uint64_t trial = 64;
  static constexpr double clip = 4;

  struct Column {
    std::uint32_t feature = 0;
    double centre = 0, scale = 1, inverse = 1;
    double mean = 0, squares = 0;  // of z in this period, squares about the mean
  };
  // The change of a period: z before is ratio z + offset now.
  struct Change {
    std::uint32_t feature = 0;
    double ratio = 1, offset = 0;
    bool first = false;  // "before" is the feature's value
  };

  // `wanted`: false where no column is standardized, for example without a bias to absorb the centres.
  explicit StandardColumns(bool wanted) : wanted_(wanted) {}

  bool none() const noexcept { return columns_.empty(); }
  std::span<const Column> columns() const noexcept { return columns_; }

  // Returns the row with its columns standardized; valid until the next row.
  template <class Value, bool dense>
  Example<double, false> measure(const Example<Value, dense>& x) const {
    if (value_.size() < columns_.size() + x.size) make_room(columns_.size() + x.size);
    std::copy(absent_.begin(), absent_.end(), raw_.begin());
    std::size_t next = columns_.size();
    for (std::uint32_t i = 0; i < x.size; ++i) {
      const std::uint32_t feature = x.index[i];
      if (is_column(feature)) {
        const std::uint32_t slot = slot_[feature];
        raw_[slot] = (x.value_at(i) - columns_[slot].centre) * columns_[slot].inverse;
      } else {
        index_[next] = feature;
        value_[next++] = x.value_at(i);
      }
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) value_[c] = std::clamp(raw_[c], -clip, clip);
    return {index_.data(), value_.data(), static_cast<std::uint32_t>(next), x.label, x.weight, 0.0, x.row};
  }

  // Counts a training row, the one measured last if there are columns. Returns true if it ends a period: apply
  // changes() before the next row.
  template <class Value, bool dense>
  bool learn(const Example<Value, dense>& x) {
    if (!wanted_) return false;
    if (rows_ < trial) {
      for (std::uint32_t i = 0; i < x.size; ++i) try_value(x.index[i], x.value_at(i));
    } else {
      if (columns_.empty()) return false;
      gather();
    }
    ++rows_;
    if (rows_ < trial || (rows_ & (rows_ - 1)) != 0) return false;
    rows_ == trial ? end_trial() : end_period();
    return !columns_.empty();
  }
  std::span<const Change> changes() const noexcept { return changes_; }

  // The state: one number, and five a feature.
  static constexpr std::size_t numbers_each = 5;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("rows in columns", self.rows_, domain::count(0));
  }
  void save(std::uint32_t feature, double* numbers) const;
  // Restores the state after `fields`: every feature in ascending order, then restored(). Throws Error(data) for an
  // invalid one.
  void restore(std::uint32_t feature, const double* numbers);
  void restored() { note_columns(); }

 private:
  struct Trial {
    double rows = 0, mean = 0, squares = 0, last = 0, repeated = 0;
  };

  bool is_column(std::uint32_t feature) const noexcept {
    return feature / 64 < is_column_.size() && (is_column_[feature / 64] >> (feature % 64) & 1) != 0;
  }
  void try_value(std::uint32_t feature, double value);
  void gather();
  void end_trial();
  void end_period();
  void add_column(const Column& column);
  void note_columns();
  void make_room(std::size_t values) const;

  bool wanted_;
  std::uint64_t rows_ = 0;  // counted no further than the trial where there are no columns
  std::unordered_map<std::uint32_t, Trial> tried_;
  std::vector<Column> columns_;  // by feature
  std::vector<double> absent_;   // z of 0
  std::vector<std::uint64_t> is_column_;
  std::vector<std::uint32_t> slot_;
  std::vector<Change> changes_;
  mutable std::vector<std::uint32_t> index_;
  mutable std::vector<double> raw_, value_;  // z before it is clipped, and the row
};

}  // namespace halfspace
