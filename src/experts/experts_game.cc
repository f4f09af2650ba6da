// Runs the game of advice on a table.
#include "halfspace/experts/experts_game.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/stop.h"
#include "experts/combiner.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/soa.h"
#include "halfspace/experts/weighted_majority.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace {
namespace {

constexpr double mixture_rate_squared = 0.5;  // (f - y)^2 on [0, 1] is exp-concave at this rate, -ln at 1

bool plays_labels(ExpertsAlgorithm a) {
  return a != ExpertsAlgorithm::hedge && a != ExpertsAlgorithm::hedge_anytime &&
         a != ExpertsAlgorithm::hedge_doubling && a != ExpertsAlgorithm::mixture;
}

bool is_label(double outcome) { return outcome == 0 || outcome == 1; }

std::vector<double> shares(std::vector<double> weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  if (sum > 0) {
    for (double& w : weights) w /= sum;
  }
  return weights;
}

// SOA as a player of advice: the rounds are points of the class, and equal rounds one point.
class SoaPlayer {
 public:
  SoaPlayer(const RoundTable& table, const FollowOptions& options)
      : point_(table.rounds), class_(rows(table)), soa_(class_, options.budget, options.interrupt) {}

  int predict(Advice) { return soa_.predict(point_[round_]); }
  void reveal(Advice, int outcome) { soa_.reveal(point_[round_++], outcome); }
  int dimension() { return soa_.class_dimension(); }
  std::uint64_t emptied() const { return soa_.emptied(); }
  std::vector<double> weights(std::size_t experts) const {
    std::vector<double> w(experts);
    for (std::size_t h = 0; h < class_.size(); ++h)
      w[class_.row_of(h)] = static_cast<double>(soa_.version_space()[h / 64] >> (h % 64) & 1);
    return shares(std::move(w));
  }

 private:
  std::vector<std::vector<std::uint8_t>> rows(const RoundTable& table) {
    std::vector<std::vector<std::uint8_t>> rows(table.names.size());
    std::unordered_map<std::string, std::size_t> known;
    for (std::uint64_t t = 0; t < table.rounds; ++t) {
      std::string answers;
      for (const double advice : table.round(t)) answers += static_cast<char>('0' + label_of(advice));
      const auto [at, fresh] = known.emplace(answers, known.size());
      point_[t] = at->second;
      for (std::size_t i = 0; fresh && i < rows.size(); ++i) rows[i].push_back(answers[i] == '1' ? 1 : 0);
    }
    return rows;
  }

  std::vector<std::size_t> point_;  // of each round
  FiniteClass class_;
  Soa soa_;
  std::uint64_t round_ = 0;
};

// Plays the rounds of a table with a player that predicts labels, and ends with its weights: `weigh(player)`.
template <LabelPlayer Player, class Weigh>
void play_labels(const RoundTable& table, Player& player, FollowResult& result, const Weigh& weigh) {
  std::vector<double> losses(table.names.size());
  PathRecorder recorder(table.names.size());
  for (std::uint64_t t = 0; t < table.rounds; ++t) {
    const Advice advice = table.round(t);
    const int outcome = label_of(table.outcomes[t]);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      losses[i] = awake(advice[i]) ? loss_of(Loss::zero_one, advice[i], outcome) : advice[i];
    }
    const double paid = player.predict(advice) == outcome ? 0 : 1;
    player.reveal(advice, outcome);
    result.ledger.add(losses, paid, paid);
    if (result.path && recorder.due(t + 1, table.rounds)) {
      const std::vector<double> weights = recorder.keeps_weights() ? weigh(player) : std::vector<double>();
      recorder.add(t + 1, result.ledger.paid(), result.ledger.paid(), weights);
    }
  }
  recorder.path.quantity = "mistakes";
  if (result.path) result.path = std::move(recorder.path);
  result.weights = weigh(player);
}

