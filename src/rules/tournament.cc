// What a tournament does once a round: who is followed, how long the members' steps are.
#include "halfspace/rules/tournament.h"

#include <algorithm>
#include <limits>

#include "halfspace/linear/loss.h"
#include "halfspace/rules/arow.h"
#include "halfspace/rules/scw.h"

namespace halfspace {
namespace {

constexpr std::size_t kNumbers = kernels::tournament_numbers;
constexpr std::size_t kMembers = kernels::tournament_members;
constexpr double kClip = 10;
constexpr double kNagRate = 0.5;
constexpr double kConfidence = 0.5;

}  // namespace

TournamentWeights::TournamentWeights(BiasOptions bias, double judging)
    : bias_(bias), judging_(judging), bias_record_{} {
  bias_record_[8] = bias_record_[9] = 1;
  restored();
}

void TournamentWeights::grow(std::uint32_t features) {
  std::size_t at = records_.size();
  if (kNumbers * features <= at) return;
  records_.resize(kNumbers * features, 0.0);
  for (; at < records_.size(); at += kNumbers) records_[at + 8] = records_[at + 9] = 1;
}

double TournamentWeights::root_mean_square(std::size_t k) const {
  return judged_ > 0 ? std::sqrt(squares_[k] / judged_) : 0.0;
}

double TournamentWeights::follow() const {
  if (bias_.place != Bias::none) {
    const std::uint32_t first = 0;
    kernels::tournament_scores(bias_record_, kernels::RowView<double>{&first, &bias_.scale, 1, 0}, last_.sums);
  }
  const double share = rounds_ > 0 ? 1 / rounds_ : 0.0;
  last_.followed = 0;
  for (std::size_t k = 0; k < candidates; ++k) {
    const std::size_t member = k % kMembers;
    double& score = last_.score[k];
    score = last_.sums.of[member];
    if (k >= kMembers) score = std::fma(-share, last_.sums.of[k], score);
    const double standard = score / root_mean_square(k);
    // A candidate beyond the doubles, or one that has said nothing yet, says nothing.
    last_.standard[k] = std::isfinite(standard) ? std::clamp(standard, -kClip, kClip) : 0.0;
    last_.followed = std::fma(share_[k], last_.standard[k], last_.followed);
  }
  return last_.followed;
}

void TournamentWeights::judge(double amount, double weight) {
  const double slope = -amount * weight;
  const double suffered = slope * last_.followed;
  for (std::size_t k = 0; k < candidates; ++k) {
    loss_[k] = std::fma(slope, last_.standard[k], loss_[k]);
    const double square = weight * last_.score[k] * last_.score[k];
    if (std::isfinite(square)) squares_[k] += square;
  }
  judged_ += weight;
  double ignored[candidates];
  const double mixed = (mixed_ - kernels::tournament_hedge(loss_, rate_, ignored)) / rate_;
  gap_ += std::max(0.0, suffered - mixed);
  restored();
}

void TournamentWeights::restored() {
  rate_ = std::log(kernels::tournament_experts) / gap_;
  mixed_ = kernels::tournament_hedge(loss_, rate_, share_);
}

kernels::TournamentSteps TournamentWeights::steps_of(double sign, double weight) const {
  kernels::TournamentSteps steps;
  const double hinge = 1 - sign * last_.sums.of[0];
  if (hinge > 0) {
    steps.arow_share = 1 / (last_.sums.variance[0] + 1 / weight);
    steps.arow_along = sign * hinge * steps.arow_share;
  }
  const double length =
      SoftConfidence<Softness::capped>{}.step_at(sign * last_.sums.of[1], last_.sums.variance[1], weight);
  if (length > 0) {
    steps.scw_along = sign * length;
    steps.scw_share = ConfidenceWeights::shrinkage(length, kConfidence, last_.sums.variance[1]);
  }
  steps.nag_slope = sign * std::sqrt(weight) * slope_of(MarginLoss::logistic, sign * last_.sums.of[2]);
  steps.coin_slope = sign * weight * slope_of(MarginLoss::logistic, sign * last_.sums.of[3]);
  steps.rounds = rounds_;
  return steps;
}

double TournamentWeights::finish_step(const kernels::TournamentSteps& steps, kernels::TournamentNorms& norms,
                                      double sign, double weight) {
  const std::uint32_t first = 0;
  double normalised = 0;
  if (bias_.place != Bias::none) {
    kernels::tournament_step(bias_record_, kernels::RowView<double>{&first, &bias_.scale, 1, 0}, steps, norms,
                             &normalised);
  }
  if (!(norms.squares > 0)) return 0;
  nag_rounds_ += weight;
  nag_squares_ += weight * norms.squares;
  const double d = kNagRate * std::sqrt(nag_rounds_ / nag_squares_);
  const double q = d * norms.along;
  if (!(q > 0 && q <= std::numeric_limits<double>::max())) return 0;
  const double along = sign * d * (margin_gained(MarginLoss::logistic, sign * last_.sums.of[2], q * weight) / q);
  if (bias_.place != Bias::none) kernels::tournament_move(bias_record_, &first, &normalised, 1, along, steps.rounds);
  return along;
}

WeightVector TournamentWeights::point() const {
  double last[kMembers], mean[kMembers];
  for (std::size_t k = 0; k < candidates; ++k) {
    const double factor = share_[k] / root_mean_square(k);
    (k < kMembers ? last : mean)[k % kMembers] = std::isfinite(factor) ? factor : 0.0;
  }
  const double share = rounds_ > 0 ? 1 / rounds_ : 0.0;
  const auto mix = [&](const double* record) {
    double sum = 0;
    for (std::size_t m = 0; m < kMembers; ++m) {
      if (last[m] != 0) sum = std::fma(last[m], record[m], sum);
      if (mean[m] != 0) sum = std::fma(mean[m], std::fma(-share, record[kMembers + m], record[m]), sum);
    }
    return sum;
  };
  WeightVector point;
  point.w.resize(features());
  for (std::size_t j = 0; j < point.w.size(); ++j) point.w[j] = mix(records_.data() + kNumbers * j);
  point.bias = mix(bias_record_);
  return point;
}

void TournamentWeights::save_moments(std::vector<double>& moments) const {
  moments = records_;
  if (bias_.place != Bias::none) moments.insert(moments.end(), bias_record_, bias_record_ + kNumbers);
}

void TournamentWeights::restore_moments(const std::vector<double>& moments) {
  const std::size_t own = bias_.place == Bias::none ? 0 : kNumbers;
  if (moments.size() != records_.size() + own) refuse_state("not as many moments as the weights ask for");
  const auto end = moments.begin() + static_cast<std::ptrdiff_t>(records_.size());
  std::copy(moments.begin(), end, records_.begin());
  std::copy(end, moments.end(), bias_record_);
}

}  // namespace halfspace
