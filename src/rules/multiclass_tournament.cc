// A round of the multiclass tournament: units, scores, the mixture, the members' steps.
#include "halfspace/detail/rules/multiclass_tournament.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/softmax.h"
#include "halfspace/detail/linear/rival.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/scw.h"
#include "halfspace/linear/linear.h"

namespace halfspace {
namespace {

constexpr double kOneDeviation = 1;
constexpr SoftConfidence<Softness::capped> kSoft{Tie::positive, kOneDeviation, 1};
constexpr double kLongest = 0x1p60;  // of a step, whatever the row's weight: sums stay finite

// Returns the value, clipped so that its square neither overflows nor underflows.
double within(double value) {
  constexpr double least = 0x1p-500, most = 0x1p500;
  return std::copysign(std::clamp(std::abs(value), least, most), value);
}

}  // namespace

MulticlassTournament::MulticlassTournament(Tie tie, BiasOptions bias, std::uint32_t classes, double validation_share)
    : tie_(tie),
      bias_(bias),
      classes_(classes),
      validation_share_(validation_share),
      bias_weights_(width()),
      bias_variance_(variances()),
      columns_(bias.position != Bias::none),
      runs_(classes),
      sums_(width()),
      row_variance_(variances()),
      standard_(width()),
      mixture_score_(classes),
      slope_(classes) {
  std::fill_n(bias_variance_.begin(), confident(), 1.0);
}

void MulticlassTournament::grow(std::uint32_t features) {
  if (features <= units_.size()) return;
  weights_.resize(width() * features);
  const std::size_t known = units_.size();
  variance_.resize(variances() * features);
  for (std::size_t j = known; j < features; ++j) std::fill_n(variance_.data() + j * variances(), confident(), 1.0);
  units_.resize(features);
}

void MulticlassTournament::make_room(std::size_t values) const {
  scaled_.resize(values);
  squared_.resize(values);
  squared_before_.resize(values);
}

void MulticlassTournament::measure(const std::uint32_t* index, std::size_t size) const {
  for (std::size_t i = 0; i < size; ++i) {
    const double x = scaled_[i] == 0 ? 0.0 : within(scaled_[i]);
    const Unit& unit = units_[index[i]];
    const double square = x * x, squares = unit.squares + square;
    scaled_[i] = squares > 0 ? x * std::sqrt((unit.count + 1) / squares) : 0.0;
    squared_[i] = scaled_[i] * scaled_[i];
    squared_before_[i] = square;
  }
}

// Computes every candidate's scores, standardised, and the mixture's.
void MulticlassTournament::score(const Measured& x) const {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  kernels::score_classes(sums_.data(), width(), weights_.data(), x);
  if (has_bias()) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += bias_weights_[i];
  }
  const double taken = rounds_ > 0 ? 1 / rounds_ : 0.0;
  const std::size_t last = members * classes_;
  for (std::size_t i = 0; i < last; ++i) sums_[last + i] = sums_[i] - taken * sums_[last + i];
  std::fill(mixture_score_.begin(), mixture_score_.end(), 0.0);
  for (std::size_t c = 0; c < candidates; ++c) {
    const double* const sums = sums_.data() + c * classes_;
    double mean = 0;
    for (std::uint32_t k = 0; k < classes_; ++k) mean += sums[k];
    mean /= classes_;
    const double scale = mixture_.root_mean_square(c), share = mixture_.share(c);
    for (std::uint32_t k = 0; k < classes_; ++k) {
      const double standard = HedgeMixture::standard(sums[k] - mean, scale);
      standard_[c * classes_ + k] = standard;
      mixture_score_[k] += share * standard;
    }
  }
  for (std::uint32_t k = 0; k < classes_; ++k) mixture_score_[k] += runs_.offset(k);
}

Outcome MulticlassTournament::outcome_of(std::int32_t label_of_row, double weight) const {
  Outcome outcome;
  compare_with_rival(mixture_score_.data(), classes_, static_cast<std::uint32_t>(label_of_row), tie_, weight, outcome);
  outcome.updated = weight > 0;
  outcome.step = weight > 0 ? 1 : 0;
  return outcome;
}

