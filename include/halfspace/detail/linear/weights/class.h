// Multiclass weights, one vector a class, and their scores.
//
// Thread-safety: value types; concurrent reads are safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "halfspace/detail/linear/weights/plain.h"

namespace halfspace {

// Sets scores[k] = <w_k, x> for every class.
template <class Value, bool dense>
void score_classes(const ClassWeightVector& v, BiasOptions bias, const Example<Value, dense>& x, double* scores) {
  const std::uint32_t classes = v.classes;
  for (std::uint32_t k = 0; k < classes; ++k) scores[k] = bias.position == Bias::first ? v.bias[k] * bias.scale : 0.0;
  kernels::score_classes(scores, classes, v.w.data(), x);
  if (bias.position == Bias::last) {
    for (std::uint32_t k = 0; k < classes; ++k) scores[k] = std::fma(v.bias[k], bias.scale, scores[k]);
  }
}

class ClassWeights {
 public:
  using Point = ClassWeightVector;

  ClassWeights() = default;
  ClassWeights(BiasOptions bias, std::uint32_t classes, Start start = {}) : bias_(bias), start_(start) {
    vector_.classes = classes;
    vector_.bias.assign(classes, 0.0);
  }

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t classes() const noexcept { return vector_.classes; }
  std::uint32_t features() const noexcept {
    return vector_.classes == 0 ? 0 : static_cast<std::uint32_t>(vector_.w.size() / vector_.classes);
  }
  void grow(std::uint32_t features) { grow(vector_, features); }
  void extend(ClassWeightVector& earlier) const { grow(earlier, features()); }

  template <class Value, bool dense>
  void move(double amount, const Example<Value, dense>& x, Moved moved) {
    add(amount, x, moved.raised);
    add(-amount, x, moved.lowered);
  }

  // Returns these weights before their first step, without features.
  ClassWeights at_start() const { return ClassWeights(bias_, vector_.classes, start_); }
  // Returns weights of the same shape that are 0, whatever the start weights.
  ClassWeights zero() const { return ClassWeights(bias_, vector_.classes); }

  const ClassWeightVector& vector() const noexcept { return vector_; }
  ClassWeightVector& vector() noexcept { return vector_; }
  const ClassWeightVector& point() const noexcept { return vector_; }
  const ClassWeightVector& stored() const noexcept { return vector_; }
  void restore(ClassWeightVector stored) { vector_ = std::move(stored); }
  void retrace(const VoteStep& step, const Example<double, false>& x) { move(step.amount, x, step.moved); }

 private:
  void grow(ClassWeightVector& vector, std::uint32_t features) const {
    const std::size_t old = vector.w.size();
    vector.grow(features);
    if (!start_.small) return;
    for (std::size_t i = old; i < vector.w.size(); ++i) vector.w[i] = start_.weight(i);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x, std::uint32_t k) {
    for (std::uint32_t i = 0; i < x.size; ++i) {
      double& weight = vector_.w[static_cast<std::size_t>(x.index[i]) * vector_.classes + k];
      weight = std::fma(amount, x.value_at(i), weight);
    }
    if (bias_.position != Bias::none) vector_.bias[k] = std::fma(amount, bias_.scale, vector_.bias[k]);
  }

  BiasOptions bias_;
  Start start_;
  ClassWeightVector vector_;
};

// Returns the class with the highest score; the lowest such class.
inline std::int32_t highest(const double* scores, std::uint32_t classes) {
  return static_cast<std::int32_t>(std::max_element(scores, scores + classes) - scores);
}

}  // namespace halfspace
