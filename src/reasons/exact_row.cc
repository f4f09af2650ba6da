// Adds up products of doubles without rounding.
#include "reasons/exact_row.h"

#include <algorithm>
#include <cmath>

namespace halfspace::reasons {

bool are_finite(const NewValues& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& one) { return std::isfinite(one.second); });
}

ExactRow::ExactRow(const Model& model, const Block& block, std::size_t i) {
  ClassWeightVector weights = vectors_of_scores(model.weights);
  vectors_ = weights.classes;
  features_ = model.schema.features;
  w_ = std::move(weights.w);
  w_.resize(std::size_t{features_} * vectors_, 0.0);
  const BiasOptions& bias = model.composition.bias;
  for (const double b : weights.bias)
    bias_.push_back(bias.position == Bias::none ? mpq_class(0) : mpq_class(b) * mpq_class(bias.scale));
  threshold_ = model.threshold.value_or(0);
  last_wins_ = model.composition.tie == Tie::negative;
  zero_is_positive_ = model.threshold.has_value() || !last_wins_;
  block.with_example(i, [&](const auto& x) {
    for (std::uint32_t k = 0; k < x.size; ++k) {
      if (x.index[k] < features_) values_[x.index[k]] = x.value_at(k);
    }
  });
  std::vector<mpq_class> scores;
  for (std::uint32_t k = 0; k < vectors_; ++k) scores.push_back(score(k));
  if (vectors_ == 1) {
    const mpq_class lead = scores[0] - threshold_;
    label_ = lead > 0 || (lead == 0 && zero_is_positive_) ? 1 : 0;
    rivals_ = {1 - label_};
    leads_ = {label_ == 1 ? lead : mpq_class(-lead)};
    return;
  }
  for (std::int32_t k = 1; k < static_cast<std::int32_t>(vectors_); ++k) {
    const mpq_class& own = scores[static_cast<std::size_t>(k)];
    const mpq_class& best = scores[static_cast<std::size_t>(label_)];
    if (own > best || (own == best && wins_ties(k, label_))) label_ = k;
  }
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(vectors_); ++k) {
    if (k == label_) continue;
    rivals_.push_back(k);
    leads_.emplace_back(scores[static_cast<std::size_t>(label_)] - scores[static_cast<std::size_t>(k)]);
  }
}

mpq_class ExactRow::score(std::uint32_t vector) const {
  mpq_class sum = bias_[vector];
  for (const auto& [feature, value] : values_)
    sum += mpq_class(w_[std::size_t{feature} * vectors_ + vector]) * mpq_class(value);
  return sum;
}

double ExactRow::value(std::uint32_t feature) const {
  const auto found = values_.find(feature);
  return found == values_.end() ? 0 : found->second;
}

mpq_class ExactRow::slope(std::uint32_t feature, std::size_t rival) const {
  const double* const w = w_.data() + std::size_t{feature} * vectors_;
  if (vectors_ == 1) return label_ == 1 ? mpq_class(w[0]) : mpq_class(-w[0]);
  return mpq_class(w[label_]) - mpq_class(w[rivals_[rival]]);
}

double ExactRow::rounded_slope(std::uint32_t feature, std::size_t rival) const {
  const double* const w = w_.data() + std::size_t{feature} * vectors_;
  return vectors_ == 1 ? (label_ == 1 ? w[0] : -w[0]) : w[label_] - w[rivals_[rival]];
}

mpq_class ExactRow::lead(std::size_t rival, const NewValues& changed) const {
  mpq_class lead = leads_[rival];
  for (const auto& [feature, to] : changed) lead += slope(feature, rival) * (mpq_class(to) - mpq_class(value(feature)));
  return lead;
}

bool ExactRow::holds(std::size_t rival, const mpq_class& lead) const {
  if (lead != 0) return lead > 0;
  return vectors_ == 1 ? (label_ == 1) == zero_is_positive_ : wins_ties(label_, rivals_[rival]);
}

std::int32_t ExactRow::label(const NewValues& changed) const {
  std::int32_t best = label_;
  mpq_class behind = 0;  // the lead of the old label over the best
  for (std::size_t r = 0; r < rivals_.size(); ++r) {
    const mpq_class lead = this->lead(r, changed);
    const bool ahead =
        best == label_ ? !holds(r, lead) : lead < behind || (lead == behind && wins_ties(rivals_[r], best));
    if (!ahead) continue;
    best = rivals_[r];
    behind = lead;
  }
  return best;
}

}  // namespace halfspace::reasons