bool MulticlassTournament::learn(const Measured& x) {
  const bool validates = is_validation_row(x.row, validation_share_);
  if (validates || validation_share_ == 0 || rounds_ < early_validation)
    update_mixture(static_cast<std::uint32_t>(x.label), x.weight);
  if (validates) return false;
  for (std::uint32_t i = 0; i < x.size; ++i) {
    Unit& unit = units_[x.index[i]];
    unit.squares += squared_before_[i];
    unit.count += squared_before_[i] > 0;
  }
  std::fill(row_variance_.begin(), row_variance_.end(), 0.0);
  kernels::score_classes(row_variance_.data(), variances(), variance_.data(),
                         Measured{x.index, squared_.data(), x.size, x.label, x.weight, 0.0, x.row});
  if (has_bias()) {
    for (std::size_t i = 0; i < row_variance_.size(); ++i) row_variance_[i] += bias_variance_[i];
  }
  step_together(x);
  step_against_rest(x);
  step_perceptron(x);
  step_nag(x);
  rounds_ += 1;
  return true;
}

void MulticlassTournament::begin_period() {
  for (const StandardColumns::Change& change : columns_.changes()) {
    double* const weights = weights_.data() + change.feature * width();
    double* const variance = variance_.data() + change.feature * variances();
    Unit& unit = units_[change.feature];
    if (change.first) {
      std::fill_n(weights, width(), 0.0);
      std::fill_n(variance, variances(), 0.0);
      std::fill_n(variance, confident(), 1.0);
      unit = {};
      continue;
    }
    const double inverse = unit.count > 0 ? std::sqrt(unit.count / unit.squares) : 0.0;
    for (std::size_t i = 0; i < width(); ++i) {
      bias_weights_[i] += weights[i] * inverse * change.offset;
      weights[i] *= change.ratio;
    }
    const double grown = change.ratio * change.ratio;
    for (std::size_t i = 0; i < confident(); ++i) variance[i] = std::min(1.0, variance[i] * std::max(1.0, grown));
    for (std::size_t i = confident(); i < variances(); ++i) variance[i] /= grown;
  }
  if (!columns_.changes().empty() && columns_.changes().front().first) {
    std::fill(bias_weights_.begin(), bias_weights_.end(), 0.0);
    std::fill(bias_variance_.begin(), bias_variance_.end(), 0.0);
    std::fill_n(bias_variance_.begin(), confident(), 1.0);
  }
}

// Adds the round's losses to the candidates', before any member learns from it.
void MulticlassTournament::update_mixture(std::uint32_t label, double weight) {
  softmax(mixture_score_, 1, slope_);
  slope_[label] -= 1;
  double suffered = 0;
  for (std::uint32_t k = 0; k < classes_; ++k) suffered += slope_[k] * (mixture_score_[k] - runs_.offset(k));
  double losses[candidates] = {}, squares[candidates] = {};
  for (std::size_t c = 0; c < candidates; ++c) {
    const double* const sums = sums_.data() + c * classes_;
    double mean = 0;
    for (std::uint32_t k = 0; k < classes_; ++k) mean += sums[k];
    mean /= classes_;
    for (std::uint32_t k = 0; k < classes_; ++k) {
      losses[c] += slope_[k] * standard_[c * classes_ + k];
      squares[c] += (sums[k] - mean) * (sums[k] - mean);
    }
    losses[c] *= weight;
    squares[c] *= weight / classes_;
  }
  mixture_.update(losses, squares, weight * suffered, weight);
  runs_.update(slope_, weight);
}

void MulticlassTournament::step_together(const Measured& x) {
  const auto label = static_cast<std::uint32_t>(x.label);
  const double* const scores = sums_.data() + together * classes_;
  const double* const variance = row_variance_.data() + together * classes_;
  const std::uint32_t rival = rival_of(scores, classes_, label, tie_);
  const double v = variance[label] + variance[rival];
  const double length = kSoft.step_at(scores[label] - scores[rival], v, x.weight);
  if (!(length > 0)) return;
  const double step = std::min(length, kLongest), shrinkage = ConfidenceWeights::shrinkage(step, kOneDeviation, v);
  move(x, together, label, step, shrinkage);
  move(x, together, rival, -step, shrinkage);
}