template <RateSchedule Rate>
void play_hedge(const RoundTable& table, const FollowOptions& options, Rate rate, FollowResult& result) {
  const std::size_t experts = table.names.size();
  Hedge hedge(experts, rate);
  Generator draws(options.seed);
  PathRecorder recorder(experts);
  std::vector<double> losses(experts);
  for (std::uint64_t t = 0; t < table.rounds; ++t) {
    stop_if(options.interrupt);
    const std::span<const double> values = table.round(t);
    const std::span<const double> p = hedge.distribution(values);
    const bool forecasts = !table.outcomes.empty();
    double mean = 0;
    double mass = 0;
    for (std::size_t i = 0; i < experts; ++i) {
      const bool here = awake(values[i]);
      losses[i] = here && forecasts ? loss_of(options.loss, values[i], table.outcomes[t]) : values[i];
      if (here && p[i] > 0) {
        mean += p[i] * values[i];
        mass += p[i];
      }
    }
    double paid = 0;
    if (forecasts && options.loss != Loss::zero_one) {
      // Rounding may raise the mean of forecasts above 1.
      paid = loss_of(options.loss, mass > 0 ? std::min(1.0, mean) : 0.5, table.outcomes[t]);
    } else {
      const double u = draws.next();
      if (mass > 0)
        paid = losses[pick(u, p)];
      else if (forecasts)
        paid = loss_of(Loss::zero_one, 1, table.outcomes[t]);
    }
    // A mean forecast draws nothing: its loss is its expected loss.
    const bool drawn = options.loss == Loss::zero_one || !forecasts;
    const double expected = drawn && mass > 0 ? hedge.expectation(losses) : paid;
    hedge.reveal(losses, expected);
    result.ledger.add(losses, paid, expected);
    if (options.record && recorder.due(t + 1, table.rounds))
      recorder.add(t + 1, result.ledger.expected_regret(), result.ledger.paid(), hedge.distribution());
  }
  recorder.path.quantity = "expected regret";
  if (options.record) result.path = std::move(recorder.path);
  const std::span<const double> p = hedge.distribution();
  result.weights.assign(p.begin(), p.end());
}

RegretBound bound(double value, const char* theorem, const char* what, double observed) {
  // The observed sums have rounding errors.
  return {value, theorem, what, observed, observed > value + 1e-9 * (1 + std::abs(observed))};
}

// Replays rounds 1 .. before and counts the mistakes; only for the rare run whose assumption failed.
template <class Player>
std::uint64_t mistakes_before(const RoundTable& table, Player player, std::uint64_t before) {
  std::uint64_t mistakes = 0;
  for (std::uint64_t t = 0; t + 1 < before; ++t) {
    const int outcome = label_of(table.outcomes[t]);
    mistakes += player.predict(table.round(t)) != outcome;
    player.reveal(table.round(t), outcome);
  }
  return mistakes;
}

void check_version_space(const RoundTable& table, double value, const char* theorem, std::uint64_t emptied,
                         std::uint64_t before, FollowResult& result) {
  result.emptied = emptied;
  if (emptied > 0) {
    result.note = "no expert is always right: the last one erred in round " + std::to_string(emptied) +
                  "; until then the bound held (" + std::to_string(before) + (before == 1 ? " mistake" : " mistakes") +
                  " of at most " + std::to_string(whole_mistakes(value)) + "), but no longer";
  } else if (result.ledger.slept()) {
    result.note = "experts slept: the bound needs all of them awake";
  } else if (table.rounds > 0) {
    result.bound = bound(value, theorem, "mistakes", result.ledger.paid());
  }
}

template <class Player>
void follow_version_space(const RoundTable& table, double value, const char* theorem, FollowResult& result) {
  Player player(table.names.size());
  play_labels(table, player, result, [](const Player& now) {
    std::vector<double> weights(now.space().experts());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = now.space().contains(i) ? 1 : 0;
    return shares(std::move(weights));
  });
  const std::uint64_t emptied = player.space().emptied();
  check_version_space(table, value, theorem, emptied,
                      emptied == 0 ? 0 : mistakes_before(table, Player(table.names.size()), emptied), result);
}

void follow_soa(const RoundTable& table, const FollowOptions& options, FollowResult& result) {
  SoaPlayer player(table, options);
  result.dimension = player.dimension();
  play_labels(table, player, result, [&](const SoaPlayer& now) { return now.weights(table.names.size()); });
  const std::uint64_t before = player.emptied() == 0 ? 0 : [&] {
    SoaPlayer again(table, options);
    std::uint64_t mistakes = 0;
    for (std::uint64_t t = 0; t + 1 < player.emptied(); ++t) {
      const int outcome = label_of(table.outcomes[t]);
      mistakes += again.predict({}) != outcome;
      again.reveal({}, outcome);
    }
    return mistakes;
  }();
  check_version_space(table, *result.dimension, "Littlestone 1988: the Littlestone dimension", player.emptied(), before,
                      result);
}

