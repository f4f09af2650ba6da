// Winnow's weights: a row multiplies those of its features up or down, whatever its values; the bias is a threshold.
//
// The threshold is stored as the bias of the weights: a score is the sum minus the threshold. Its default is half the
// number of features seen so far, at least 1, and grows with them. Rejects rows with values other than 0 and 1.
//
// Thread-safety: value types; concurrent reads are safe.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/linear/linear.h"

namespace halfspace {

// The effect of a negative row, predicted positive, on its weights.
enum class Fall : std::uint8_t { eliminate, demote };

class WinnowWeights {
 public:
  using Point = WeightVector;

  // Creates the start weights; no threshold: half the number of features.
  WinnowWeights(BiasOptions bias, Fall fall, double alpha, std::optional<double> threshold);

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(vector_.w.size()); }
  void grow(std::uint32_t features);
  // Adds missing features at their start weight; the threshold is the current one.
  void extend(WeightVector& earlier) const;

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    for (std::uint32_t i = 0; i < x.size; ++i) {
      if (x.value_at(i) != 1 && x.value_at(i) != 0) [[unlikely]]
        refuse(x.row, x.value_at(i));
    }
    return halfspace::score(vector_, bias_, x);
  }

  // Promotes or demotes; the sign of `amount` is that of the row's label.
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    for (std::uint32_t i = 0; i < x.size; ++i) {
      if (x.value_at(i) == 0) continue;
      move(vector_.w[x.index[i]], amount > 0);
      if (!(vector_.w[x.index[i]] <= std::numeric_limits<double>::max())) [[unlikely]]
        throw_overflow(x.row);
    }
  }

  // Adds the features of the row. The threshold is not averaged: the result has the current one.
  template <class Value, bool dense>
  void accumulate(const Example<Value, dense>& x, double factor, WeightVector& sum) const {
    sum.grow(features());
    for (std::uint32_t i = 0; i < x.size; ++i) sum.w[x.index[i]] += factor * vector_.w[x.index[i]];
  }

  const WeightVector& point() const noexcept { return vector_; }
  double threshold() const noexcept { return -vector_.bias; }

  // Returns the weights, and (fields) the sum of (features that appeared) / (threshold then).
  const WeightVector& stored() const noexcept { return vector_; }
  // Throws Error(data) for a threshold that is not positive.
  void restore(WeightVector w);
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("appeared", self.appeared_, domain::not_negative);
  }

 private:
  [[noreturn]] static void refuse(std::uint64_t row, double value);
  void move(double& weight, bool up) const;

  BiasOptions bias_;
  Fall fall_;
  double alpha_;
  std::optional<double> fixed_;
  WeightVector vector_;
  double appeared_ = 0;
};

}  // namespace halfspace
