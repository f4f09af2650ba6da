// Small data sets written down in a test, as rows, as a collection, and as blocks of a chosen storage.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/rows.h"

namespace halfspace::testing {

struct Point {
  std::vector<double> x;
  std::int32_t label = 0;  // class number; binary: 0 negative, 1 positive
  double weight = 1;
};
using Points = std::vector<Point>;

inline std::uint32_t features_of(const Points& points) {
  std::size_t features = 0;
  for (const Point& point : points) features = std::max(features, point.x.size());
  return static_cast<std::uint32_t>(features);
}

// A block of a chosen storage; owns its arrays. Sparse storage leaves zeros out.
class StoredPoints {
 public:
  StoredPoints(const Points& points, ValueType type, bool dense) {
    offset_.push_back(0);
    for (const Point& point : points) {
      for (std::size_t j = 0; j < point.x.size(); ++j) {
        if (!dense && point.x[j] == 0) continue;
        index_.push_back(static_cast<std::uint32_t>(j));
        wide_.push_back(point.x[j]);
        narrow_.push_back(static_cast<float>(point.x[j]));
      }
      const std::uint64_t begin = offset_.back();
      offset_.push_back(index_.size());
      label_.push_back(point.label);
      weight_.push_back(point.weight);
      squared_norm_.push_back(kernels::squared_norm(wide_.data() + begin, index_.size() - begin));
      row_.push_back(row_.size() + 1);
    }
    block_ = {points.size(),
              features_of(points),
              type,
              dense,
              offset_.data(),
              index_.data(),
              type == ValueType::ones      ? nullptr
              : type == ValueType::float32 ? static_cast<const void*>(narrow_.data())
                                           : static_cast<const void*>(wide_.data()),
              label_.data(),
              weight_.data(),
              squared_norm_.data(),
              row_.data()};
  }
  StoredPoints(const StoredPoints&) = delete;
  StoredPoints& operator=(const StoredPoints&) = delete;

  const Block& block() const { return block_; }

 private:
  std::vector<std::uint64_t> offset_, row_;
  std::vector<std::uint32_t> index_;
  std::vector<double> wide_, weight_, squared_norm_;
  std::vector<float> narrow_;
  std::vector<std::int32_t> label_;
  Block block_;
};

inline Rows rows_of(const Points& points) {
  Rows rows;
  rows.append(StoredPoints(points, ValueType::float64, false).block());
  rows.seal();
  return rows;
}

}  // namespace halfspace::testing
