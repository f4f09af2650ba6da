// AdaHedge over the scores of candidates.
#include "halfspace/rules/followed.h"

#include <limits>

namespace halfspace {

Followed::Followed(std::size_t candidates) : candidates_(candidates) {
  std::fill(std::begin(loss_), std::end(loss_), std::numeric_limits<double>::infinity());  // nobody is there
  std::fill(loss_, loss_ + candidates_, 0.0);
  restored();
}

void Followed::update(const double* losses, const double* squares, double suffered, double weight) {
  for (std::size_t k = 0; k < candidates_; ++k) {
    loss_[k] += losses[k];
    if (std::isfinite(squares[k])) squares_[k] += squares[k];
  }
  suffered_ += suffered;
  weight_ += weight;
  double ignored[most];
  const double mixed = (mixed_ - kernels::tournament_hedge(loss_, rate_, ignored)) / rate_;
  gap_ += std::max(0.0, suffered - mixed);
  restored();
}

void Followed::restored() {
  const auto experts = static_cast<double>(std::size(kernels::tournament_scales) * candidates_ + 1);
  rate_ = std::log(experts) / gap_;
  mixed_ = kernels::tournament_hedge(loss_, rate_, share_);
}

std::optional<RegretOfExperts> Followed::regret(double rounds, double most_said) const {
  if (!(weight_ > 0)) return std::nullopt;
  double best = 0;  // of the expert that says 0
  for (std::size_t k = 0; k < candidates_; ++k) {
    for (const double scale : kernels::tournament_scales) best = std::min(best, scale * loss_[k]);
  }
  // No term is larger than its weight times this, and sums are rounded once a round.
  constexpr double largest_scale = 16;
  const double rounding = std::max(rounds, 1.0) * largest_scale * most_said * weight_ * 0x1p-51;
  return RegretOfExperts{std::max(0.0, suffered_ - best) + rounding, 2 * gap_, weight_};
}

std::vector<FollowedMember> Followed::probabilities(std::span<const std::string_view> members) const {
  std::vector<FollowedMember> all{{"nobody", std::exp(-mixed_)}};
  for (std::size_t k = 0; k < candidates_; ++k) {
    const bool mean = k >= members.size();
    double sum = 0;
    for (const double scale : kernels::tournament_scales) sum += std::exp(-rate_ * scale * loss_[k] - mixed_);
    all.push_back({(mean ? "averaged " : "") + std::string(members[k % members.size()]), sum});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const FollowedMember& a, const FollowedMember& b) { return a.probability > b.probability; });
  return all;
}

}  // namespace halfspace
