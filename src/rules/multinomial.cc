// Steps of the multinomial logistic learner, and its state.
#include "halfspace/detail/rules/multinomial.h"

#include "halfspace/linear/linear.h"

namespace halfspace {

void Multinomial::grow(std::uint32_t features) {
  if (features <= this->features()) return;
  vector_.grow(features);
  largest_.resize(features, 0.0);
  squares_.resize(std::size_t{features} * vector_.classes, 0.0);
}

double Multinomial::widen(std::size_t j, double value) {
  const double size = std::abs(value);
  if (size == 0) return 0;
  if (size > largest_[j]) {
    const double ratio = largest_[j] / size;
    for (std::size_t k = 0; k < vector_.classes; ++k) {
      vector_.w[j * vector_.classes + k] *= ratio;
      squares_[j * vector_.classes + k] *= ratio * ratio;
    }
    largest_[j] = size;
  }
  return (size / largest_[j]) * (size / largest_[j]);
}

void Multinomial::step(double* weights, double* squares, double value, double unit, double along, double count) const {
  const double r = value / unit;
  for (std::size_t k = 0; k < vector_.classes; ++k) {
    const double slope = slope_[k] * r;
    squares[k] += count * (slope * slope);
    if (squares[k] > 0) weights[k] -= along * slope / std::sqrt(squares[k]) / unit;
  }
}

StateShape Multinomial::state_shape() const {
  StateShape shape;
  NumberNames names(shape.numbers);
  fields(*this, names);
  shape.moments_each = 1 + vector_.classes;
  shape.moments_not_negative = true;
  return shape;
}

LearnerState Multinomial::save() const {
  LearnerState state;
  state.finished = finished_;
  state.weights = vector_;
  NumberWriter numbers(state.numbers);
  fields(*this, numbers);
  const auto append = [&](double unit, const double* squares) {
    state.moments.push_back(unit);
    state.moments.insert(state.moments.end(), squares, squares + vector_.classes);
  };
  for (std::size_t j = 0; j < largest_.size(); ++j) append(largest_[j], squares_.data() + j * vector_.classes);
  if (biased()) append(std::abs(bias_.scale), bias_squares_.data());
  return state;
}

void Multinomial::restore(const LearnerState& state) {
  ClassWeightVector stored = vector_;
  unflatten(state.weights, stored);
  NumberReader numbers(state.numbers);
  fields(*this, numbers);
  numbers.finish();
  finished_ = state.finished;
  const std::size_t classes = vector_.classes, features = stored.w.size() / classes;
  if (state.moments.size() != (features + (biased() ? 1 : 0)) * (classes + 1))
    refuse_state("the number of moments does not match the weights");
  grow(static_cast<std::uint32_t>(features));
  vector_ = std::move(stored);
  const double* at = state.moments.data();
  for (std::size_t j = 0; j < features; ++j, at += classes + 1) {
    largest_[j] = *at;
    std::copy_n(at + 1, classes, squares_.data() + j * classes);
  }
  if (biased()) std::copy_n(at + 1, classes, bias_squares_.data());
}

}  // namespace halfspace
