// Replays bandits on full tables, and on logs with propensities.
#include "halfspace/bandits/bandit_game.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stop.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace {

RegretBound bandit_bound(const BanditOptions& options, std::uint64_t rounds, double largest_gain) {
  const std::uint64_t arms = options.arms;
  switch (options.name) {
    case BanditName::exp3:
      return {exp3_bound(rounds, arms), "Bubeck and Cesa-Bianchi 2012, Theorem 3.1", "pseudo-regret"};
    case BanditName::exp3_anytime:
      return {exp3_anytime_bound(rounds, arms), "Bubeck and Cesa-Bianchi 2012, Theorem 3.1, anytime", "pseudo-regret"};
    case BanditName::exp3_mix:
      return {exp3_mix_bound(Exp3Mix::best_mixing(arms, static_cast<double>(options.rounds)), largest_gain, arms),
              "Auer et al. 2002, Theorem 3.1", "pseudo-regret"};
    case BanditName::exp3p:
      return {exp3p_bound(rounds, arms, options.delta), "Bubeck and Cesa-Bianchi 2012, Theorem 3.2",
              "regret, with high probability"};
    case BanditName::exp3p_auer:
      return {exp3p_auer_bound(rounds, arms, options.delta), "Auer et al. 2002, Theorem 6.3",
              "regret, with high probability"};
    case BanditName::exp3_ix:
      return {exp3_ix_bound(rounds, arms, options.delta), "Neu 2015, Theorem 1", "regret, with high probability"};
    case BanditName::exp3_ix_anytime:
      break;
  }
  return {exp3_ix_anytime_bound(rounds, arms, options.delta), "Neu 2015, Theorem 1, anytime",
          "regret, with high probability"};
}

// Rounds of loss 0 up to the horizon would not change the regret, so the bound of the horizon holds before it.
std::optional<RegretBound> bandit_bound_so_far(const BanditOptions& options, std::uint64_t rounds) {
  const bool fixed = needs_horizon(options.name);
  if (rounds == 0 || (fixed && rounds > options.rounds)) return std::nullopt;
  const std::uint64_t covered = fixed ? options.rounds : rounds;
  return bandit_bound(options, covered, static_cast<double>(covered));
}

namespace {

// Of a table whose rounds need not be the horizon that the rate is tuned for. The theorem of Exp3 with uniform mixing is
// about any number of rounds; beyond the horizon of others the regret is at most a loss of 1 a round.
RegretBound bound_of_table(const BanditOptions& options, std::uint64_t rounds, double largest_gain) {
  if (rounds == 0 || rounds == options.rounds || !needs_horizon(options.name) || options.name == BanditName::exp3_mix)
    return bandit_bound(options, rounds, largest_gain);
  if (const auto bound = bandit_bound_so_far(options, rounds)) return *bound;
  return {static_cast<double>(rounds), "none beyond the horizon: a loss of 1 a round",
          bandit_bound(options, rounds, largest_gain).bounds};
}

}  // namespace

PullResult pull(const RoundTable& losses, BanditOptions options, std::uint64_t seed, bool record,
                const std::atomic<bool>* interrupt) {
  options.arms = losses.names.size();
  if (options.rounds == 0) options.rounds = losses.rounds;
  PullResult result;
  result.ledger = RegretLedger(options.arms);
  result.pulls.assign(options.arms, 0);
  if (losses.rounds > 0) {
    for (const double loss : losses.values) {
      if (!(loss >= 0 && loss <= 1))
        throw Error(ErrorKind::usage, "an arm's loss must be a number from 0 to 1 in every round")
            .fix("map the losses to 0 to 1 first: " + option("range", "LOW,HIGH"));
    }
    Bandit bandit(options);
    Generator draws(seed);
    PathRecorder recorder(options.arms);
    const bool drawn = bandit_bound(options, losses.rounds, 0).bounds != "pseudo-regret";  // of the run's own draws
    for (std::uint64_t t = 0; t < losses.rounds; ++t) {
      stop_if(interrupt);
      const std::span<const double> loss = losses.round(t);
      const Play play = bandit.play(draws.next());
      const std::span<const double> p = bandit.last_distribution();
      double expected = 0;
      for (std::size_t i = 0; i < loss.size(); ++i) expected += p[i] * loss[i];
      bandit.learn(play, loss[play.arm]);
      ++result.pulls[play.arm];
      result.ledger.add(loss, loss[play.arm], expected);
      if (record && recorder.due(t + 1, losses.rounds))
        recorder.add(t + 1, drawn ? result.ledger.regret() : result.ledger.expected_regret(), result.ledger.paid(),
                     bandit.last_distribution(), result.pulls);
    }
    if (record) {
      recorder.path.quantity = bandit_bound(options, losses.rounds, 0).bounds;
      result.path = std::move(recorder.path);
      if (options.name == BanditName::exp3_anytime || options.name == BanditName::exp3_ix_anytime) {
        for (const std::uint64_t t : result.path->rounds)
          result.path->bound.push_back(bandit_bound(options, t, static_cast<double>(t)).value);
      }
    }
    const std::span<const double> p = bandit.distribution();
    result.distribution.assign(p.begin(), p.end());
  }
  const double least = options.arms == 0 ? 0.0 : result.ledger.loss(result.ledger.best());
  result.bound = bound_of_table(options, losses.rounds, static_cast<double>(losses.rounds) - least);
  result.bound.observed =
      result.bound.bounds == "pseudo-regret" ? result.ledger.expected_regret() : result.ledger.regret();
  return result;
}

LogResult replay_log(const LoggedRounds& log, double delta) {
  const std::size_t arms = log.arms.size();
  const bool proved = arms <= LogResult::most_proved_arms;
  const PolicyValue value(delta / static_cast<double>(4 * (3 + (proved ? arms : 0))));
  LogResult result{value, value, value, {}, std::vector<OffPolicyEstimate>(arms), {}};
  if (proved) result.proved_arm.assign(arms, value);
  Exp3Ix policy(arms, AnytimeRate{exp3_rate_scale(arms)});
  const double uniform = 1.0 / static_cast<double>(arms);
  // A propensity is at least the floor as it was read: the quotient, rounded, may be just below a ratio.
  const double largest = log.floor > 0 ? 1 / log.floor * (1 + 0x1p-50) : std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < log.action.size(); ++t) {
    const std::uint32_t action = log.action[t];
    const double reward = log.reward[t];
    const double propensity = log.propensity[t];
    const Play logged = policy.logged_play(action, propensity);
    result.policy.add({policy.last_distribution()[action], propensity, reward, largest});
    policy.learn(logged, 1 - reward);
    result.logger.add({propensity, propensity, reward, 1});
    result.uniform.add({uniform, propensity, reward, uniform * largest});
    for (std::size_t i = 0; i < arms; ++i) result.arm[i].add(i == action ? 1.0 : 0.0, propensity, reward);
    for (std::size_t i = 0; i < result.proved_arm.size(); ++i)
      result.proved_arm[i].add({i == action ? 1.0 : 0.0, propensity, reward, largest});
  }
  const std::span<const double> p = policy.distribution();
  result.distribution.assign(p.begin(), p.end());
  return result;
}

}  // namespace halfspace
