// Makes bandit algorithms from names, with the parameters of their theorems.
#include "halfspace/bandits/bandit.h"

#include <string>

#include "halfspace/base/error.h"

namespace halfspace {

bool needs_horizon(BanditName name) { return name != BanditName::exp3_anytime && name != BanditName::exp3_ix_anytime; }

Bandit::Player Bandit::make(const BanditOptions& options) {
  if (options.arms == 0 || options.arms > BanditOptions::most_arms) {
    throw Error(ErrorKind::usage, "a bandit has 1 to " + std::to_string(BanditOptions::most_arms) + " arms, not " +
                                      std::to_string(options.arms))
        .fix("give as many arms as there are choices");
  }
  if (needs_horizon(options.name) && options.rounds == 0) {
    throw Error(ErrorKind::usage, std::string(name_of(options.name)) + " needs the number of rounds")
        .fix("give it, or use exp3-anytime or exp3-ix-anytime, which do not need it");
  }
  if (!(options.delta > 0 && options.delta < 1))
    throw Error(ErrorKind::usage, "delta must be a probability between 0 and 1").fix("0.05 is the default");
  const std::size_t arms = options.arms;
  const double scale = exp3_rate_scale(arms);
  switch (options.name) {
    case BanditName::exp3:
      return Exp3(arms, FixedRate::for_horizon(2 * scale, options.rounds));
    case BanditName::exp3_anytime:
      return Exp3(arms, AnytimeRate{scale});
    case BanditName::exp3_mix:
      return Exp3Mix(arms, Exp3Mix::best_mixing(arms, static_cast<double>(options.rounds)));
    case BanditName::exp3p:
      return Exp3P(arms, Exp3P::bubeck(arms, options.rounds, options.delta));
    case BanditName::exp3p_auer:
      return Exp3P(arms, Exp3P::auer(arms, options.rounds, options.delta));
    case BanditName::exp3_ix:
      return Exp3Ix(arms, FixedRate::for_horizon(2 * scale, options.rounds));
    case BanditName::exp3_ix_anytime:
      break;
  }
  return Exp3Ix(arms, AnytimeRate{scale});
}

Bandit::Bandit(const BanditOptions& options) : player_(make(options)) {}

}  // namespace halfspace
