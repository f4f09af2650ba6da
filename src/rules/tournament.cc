// A round of the tournament: mixes the candidates' scores and computes the members' steps.
#include "halfspace/detail/rules/tournament.h"

#include <algorithm>
#include <limits>

#include "base/huge_pages.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/scw.h"

namespace halfspace {
namespace {

constexpr std::size_t kNumbers = kernels::tournament_numbers;
constexpr std::size_t kMembers = kernels::tournament_members;
static_assert(kernels::tournament_candidates <= HedgeMixture::max_candidates);
constexpr double kNagRate = 0.5;
constexpr double kConfidence = 0.5;
constexpr double kMostShare =
    1 - 0x1p-20;  // of a variance that a step may subtract: the rest stays above 0 in single precision
using Record = kernels::TournamentRecord;

// Returns the value in single precision. Clips what no real row gives, so that sums stay finite.
float single(double value) {
  constexpr double most = 0x1p60;
  return static_cast<float>(std::clamp(value, -most, most));
}

bool is_single(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         static_cast<double>(static_cast<float>(value)) == value;
}

}  // namespace

TournamentWeights::TournamentWeights(BiasOptions bias, double validation_share)
    : bias_(bias), validation_share_(validation_share), columns_(bias.position != Bias::none) {}

double TournamentWeights::mix_scores() const {
  if (bias_.position != Bias::none) {
    const std::uint32_t first = 0;
    kernels::tournament_scores(&bias_record_, kernels::RowView<double>{&first, &bias_.scale, 1, 0}, last_.sums,
                               last_.bias);
  }
  const double share = rounds_ > 0 ? 1 / rounds_ : 0.0;
  last_.mixed = 0;
  for (std::size_t k = 0; k < candidates; ++k) {
    const std::size_t member = k % kMembers;
    double& score = last_.score[k];
    score = last_.sums.of[member];
    if (k >= kMembers) score -= share * last_.sums.of[k];
    last_.standard[k] = HedgeMixture::standard(score, mixture_.root_mean_square(k));
    last_.mixed += mixture_.share(k) * last_.standard[k];
  }
  return last_.mixed + runs_.offset(0);
}

void TournamentWeights::update_mixture(double amount, double weight) {
  const double slope = -amount * weight;
  double losses[candidates], squares[candidates];
  for (std::size_t k = 0; k < candidates; ++k) {
    losses[k] = slope * last_.standard[k];
    squares[k] = weight * last_.score[k] * last_.score[k];
  }
  mixture_.update(losses, squares, slope * last_.mixed, weight);
  runs_.update({{-amount}}, weight);
}

kernels::TournamentSteps TournamentWeights::steps_of(double sign, double weight) const {
  kernels::TournamentSteps steps;
  const double typical = nag_squares_ > 0 ? nag_squares_ / nag_rounds_ : 1.0;
  const double hinge = 1 - sign * last_.sums.of[Record::arow];
  if (hinge > 0) {
    const double share =
        std::min(1 / (last_.sums.arow_variance + typical / weight), kMostShare / last_.sums.arow_variance);
    steps.arow_share = single(share);
    steps.arow_along = single(sign * hinge * share);
  }
  const double variance = last_.sums.scw_variance / typical;
  const double length = SoftConfidence<Softness::capped>{}.step_at(sign * last_.sums.of[Record::scw], variance, weight);
  if (length > 0) {
    steps.scw_along = single(sign * length / typical);
    steps.scw_share = single(std::min(ConfidenceWeights::shrinkage(length, kConfidence, variance) / typical,
                                      kMostShare / last_.sums.scw_variance));
  }
  steps.nag_slope =
      single(sign * std::sqrt(weight) * slope_of(MarginLoss::logistic, sign * last_.sums.of[Record::nag]));
  steps.coin_slope = single(sign * weight * slope_of(MarginLoss::logistic, sign * last_.sums.of[Record::coin]));
  steps.rounds = single(rounds_);
  return steps;
}

float TournamentWeights::finish_step(const kernels::TournamentSteps& steps, kernels::TournamentNorms& norms,
                                     double sign, double weight) {
  const std::uint32_t first = 0;
  float normalised[1 + kernels::tournament_room] = {};
  if (bias_.position != Bias::none) {
    kernels::tournament_step(&bias_record_, &first, last_.bias, 1, steps, norms, normalised);
  }
  if (!(norms.squares > 0)) return 0;
  nag_rounds_ += weight;
  nag_squares_ += weight * norms.squares;
  const double d = kNagRate * std::sqrt(nag_rounds_ / nag_squares_);
  const double q = d * norms.along;
  if (!(q > 0 && q <= std::numeric_limits<double>::max())) return 0;
  const float along =
      single(sign * d * (margin_gained(MarginLoss::logistic, sign * last_.sums.of[Record::nag], q * weight) / q));
  if (bias_.position != Bias::none) kernels::tournament_move(&bias_record_, &first, normalised, 1, along, steps.rounds);
  return along;
}

void TournamentWeights::begin_period() {
  // Values are below 4.
  constexpr float unit = 2;
  const double bias_value = bias_.scale * bias_record_.inverse_unit();
  for (const StandardColumns::Change& change : columns_.changes()) {
    Record& record = records_[change.feature];
    if (change.first) {
      record = Record();
      record.number[Record::unit] = Record::unit_of(std::ilogb(unit));
      continue;
    }
    const double ratio = change.ratio, grown = std::max(1.0, ratio * ratio);
    float* const number = record.number;
    const auto times = [&](std::size_t k, double factor) {
      number[k] = single(static_cast<double>(number[k]) * factor);
    };
    for (std::size_t k = 0; k < candidates; ++k) {
      const double moved = static_cast<double>(number[k]) * (change.offset * record.inverse_unit());
      bias_record_.number[k] += single(moved / bias_value);
      times(k, ratio);
    }
    for (const std::size_t k : {Record::arow_variance, Record::scw_variance}) {
      number[k] = single(std::min(1.0, static_cast<double>(number[k]) * grown));
    }
    times(Record::nag_squares, 1 / (ratio * ratio));
    for (const std::size_t k : {Record::coin_theta, Record::coin_largest, Record::coin_total}) times(k, 1 / ratio);
  }
  if (!columns_.changes().empty() && columns_.changes().front().first) {
    const float unit_of_bias = bias_record_.number[Record::unit];
    bias_record_ = Record();
    bias_record_.number[Record::unit] = unit_of_bias;
  }
}

WeightVector TournamentWeights::point() const {
  double last[kMembers], mean[kMembers];
  for (std::size_t k = 0; k < candidates; ++k) (k < kMembers ? last : mean)[k % kMembers] = mixture_.factor(k);
  return mixed(last, mean);
}

WeightVector TournamentWeights::alternative(std::size_t k) const {
  double none[kMembers] = {}, mean[kMembers] = {};
  mean[k] = 1;
  return mixed(none, mean);
}

WeightVector TournamentWeights::mixed(const double* last, const double* mean) const {
  const double share = rounds_ > 0 ? 1 / rounds_ : 0.0;
  const auto mix = [&](const kernels::TournamentRecord& of) {
    const float* const record = of.number;
    const auto mean_of = [&](std::size_t m) {
      return std::fma(-share, static_cast<double>(record[Record::correction + m]), static_cast<double>(record[m]));
    };
    double sum = 0;
    for (std::size_t m = 0; m < kMembers; ++m) {
      if (last[m] != 0) sum = std::fma(last[m], static_cast<double>(record[m]), sum);
      if (mean[m] != 0) sum = std::fma(mean[m], mean_of(m), sum);
    }
    return sum * of.inverse_unit();
  };
  WeightVector point;
  point.w.resize(features());
  for (std::size_t j = 0; j < point.w.size(); ++j) point.w[j] = mix(records_[j]);
  point.bias = mix(bias_record_);
  for (const StandardColumns::Column& column : columns_.columns()) {
    double& w = point.w[column.feature];
    w *= column.inverse;
    point.bias -= w * (column.centre / bias_.scale);
  }
  return point;
}

void TournamentWeights::save_moments(std::vector<double>& moments) const {
  double column[StandardColumns::numbers_each] = {};
  const auto save = [&](const kernels::TournamentRecord& record) {
    for (const float number : record.number) moments.push_back(static_cast<double>(number));
    moments[moments.size() - kNumbers + Record::unit] = record.exponent();
    moments.insert(moments.end(), std::begin(column), std::end(column));
  };
  moments.clear();
  reserve_huge(moments, moments_each * (records_.size() + 1));
  for (std::size_t j = 0; j < records_.size(); ++j) {
    columns_.save(static_cast<std::uint32_t>(j), column);
    save(records_[j]);
  }
  std::fill(std::begin(column), std::end(column), 0.0);
  if (bias_.position != Bias::none) save(bias_record_);
}

void TournamentWeights::restore_moments(const std::vector<double>& moments) {
  const std::size_t own = bias_.position == Bias::none ? 0 : 1;
  if (moments.size() != moments_each * (records_.size() + own))
    refuse_state("the number of moments does not match the weights");
  const double* at = moments.data();
  const auto restore = [&](kernels::TournamentRecord& record) {
    for (std::size_t k = 0; k < kNumbers; ++k) {
      const bool is_unit = k == Record::unit;
      const bool fits =
          is_unit ? at[k] >= Record::unseen && at[k] <= Record::most && at[k] == std::trunc(at[k]) : is_single(at[k]);
      if (!fits) refuse_state("a moment of the tournament is out of range");
      record.number[k] = is_unit ? Record::unit_of(static_cast<int>(at[k])) : static_cast<float>(at[k]);
    }
    at += moments_each;
  };
  for (std::size_t j = 0; j < records_.size(); ++j) {
    columns_.restore(static_cast<std::uint32_t>(j), at + kNumbers);
    restore(records_[j]);
  }
  columns_.restored();
  if (own != 0) restore(bias_record_);
}

}  // namespace halfspace