void follow_weighted_majority(const RoundTable& table, const FollowOptions& options, FollowResult& result) {
  WeightedMajority player(table.names.size(), options.beta);
  play_labels(table, player, result, [](const WeightedMajority& now) { return shares(now.weights()); });
  if (result.ledger.slept()) {
    result.note = "experts slept: the bound needs all of them awake";
    return;
  }
  const auto best = static_cast<std::uint64_t>(result.ledger.loss(result.ledger.best()));
  const double value = weighted_majority_bound(best, table.names.size(), options.beta);
  if (std::isinf(value)) {
    result.note = "no expert is always right: beta = 0 then has no bound";
  } else {
    result.bound = bound(value, "Littlestone and Warmuth 1994: weighted majority", "mistakes", result.ledger.paid());
  }
}

// The least hinge loss of following one expert, y x_i, over the stream; and the radius and margin of the instances.
struct Instances {
  double hinge = INFINITY, radius = 0, margin = -INFINITY;
};
Instances measure_instances(const RoundTable& table) {
  std::vector<double> hinge(table.names.size()), margin(table.names.size(), INFINITY);
  Instances found;
  for (std::uint64_t t = 0; t < table.rounds; ++t) {
    const double sign = label_of(table.outcomes[t]) == 1 ? 1 : -1;
    double squared = 0;
    for (std::size_t i = 0; i < hinge.size(); ++i) {
      const double advice = table.round(t)[i];
      const double x = awake(advice) ? 2 * advice - 1 : 0;
      squared += x * x;
      hinge[i] += std::max(0.0, 1 - sign * x);
      margin[i] = std::min(margin[i], sign * x);
    }
    found.radius = std::max(found.radius, std::sqrt(squared) * (1 + 0x1p-40));
  }
  for (std::size_t i = 0; i < hinge.size(); ++i) {
    found.hinge = std::min(found.hinge, hinge[i] * (1 + 0x1p-40));
    found.margin = std::max(found.margin, margin[i]);
  }
  return found;
}

void follow_combiner(const RoundTable& table, bool minnow, FollowResult& result) {
  const std::size_t experts = table.names.size();
  const Instances instances = measure_instances(table);
  if (minnow) {
    auto player = minnow_combiner(experts);
    play_labels(table, player, result, [](const MinnowCombiner& now) { return now.weights(); });
    if (instances.margin >= 0.5) {
      result.bound = bound(minnow_best_bound(0.5, experts) * (1 + 0x1p-40),
                           "Littlestone 1988: Minnow, one expert is always right", "mistakes", result.ledger.paid());
    } else {
      result.note = "no expert is always right: no theorem bounds Minnow's mistakes here";
    }
  } else {
    auto player = perceptron_combiner(experts);
    play_labels(table, player, result, [](const PerceptronCombiner& now) { return now.weights(); });
    result.bound = bound(hinge_bound(instances.hinge, 1, instances.radius),
                         "the perceptron's hinge bound, comparator: one expert", "mistakes", result.ledger.paid());
  }
}

void follow_hedge(const RoundTable& table, const FollowOptions& options, FollowResult& result) {
  const std::size_t experts = table.names.size();
  const double scale = hedge_rate_scale(experts);
  const auto set_bound = [&](double value, const char* theorem) {
    result.bound = bound(value, theorem, "expected regret", result.ledger.expected_regret());
  };
  // Anytime theorems have a bound after each round.
  const auto after_each = [&](const auto& value) {
    if (!result.path) return;
    for (const std::uint64_t t : result.path->rounds) result.path->bound.push_back(value(t));
  };
  switch (options.algorithm) {
    case ExpertsAlgorithm::hedge_anytime:
      play_hedge(table, options, AnytimeRate{scale}, result);
      after_each([&](std::uint64_t t) { return hedge_anytime_bound(t, experts); });
      return set_bound(hedge_anytime_bound(table.rounds, experts), "Cesa-Bianchi and Lugosi 2006, Theorem 2.3");
    case ExpertsAlgorithm::hedge_doubling:
      play_hedge(table, options, DoublingRate{scale}, result);
      after_each([&](std::uint64_t t) { return hedge_doubling_bound(t, experts); });
      return set_bound(hedge_doubling_bound(table.rounds, experts),
                       "Cesa-Bianchi and Lugosi 2006, Theorem 2.2 and doubling");
    case ExpertsAlgorithm::mixture: {
      const double rate = options.loss == Loss::squared ? mixture_rate_squared : 1.0;
      play_hedge(table, options, FixedRate{rate}, result);
      if (!(result.ledger.expected_regret() < INFINITY)) {
        result.note = "every expert once gave the outcome probability 0: all losses are infinite";
        return;
      }
      result.bound = bound(mixture_bound(experts, rate), "Cesa-Bianchi and Lugosi 2006, Theorem 3.2", "regret",
                           result.ledger.expected_regret());
      return;
    }
    case ExpertsAlgorithm::hedge:
      play_hedge(table, options, options.rate ? FixedRate{*options.rate} : FixedRate::for_horizon(scale, table.rounds),
                 result);
      if (options.rate) {
        result.note = "with a given rate no theorem applies";
        return;
      }
      return set_bound(hedge_bound(table.rounds, experts), "Cesa-Bianchi and Lugosi 2006, Theorem 2.2");
    case ExpertsAlgorithm::consistent:
    case ExpertsAlgorithm::halving:
    case ExpertsAlgorithm::soa:
    case ExpertsAlgorithm::weighted_majority:
    case ExpertsAlgorithm::perceptron:
    case ExpertsAlgorithm::minnow:
      break;
  }
}

}  // namespace

