// Mistakes in dual form, and the three ways to keep to a budget.
#include "halfspace/detail/rules/kernel_perceptron.h"

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

// Less than this share of |k(x, .)|^2 left out of a projection is rounding, not a direction.
constexpr double kNothing = 0x1p-40;

}  // namespace

KernelPerceptron::KernelPerceptron(const KernelOptions& options, BiasOptions bias, Tie tie, bool averages,
                                   std::uint64_t seed)
    : options_(options),
      tie_(tie),
      averages_(averages),
      expansion_(options.kernel, bias),
      draws_(~seed) {}  // independent of the order's draws

Outcome KernelPerceptron::predict_row(const KernelRow& x, double sign, double weight, std::uint64_t row) const {
  Outcome outcome;
  outcome.score = expansion_.score(x, values_);
  if (!std::isfinite(outcome.score)) [[unlikely]]
    throw_overflow(row);
  outcome.margin = sign * outcome.score;
  outcome.mistake = weight > 0 && is_mistake(tie_, sign, outcome.score);
  outcome.step = outcome.mistake ? weight : 0.0;
  outcome.updated = outcome.step != 0;
  outcome.predicted = predicts_positive(tie_, outcome.score);
  outcome.error = weight > 0 && (outcome.predicted == 1) != (sign > 0);
  return outcome;
}

void KernelPerceptron::learn(const KernelRow& x, double amount) {
  squared_length_ += amount * (2 * expansion_.sum(values_) + amount * expansion_.self(x.squared_norm));
  if (!options_.budget) {
    const auto known = expansion_.find(x);
    return known ? move(*known, amount) : append(x, amount);
  }
  ++updates_;
  radius_squared_ = std::max(radius_squared_, expansion_.self(x.squared_norm));
  switch (options_.eviction) {
    case Eviction::projectron:
      return project(x, amount);
    case Eviction::forgetron:
      return full() ? forget_oldest(x, amount) : append(x, amount);
    case Eviction::random:
      // Of a row under both labels there are two: coefficients count the mistakes of one label.
      if (const auto known = expansion_.find(x, amount)) return move(*known, amount);
      return full() ? forget_any(x, amount) : append(x, amount);
  }
}

void KernelPerceptron::append(const KernelRow& x, double amount) {
  expansion_.append(x, amount);
  if (averages_) lag_.push_back(amount * static_cast<double>(finished_));
}

void KernelPerceptron::move(std::size_t i, double amount) {
  expansion_.coefficients()[i] += amount;
  if (averages_) lag_[i] += amount * static_cast<double>(finished_);
}

void KernelPerceptron::forget_any(const KernelRow& x, double amount) {
  const auto i = static_cast<std::size_t>(pick(draws_, expansion_.size()));
  const KernelRow gone = expansion_.row(i);
  const double coefficient = expansion_.coefficients()[i];
  const double lambda = std::abs(coefficient);
  const double score = expansion_.score(gone, others_) + amount * values_[i];  // x is already included
  const double margin = coefficient > 0 ? score : -score;
  forgotten_.removed += 1;
  forgotten_.amounts += lambda;
  forgotten_.damage += lambda * (lambda * expansion_.self(gone.squared_norm) - 2 * margin);
  squared_length_ += coefficient * (coefficient * expansion_.self(gone.squared_norm) - 2 * score);
  expansion_.replace(i, x, amount);
}

void KernelPerceptron::forget_oldest(const KernelRow& x, double amount) {
  const std::size_t i = oldest_;
  const KernelRow gone = expansion_.row(i);
  const double coefficient = expansion_.coefficients()[i];
  const double sigma = std::abs(coefficient);
  const double score = expansion_.score(gone, others_) + amount * values_[i];  // x is already included
  const double margin = coefficient > 0 ? score : -score;
  const double self = expansion_.self(gone.squared_norm);
  // The largest phi <= 1 with a phi^2 + b phi <= allowed, by the root that keeps its digits.
  const double a = sigma * (sigma * self - 2 * margin) / radius_squared_;
  const double b = 2 * sigma;
  const double allowed = std::max(0.0, 15.0 / 32.0 * updates_ - control_);
  double phi = 1;
  if (radius_squared_ > 0 && a + b > allowed) {
    phi = std::min(1.0, 2 * allowed / (b + std::sqrt(std::max(0.0, b * b + 4 * a * allowed))));
  }
  const double lambda = phi * sigma;
  control_ += radius_squared_ > 0 ? phi * (a * phi + b) : 0.0;
  forgotten_.removed += 1;
  forgotten_.amounts += lambda;
  forgotten_.damage += lambda * (lambda * self - 2 * phi * margin);
  forgotten_.shrinking += (1 - phi) / (1 + phi);
  squared_length_ = phi * phi * (squared_length_ + coefficient * (coefficient * self - 2 * score));
  for (double& other : expansion_.coefficients()) other *= phi;
  expansion_.replace(i, x, phi * amount);
  oldest_ = (i + 1) % expansion_.size();
}