void MulticlassTournament::step_against_rest(const Measured& x) {
  for (std::uint32_t k = 0; k < classes_; ++k) {
    const double sign = k == static_cast<std::uint32_t>(x.label) ? 1.0 : -1.0;
    const double v = row_variance_[rest * classes_ + k];
    const double length = kSoft.step_at(sign * sums_[rest * classes_ + k], v, x.weight);
    if (!(length > 0)) continue;
    const double step = std::min(length, kLongest);
    move(x, rest, k, sign * step, ConfidenceWeights::shrinkage(step, kOneDeviation, v));
  }
}

void MulticlassTournament::step_perceptron(const Measured& x) {
  const auto label = static_cast<std::uint32_t>(x.label);
  const double* const scores = sums_.data() + perceptron * classes_;
  const std::uint32_t rival = rival_of(scores, classes_, label, tie_);
  if (scores[label] > scores[rival]) return;
  const double step = std::min(x.weight, kLongest);
  move(x, perceptron, label, step, 0);
  move(x, perceptron, rival, -step, 0);
}

void MulticlassTournament::step_nag(const Measured& x) {
  const double* const scores = sums_.data() + nag * classes_;
  softmax({scores, classes_}, 1, slope_);
  slope_[static_cast<std::size_t>(x.label)] -= 1;
  double norm = has_bias();
  for (std::uint32_t i = 0; i < x.size; ++i) norm += squared_[i];
  row_squares_ += norm;
  const double d = 0.5 * std::sqrt((rounds_ + 1) / row_squares_);
  const std::size_t taken = members * classes_;
  const auto move_one = [&](double* weights, double* variance, double value) {
    for (std::uint32_t k = 0; k < classes_; ++k) {
      double& n = variance[confident() + k];
      const double g = slope_[k] * value;
      if (g == 0) continue;
      n += x.weight * g * g;
      const double step = -d * x.weight * slope_[k] * value / std::sqrt(n);
      weights[nag * classes_ + k] += step;
      weights[taken + nag * classes_ + k] += rounds_ * step;
    }
  };
  for (std::uint32_t i = 0; i < x.size; ++i) {
    const std::size_t j = x.index[i];
    move_one(weights_.data() + j * width(), variance_.data() + j * variances(), x.value[i]);
  }
  if (has_bias()) move_one(bias_weights_.data(), bias_variance_.data(), 1);
}

void MulticlassTournament::move(const Measured& x, std::size_t member, std::uint32_t k, double amount,
                                double shrinkage) {
  const std::size_t place = member * classes_ + k, taken = members * classes_;
  const bool confident = member != perceptron;
  const auto move_one = [&](double* weights, double* variance, double value) {
    double step = amount * value;
    if (confident) {
      double& s = variance[place];
      const double along = s * value;
      step = amount * along;
      s -= shrinkage * along * along;
      s = std::max(s, 0x1p-1000);  // rounding must not leave a variance at 0 or below
    }
    weights[place] += step;
    weights[taken + place] += rounds_ * step;
  };
  for (std::uint32_t i = 0; i < x.size; ++i) {
    const std::size_t j = x.index[i];
    move_one(weights_.data() + j * width(), variance_.data() + j * variances(), x.value[i]);
  }
  if (has_bias()) move_one(bias_weights_.data(), bias_variance_.data(), 1);
}

ClassWeightVector MulticlassTournament::present() const {
  double last[members], mean[members];
  for (std::size_t m = 0; m < members; ++m) {
    last[m] = mixture_.factor(m);
    mean[m] = mixture_.factor(members + m);
  }
  return mixed(last, mean);
}

ClassWeightVector MulticlassTournament::alternative(std::size_t k) const {
  double none[members] = {}, mean[members] = {};
  mean[k] = 1;
  return mixed(none, mean);
}