std::string cannot_follow(const RoundTable& table, const FollowOptions& options) {
  const bool labels = plays_labels(options.algorithm);
  if (table.outcomes.empty() && (labels || options.algorithm == ExpertsAlgorithm::mixture))
    return table.rounds == 0 ? "there are no rounds" : "a table of losses has no outcomes to predict";
  if (labels && options.loss != Loss::zero_one) return "it predicts labels: only the zero-one loss applies";
  if (options.algorithm == ExpertsAlgorithm::mixture && options.loss != Loss::squared &&
      options.loss != Loss::logarithmic) {
    return "its bound needs an exp-concave loss: squared or log";
  }
  if (options.loss == Loss::logarithmic && options.algorithm != ExpertsAlgorithm::mixture) {
    return "its bound needs losses in [0, 1], and the log loss is unbounded";
  }
  if (options.algorithm == ExpertsAlgorithm::soa) {
    for (const double advice : table.values) {
      if (std::isnan(advice)) return "it needs all experts awake: the class must be known on all rounds";
    }
  }
  if (!table.outcomes.empty() && (options.loss == Loss::zero_one || options.loss == Loss::logarithmic) &&
      !std::all_of(table.outcomes.begin(), table.outcomes.end(), is_label)) {
    return "outcomes between 0 and 1 have no " + std::string(name_of(options.loss)) + " loss";
  }
  return "";
}

FollowResult follow(const RoundTable& table, const FollowOptions& options) {
  if (table.names.empty())
    throw Error(ErrorKind::usage, "the table has no experts").fix("give a table with one column an expert");
  if (!(options.beta >= 0 && options.beta < 1))
    throw Error(ErrorKind::usage, "beta must be at least 0 and below 1").fix("0.5 is common");
  if (options.rate && !(*options.rate >= 0 && std::isfinite(*options.rate)))
    throw Error(ErrorKind::usage, "a rate must be a finite number >= 0").fix("omit it for the rate of the bound");
  const std::string why_not = cannot_follow(table, options);
  if (!why_not.empty()) {
    throw Error(ErrorKind::usage, std::string(name_of(options.algorithm)) + " cannot run on this table: " + why_not)
        .fix(options.loss == Loss::logarithmic ? "use the mixture algorithm" : "choose another algorithm or loss");
  }
  FollowResult result;
  result.ledger = RegretLedger(table.names.size());
  if (options.record) result.path.emplace();
  const std::uint64_t experts = table.names.size();
  switch (options.algorithm) {
    case ExpertsAlgorithm::consistent:
      follow_version_space<Consistent>(table, consistent_bound(experts), "N - 1, some expert is always right", result);
      break;
    case ExpertsAlgorithm::halving:
      follow_version_space<Halving>(table, halving_bound(experts), "halving, log2 N, some expert is always right",
                                    result);
      break;
    case ExpertsAlgorithm::soa:
      follow_soa(table, options, result);
      break;
    case ExpertsAlgorithm::weighted_majority:
      follow_weighted_majority(table, options, result);
      break;
    case ExpertsAlgorithm::perceptron:
      follow_combiner(table, false, result);
      break;
    case ExpertsAlgorithm::minnow:
      follow_combiner(table, true, result);
      break;
    case ExpertsAlgorithm::hedge:
    case ExpertsAlgorithm::hedge_anytime:
    case ExpertsAlgorithm::hedge_doubling:
    case ExpertsAlgorithm::mixture:
      follow_hedge(table, options, result);
  }
  return result;
}

}  // namespace halfspace
