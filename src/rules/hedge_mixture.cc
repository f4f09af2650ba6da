// AdaHedge over the scores of candidates: the mixture's weights, regret and probabilities.
#include "halfspace/detail/rules/hedge_mixture.h"

#include <iterator>
#include <limits>

#include "halfspace/detail/base/elementary.h"
#include "rules/hedge.h"

namespace halfspace {
namespace {

// rules::hedge() of one candidate: one exponential and its powers, from the largest term down.
double hedge_of_one(double loss, double rate, double& share) {
  const double exponent = -rate * loss, e = elementary::exp(-std::abs(exponent));
  const double e4 = e * e * e * e, e12 = e4 * e4 * e4, e16 = e12 * e4;
  const bool falls = exponent <= 0;
  const double zero = falls ? 1 : e16, one = falls ? e : e12 * e * e * e, four = falls ? e4 : e12,
               most = falls ? e16 : 1;
  const double all = zero + one + four + most;
  share = (one + 4 * four + 16 * most) / all;
  return elementary::log(all) + (falls ? 0 : 16 * exponent);
}

}  // namespace

HedgeMixture::HedgeMixture(std::size_t candidates) : candidates_(candidates) {
  std::fill(std::begin(loss_), std::end(loss_), std::numeric_limits<double>::infinity());  // unused candidates
  std::fill(loss_, loss_ + candidates_, 0.0);
  restored();
}

void HedgeMixture::update(const double* losses, const double* squares, double suffered, double weight) {
  for (std::size_t k = 0; k < candidates_; ++k) {
    loss_[k] += losses[k];
    if (std::isfinite(squares[k])) squares_[k] += squares[k];
  }
  suffered_ += suffered;
  weight_ += weight;
  double ignored[max_candidates];
  const double mixed = (mixed_ - hedge(ignored)) / rate_;
  gap_ += std::max(0.0, suffered - mixed);
  restored();
}

void HedgeMixture::restored() {
  const auto experts = static_cast<double>(std::size(scales) * candidates_ + 1);
  rate_ = elementary::log(experts) / gap_;
  mixed_ = hedge(share_);
}

double HedgeMixture::hedge(double* share) const {
  return candidates_ == 1 ? hedge_of_one(loss_[0], rate_, share[0]) : rules::hedge(loss_, rate_, share);
}

std::optional<RegretOfExperts> HedgeMixture::regret(double rounds, double largest) const {
  if (!(weight_ > 0)) return std::nullopt;
  double best = 0;  // of the expert whose score is 0
  for (std::size_t k = 0; k < candidates_; ++k) {
    for (const double scale : scales) best = std::min(best, scale * loss_[k]);
  }
  // Bounds every term by its weight times this; sums are rounded once a round.
  constexpr double largest_scale = 16;
  const double rounding = std::max(rounds, 1.0) * largest_scale * largest * weight_ * 0x1p-51;
  return RegretOfExperts{std::max(0.0, suffered_ - best) + rounding, 2 * gap_, weight_};
}

std::vector<MixtureMember> HedgeMixture::probabilities(std::span<const std::string_view> members) const {
  std::vector<MixtureMember> all{{"nobody", elementary::exp(-mixed_)}};
  for (std::size_t k = 0; k < candidates_; ++k) {
    const bool mean = k >= members.size();
    double sum = 0;
    for (const double scale : scales) sum += elementary::exp(-rate_ * scale * loss_[k] - mixed_);
    all.push_back({(mean ? "averaged " : "") + std::string(members[k % members.size()]), sum});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const MixtureMember& a, const MixtureMember& b) { return a.probability > b.probability; });
  return all;
}

}  // namespace halfspace