ClassWeightVector MulticlassTournament::mixed(const double* last, const double* mean) const {
  const double share = rounds_ > 0 ? 1 / rounds_ : 0.0;
  const auto mix = [&](const double* weights, std::uint32_t k) {
    double sum = 0;
    for (std::size_t m = 0; m < members; ++m) {
      const double weight = weights[m * classes_ + k], taken = weights[(members + m) * classes_ + k];
      sum += last[m] * weight + mean[m] * std::fma(-share, taken, weight);
    }
    return sum;
  };
  ClassWeightVector point{classes_, {}, std::vector<double>(classes_)};
  point.w.resize(std::size_t{features()} * classes_);
  for (std::size_t j = 0; j < units_.size(); ++j) {
    const Unit& unit = units_[j];
    const double inverse = unit.count > 0 ? std::sqrt(unit.count / unit.squares) : 0.0;
    for (std::uint32_t k = 0; k < classes_; ++k) {
      point.w[j * classes_ + k] = mix(weights_.data() + j * width(), k) * inverse;
    }
  }
  for (std::uint32_t k = 0; k < classes_ && has_bias(); ++k) point.bias[k] = mix(bias_weights_.data(), k) / bias_.scale;
  for (const StandardColumns::Column& column : columns_.columns()) {
    for (std::uint32_t k = 0; k < classes_; ++k) {
      double& w = point.w[std::size_t{column.feature} * classes_ + k];
      w *= column.inverse;
      point.bias[k] -= w * (column.centre / bias_.scale);
    }
  }
  return point;
}

StateShape MulticlassTournament::state_shape() const {
  StateShape shape;
  NumberNames names(shape.numbers);
  fields(*this, names);
  shape.moments_each = moments_each();
  return shape;
}

LearnerState MulticlassTournament::save() const {
  LearnerState state;
  state.finished = finished_;
  state.weights = present();
  NumberWriter numbers(state.numbers);
  fields(*this, numbers);
  double column[StandardColumns::numbers_each] = {};
  const auto append = [&](const double* from, std::size_t count) {
    state.moments.insert(state.moments.end(), from, from + count);
  };
  state.moments.reserve((units_.size() + 1) * moments_each());
  for (std::size_t j = 0; j < units_.size(); ++j) {
    append(weights_.data() + j * width(), width());
    append(variance_.data() + j * variances(), variances());
    append(&units_[j].squares, 1);
    append(&units_[j].count, 1);
    columns_.save(static_cast<std::uint32_t>(j), column);
    append(column, std::size(column));
  }
  if (has_bias()) {
    append(bias_weights_.data(), width());
    append(bias_variance_.data(), variances());
    append(std::vector<double>(2 + std::size(column), 0.0).data(), 2 + std::size(column));
  }
  return state;
}

void MulticlassTournament::restore(const LearnerState& state) {
  ClassWeightVector stored = present();
  unflatten(state.weights, stored);
  NumberReader numbers(state.numbers);
  fields(*this, numbers);
  numbers.finish();
  mixture_.restored();
  runs_.restored();
  finished_ = state.finished;
  grow(static_cast<std::uint32_t>(stored.w.size() / classes_));
  const std::size_t each = moments_each(), own = each - StandardColumns::numbers_each;
  if (state.moments.size() != each * (units_.size() + (has_bias() ? 1 : 0)))
    refuse_state("the number of moments does not match the weights");
  const double* at = state.moments.data();
  const auto take = [&](double* weights, double* variance, Unit& unit) {
    std::copy_n(at, width(), weights);
    std::copy_n(at + width(), variances(), variance);
    unit = {at[own - 2], at[own - 1]};
    const auto positive = [](double v) { return v > 0; };
    const auto not_negative = [](double v) { return v >= 0; };
    const bool fits = std::all_of(variance, variance + confident(), positive) &&
                      std::all_of(variance + confident(), variance + variances(), not_negative) && unit.squares >= 0 &&
                      unit.count >= 0 && (unit.count > 0) == (unit.squares > 0);
    if (!fits) refuse_state("a moment of the tournament is out of range");
    at += each;
  };
  for (std::size_t j = 0; j < units_.size(); ++j) {
    columns_.restore(static_cast<std::uint32_t>(j), at + own);
    take(weights_.data() + j * width(), variance_.data() + j * variances(), units_[j]);
  }
  columns_.restored();
  Unit none;
  if (has_bias()) take(bias_weights_.data(), bias_variance_.data(), none);
}

}  // namespace halfspace