void KernelPerceptron::project(const KernelRow& x, double amount) {
  const double self = expansion_.self(x.squared_norm);
  factor_.forward(values_, inner_);
  double left = self;
  for (const double z : inner_) left -= z * z;
  const double least = std::max(options_.residual * options_.residual, kNothing) * self;
  if (!full() && left > least) {
    factor_.append(inner_, std::sqrt(left));
    return append(x, amount);
  }
  factor_.backward(inner_, projection_);
  double size = 1;  // |x - projection| <= its coefficients' sum of absolute values times the radius
  for (std::size_t i = 0; i < projection_.size(); ++i) {
    size += std::abs(projection_[i]);
    move(i, amount * projection_[i]);
  }
  squared_length_ -= amount * amount * left;
  // The substitutions are off by some ulp of what they add up.
  const double slack = (static_cast<double>(projection_.size()) + 8) * 0x1p-48 * size * size * radius_squared_;
  forgotten_.removed += 1;
  forgotten_.amounts += std::abs(amount) * size;
  forgotten_.residuals += std::abs(amount) * std::sqrt(std::max(left, 0.0) + slack);
}

KernelExpansion KernelPerceptron::result_function() const {
  return expansion_of(options_.kernel, expansion_.bias(), support(), finished_);
}

LearnerState KernelPerceptron::save() const {
  LearnerState state;
  state.finished = finished_;
  state.weights = flat(WeightVector{});
  state.kernel = support();
  return state;
}

void KernelPerceptron::restore(const LearnerState& state) {
  restore_support(state.kernel);
  finished_ = state.finished;
}

StateShape KernelPerceptron::state_shape() const {
  StateShape shape;
  shape.support_vectors = true;
  shape.lag = false;
  return shape;
}

KernelState KernelPerceptron::support() const {
  KernelState state;
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    const KernelRow x = expansion_.row(i);
    state.begin.push_back(state.index.size());
    state.index.insert(state.index.end(), x.index, x.index + x.size);
    state.value.insert(state.value.end(), x.value, x.value + x.size);
  }
  state.coefficient = expansion_.coefficients();
  state.lag = lag_;
  if (options_.budget) {
    state.numbers = {updates_,          static_cast<double>(oldest_), radius_squared_,
                     control_,          forgotten_.removed,           forgotten_.amounts,
                     forgotten_.damage, forgotten_.shrinking,         forgotten_.residuals};
    state.draws = draws_.state();
  }
  return state;
}

void KernelPerceptron::restore_support(const KernelState& state) {
  if (state.lag.size() != (averages_ ? state.coefficient.size() : 0))
    refuse_state("the average has a lag a support vector");
  if (state.numbers.size() != (options_.budget ? kKernelNumbers : 0)) refuse_state("a budget has nine numbers");
  if (options_.budget && state.coefficient.size() > *options_.budget)
    refuse_state("more support vectors than the budget");
  KernelState last = state;
  last.lag.clear();
  expansion_ = expansion_of(options_.kernel, expansion_.bias(), last, 0);
  lag_ = state.lag;
  squared_length_ = 0;
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    squared_length_ += expansion_.coefficients()[i] * expansion_.score(expansion_.row(i), others_);
  }
  if (!options_.budget) return;
  updates_ = state.numbers[0];
  if (!(state.numbers[1] >= 0 && state.numbers[1] <= static_cast<double>(expansion_.size())))
    refuse_state("no such place");
  oldest_ = static_cast<std::size_t>(state.numbers[1]);
  if (oldest_ == expansion_.size()) oldest_ = 0;
  radius_squared_ = state.numbers[2];
  control_ = state.numbers[3];
  forgotten_ = forgotten_in(state);
  draws_.restore(state.draws);
  // The factor follows from the support vectors, bit for bit: each was appended to those before it.
  factor_ = {};
  if (options_.eviction != Eviction::projectron) return;
  KernelExpansion before(options_.kernel, expansion_.bias());
  for (std::size_t i = 0; i < expansion_.size(); ++i) {
    const KernelRow x = expansion_.row(i);
    before.values(x, values_);
    factor_.forward(values_, inner_);
    double left = expansion_.self(x.squared_norm);
    for (const double z : inner_) left -= z * z;
    if (!(left > 0)) refuse_state("a support vector lies in the span of those before it");
    factor_.append(inner_, std::sqrt(left));
    before.append(x, 0);
  }
}

Forgotten forgotten_in(const KernelState& state) {
  if (state.numbers.size() != kKernelNumbers) return {};
  return {state.numbers[4], state.numbers[5], state.numbers[6], state.numbers[7], state.numbers[8]};
}

}  // namespace halfspace
