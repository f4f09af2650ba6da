// A function in the space of a kernel, in dual form: f(x) = sum of coefficient_i k(x_i, x) over its support vectors
// x_i.
//
// The rows are stored twice: row by row, and by feature: for feature j the support vectors that have it, with their
// values. The inner products of x with all of them are then, feature by feature of x, scaled additions (kernels.h):
// over a list of positions if the feature is rare, else over a dense column. Each inner product is one chain of fused
// products in the order of x's features in either case, so it has the same bits.
//
// Cost: values(x) takes O(sum over the features of x of the support vectors that have it) and one kernel value for each
// support vector; append and replace as much at most. Memory: about 24 bytes for each stored value of a support vector,
// and about 100 for each feature that one of them has.
//
// Invariants: indices of a row are distinct; values are finite; a support vector stays at its position.
// Thread-safety: concurrent reads are safe, each with its own scratch.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/linear/kernel_function.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

// A row of any storage. Its label, weight and row number are not used.
using KernelRow = Example<double, false>;

// Returns x as such a row: itself, or copied to `values`.
template <class Value, bool dense>
KernelRow kernel_row(const Example<Value, dense>& x, std::vector<double>& values) {
  const double* own = nullptr;
  if constexpr (std::is_same_v<Value, double>) {
    own = x.value;
  } else {
    values.resize(x.size);
    for (std::uint32_t i = 0; i < x.size; ++i) values[i] = x.value_at(i);
    own = values.data();
  }
  return {x.index, own, x.size, x.label, x.weight, x.squared_norm, x.row};
}

class KernelExpansion {
 public:
  KernelExpansion() = default;
  KernelExpansion(Kernel kernel, BiasOptions bias) : kernel_(kernel), bias_(bias) {}

  const Kernel& kernel() const noexcept { return kernel_; }
  const BiasOptions& bias() const noexcept { return bias_; }
  std::size_t size() const noexcept { return rows_.size(); }  // support vectors
  KernelRow row(std::size_t i) const;
  const std::vector<double>& coefficients() const noexcept { return coefficients_; }
  std::vector<double>& coefficients() noexcept { return coefficients_; }

  // Returns k(x, x), bias coordinate included.
  double self(double squared_norm) const { return kernel_.self(squared_norm) + bias_.squared(); }
  // Sets values[i] = k(x_i, x), bias coordinate included. x.squared_norm must be that of its values.
  void values(const KernelRow& x, std::vector<double>& values) const;
  // Returns f(x), given the values of x; sums in 8 lanes (kernels.h).
  double sum(const std::vector<double>& values) const;
  // Returns f(x); `scratch` receives the values of x.
  double score(const KernelRow& x, std::vector<double>& scratch) const {
    values(x, scratch);
    return sum(scratch);
  }

  // Returns the position of a support vector equal to x: any, or (sign not 0) one whose coefficient has this sign.
  std::optional<std::size_t> find(const KernelRow& x, double sign = 0) const;
  void append(const KernelRow& x, double coefficient);
  // Replaces support vector i by x.
  void replace(std::size_t i, const KernelRow& x, double coefficient);

 private:
  struct Row {
    std::vector<std::uint32_t> index;
    std::vector<double> value;
    double squared_norm = 0;
  };
  // The support vectors that have a feature: their positions and values, or (dense) a value for each support vector.
  struct Column {
    std::vector<std::uint32_t> position;
    std::vector<double> value;
    bool dense = false;
  };

  void enter(std::size_t i);
  void leave(std::size_t i);

  Kernel kernel_;
  BiasOptions bias_;
  std::vector<Row> rows_;
  std::vector<double> coefficients_, squared_norms_;
  std::unordered_map<std::uint32_t, std::uint32_t> column_of_;  // feature to index of its column
  std::vector<Column> columns_;
  std::vector<std::uint32_t> dense_;                                 // indices of dense columns
  std::unordered_multimap<std::uint64_t, std::uint32_t> positions_;  // by the digest of the row
};

// Returns the support vectors of a state with the coefficients of the result: the mean over `finished` rounds if it has
// a lag. Throws Error(data) if its parts do not match.
KernelExpansion expansion_of(const Kernel& kernel, BiasOptions bias, const KernelState& state, std::uint64_t finished);

}  // namespace halfspace
