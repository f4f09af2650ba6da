// The labs of experts and bandits: finite classes, their dimension, and regret.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "halfspace/bandits/bandit.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/exp3_mix.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/soa.h"
#include "halfspace/regret/regret_bounds.h"
#include "lab/labs.h"
#include "stream/csv/table.h"

namespace halfspace::lab {
namespace {

using ClassTable = std::vector<std::vector<std::uint8_t>>;

ClassTable thresholds(std::size_t hypotheses) {
  ClassTable table(hypotheses, std::vector<std::uint8_t>(hypotheses - 1));
  for (std::size_t h = 0; h < hypotheses; ++h) {
    for (std::size_t x = h; x + 1 < hypotheses; ++x) table[h][x] = 1;
  }
  return table;
}

ClassTable singletons(std::size_t points) {
  ClassTable table(points, std::vector<std::uint8_t>(points));
  for (std::size_t x = 0; x < points; ++x) table[x][x] = 1;
  return table;
}

ClassTable parities(unsigned bits) {
  ClassTable table;
  for (unsigned a = 0; a < 1U << bits; ++a) {
    std::vector<std::uint8_t> h;
    for (unsigned x = 0; x < 1U << bits; ++x) h.push_back(static_cast<std::uint8_t>(std::popcount(a & x) & 1));
    table.push_back(std::move(h));
  }
  return table;
}

ClassTable random_class(Generator& draws, std::size_t hypotheses, std::size_t points) {
  ClassTable table(hypotheses, std::vector<std::uint8_t>(points));
  for (auto& h : table) {
    for (auto& label : h) label = draws.next() < 0.5 ? 1 : 0;
  }
  return table;
}

std::vector<double> advice_at(const ClassTable& table, std::size_t point) {
  std::vector<double> advice;
  advice.reserve(table.size());
  for (const auto& h : table) advice.push_back(h[point]);
  return advice;
}

// Walks down the tree, always against the prediction.
template <class Predict, class Reveal>
std::uint64_t forced(const MistakeTree& tree, const Predict& predict, const Reveal& reveal) {
  std::uint64_t mistakes = 0;
  for (std::size_t node = 0; node < tree.point.size();) {
    const int outcome = 1 - predict(tree.point[node]);
    ++mistakes;
    reveal(tree.point[node], outcome);
    node = 2 * node + 1 + static_cast<std::size_t>(outcome);
  }
  return mistakes;
}

template <class Player>
std::uint64_t forced(const ClassTable& table, const MistakeTree& tree) {
  Player player(table.size());
  return forced(
      tree, [&](std::size_t x) { return player.predict(advice_at(table, x)); },
      [&](std::size_t x, int y) { player.reveal(advice_at(table, x), y); });
}

}  // namespace

LabReport lab_halving(const LabSettings& settings) {
  LabReport report(
      "halving",
      "If one of N experts is perfect, halving errs at most log2 N times, and the first survivor at most N - 1 times.",
      "Littlestone 1988; halving on thresholds by binary search, consistent on singletons in order",
      {"experts", "halving", "bound", "consistent", "its bound"});
  report.draw("experts", {"halving", "consistent"}, {"bound", "its bound"});
  const std::size_t largest = settings.n > 0 ? std::max<std::size_t>(settings.n, 2) : 1024;
  for (std::size_t n = 2; n <= largest; n *= 2) {
    const ClassTable table = thresholds(n);
    Halving halving(n);
    std::uint64_t mistakes = 0;
    // The survivors are an interval of thresholds; asks at its middle and answers against the prediction.
    for (std::size_t low = 0, high = n; high - low > 1;) {
      stop_if(settings.interrupt);
      const std::size_t middle = (low + high) / 2;
      const auto advice = advice_at(table, middle - 1);
      const int outcome = 1 - halving.predict(advice);
      ++mistakes;
      halving.reveal(advice, outcome);
      (outcome == 1 ? high : low) = middle;
    }
    const ClassTable single = singletons(n);
    Consistent consistent(n);
    std::uint64_t slow = 0;
    for (std::size_t x = 0; x < n; ++x) {
      stop_if(settings.interrupt);
      const auto advice = advice_at(single, x);
      const int outcome = x + 1 < n ? 0 : 1;
      slow += consistent.predict(advice) != outcome;
      consistent.reveal(advice, outcome);
    }
    report.add({n, mistakes, halving_bound(n), slow, consistent_bound(n)},
               static_cast<double>(mistakes) == halving_bound(n) && static_cast<double>(slow) == consistent_bound(n));
  }
  report.conclude("Both bounds are met exactly.");
  return report;
}

LabReport lab_soa(const LabSettings& settings) {
  LabReport report("soa",
                   "An adversary forces exactly Ldim mistakes on SOA, and at least as many on any other learner.",
                   "Littlestone 1988; the adversary walks a shattered mistake tree against every prediction",
                   {"class", "hypotheses", "Ldim", "soa", "halving", "consistent", "log2 |H|"});
  Generator draws(settings.seed);
  std::vector<std::pair<std::string, ClassTable>> classes{
      {"thresholds", thresholds(64)}, {"singletons", singletons(40)}, {"parities of 4 bits", parities(4)}};
  for (const std::size_t points : {6u, 10u, 14u})
    classes.emplace_back(fmt::format("random, {} points", points),
                         random_class(draws, settings.n > 0 ? settings.n : 60, points));
  for (const auto& [name, table] : classes) {
    const FiniteClass of(table);
    Littlestone littlestone(of, Littlestone::default_budget, settings.interrupt);
    const Littlestone::Answer answer = littlestone.dimension();
    const MistakeTree tree = littlestone.tree(of.all(), answer.lower);
    Soa soa(of, Littlestone::default_budget, settings.interrupt);
    const std::uint64_t mistakes = forced(
        tree, [&](std::size_t x) { return soa.predict(x); }, [&](std::size_t x, int y) { soa.reveal(x, y); });
    // Past the tree no more mistakes can be forced, whatever is asked.
    std::uint64_t more = 0;
    for (std::size_t x = 0; x < of.points(); ++x) {
      const int predicted = soa.predict(x);
      const bool possible = soa.dimension(1 - predicted) >= 0;
      more += possible;
      soa.reveal(x, possible ? 1 - predicted : predicted);
    }
    report.add({name, of.size(), answer.lower, mistakes + more, forced<Halving>(table, tree),
                forced<Consistent>(table, tree), elementary::log2(static_cast<double>(of.size()))},
               answer.exact() && shatters(table, tree) && mistakes + more == static_cast<std::uint64_t>(answer.lower));
  }
  report.conclude("The tree was checked against the class: it proves that no learner does better.");
  return report;
}

LabReport lab_regret(const LabSettings& settings) {
  LabReport report("regret",
                   "The regret of each player stays below its bound, which grows like the square root of the rounds.",
                   "10 choices, losses drawn by a coin, one choice a little better; bandits: mean of 20 runs",
                   {"player", "rounds", "regret", "bound", "ratio", "regret / sqrt(T)"});
  report.draw("rounds", {"regret"}, {"bound"}, "player");
  const std::size_t choices = 10;
  const std::uint64_t largest = settings.n > 0 ? settings.n : 6400;
  for (std::uint64_t rounds = std::max<std::uint64_t>(largest / 64, 1); rounds <= largest; rounds *= 8) {
    Generator world(settings.seed);
    RoundTable table;
    table.rounds = rounds;
    for (std::size_t i = 0; i < choices; ++i) table.names.push_back(std::to_string(i));
    for (std::uint64_t t = 0; t < rounds; ++t) {
      for (std::size_t i = 0; i < choices; ++i) table.values.push_back(world.next() < (i == 3 ? 0.4 : 0.5) ? 1 : 0);
    }
    const auto add = [&](std::string_view name, double regret, double bound) {
      report.add(
          {std::string(name), rounds, regret, bound, regret / bound, regret / std::sqrt(static_cast<double>(rounds))},
          regret <= bound);
    };
    for (const ExpertsAlgorithm algorithm :
         {ExpertsAlgorithm::hedge, ExpertsAlgorithm::hedge_anytime, ExpertsAlgorithm::hedge_doubling}) {
      const FollowResult result = follow(table, {.algorithm = algorithm,
                                                 .loss = Loss::zero_one,
                                                 .beta = 0.5,
                                                 .rate = {},
                                                 .seed = settings.seed,
                                                 .interrupt = settings.interrupt});
      add(name_of(algorithm), result.ledger.expected_regret(), result.bound->value);
    }
    for (const BanditName name : values<BanditName>()) {
      double mean = 0;
      double bound = 0;
      for (std::uint64_t run = 0; run < 20; ++run) {
        const PullResult result = pull(table, {.name = name, .arms = 0, .rounds = 0, .delta = 0.05},
                                       settings.seed + run, false, settings.interrupt);
        mean += result.ledger.expected_regret() / 20;
        bound = result.bound.value;
      }
      add(name_of(name), mean, bound);
    }
  }
  report.conclude("The bandits' extra regret over Hedge is the cost of seeing one choice a round instead of ten.");
  return report;
}

LabReport lab_tails(const LabSettings& settings) {
  LabReport report(
      "tails",
      "Exp3's bound is one on the mean: single runs may regret a quarter of all rounds. Exp3.P and Exp3-IX have bounds "
      "that hold in a run with probability 0.95.",
      "2 arms, one loses 1/2 then nothing, the other nothing then 1, from half of the rounds on; 400 runs each",
      {"player", "rounds", "mean regret", "median", "95 % of runs below", "worst", "bound", "bound is of",
       "runs above it"});
  report.draw("rounds", {"95 % of runs below", "worst"}, {"bound"}, "player", false);
  const std::uint64_t rounds = settings.n > 0 ? settings.n : 10'000;
  constexpr std::size_t runs = 400;
  constexpr double delta = 0.05;
  RoundTable table;
  table.rounds = rounds;
  table.names = {"first worse", "then worse"};
  for (std::uint64_t t = 0; t < rounds; ++t) {
    table.values.push_back(2 * t < rounds ? 0.5 : 0);
    table.values.push_back(2 * t < rounds ? 0 : 1);
  }
  double worst_of_exp3 = 0, worst_of_others = -INFINITY;
  for (const BanditName name : {BanditName::exp3, BanditName::exp3p, BanditName::exp3_ix}) {
    std::vector<double> regret;
    double bound = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
      const PullResult result = pull(table, {.name = name, .arms = 0, .rounds = 0, .delta = delta}, settings.seed + run,
                                     false, settings.interrupt);
      regret.push_back(result.ledger.expected_regret());
      bound = result.bound.value;
    }
    std::sort(regret.begin(), regret.end());
    const double mean = std::accumulate(regret.begin(), regret.end(), 0.0) / runs;
    const auto above = regret.end() - std::upper_bound(regret.begin(), regret.end(), bound);
    const bool of_the_mean = name == BanditName::exp3;
    report.add({name_of(name), rounds, mean, regret[runs / 2], regret[runs * 95 / 100], regret.back(), bound,
                of_the_mean ? "the mean" : "95 % of runs", above},
               of_the_mean ? mean <= bound : static_cast<double>(above) <= delta * runs);
    if (of_the_mean) {
      worst_of_exp3 = regret.back();
    } else {
      worst_of_others = std::max(worst_of_others, regret.back());
    }
  }
  report.require(worst_of_exp3 > worst_of_others);
  report.conclude(
      fmt::format("Exp3's worst run regrets {:.0f} % of the rounds: one unlucky draw of an arm that is hardly drawn, "
                  "divided by its "
                  "probability, and the arm is given up for good.",
                  100 * worst_of_exp3 / static_cast<double>(rounds)));
  return report;
}

LabReport lab_exploration(const LabSettings& settings) {
  LabReport report(
      "exploration",
      "Exp3 draws uniformly in a share gamma of the rounds: every gamma has its bound, too small ones learn "
      "late, and 1 never uses what it learned.",
      "Auer et al. 2002, Theorem 3.1: (e - 1) gamma G + K ln K / gamma; 5 arms, mean of 20 runs",
      {"losses", "gamma", "regret", "bound", "ratio", "least probability", "gamma / K"});
  report.draw("gamma", {"regret"}, {"bound"}, "losses");
  const std::size_t arms = 5;
  const std::uint64_t rounds = settings.n > 0 ? settings.n : 5000;
  Generator world(settings.seed);
  for (const bool changes : {false, true}) {
    std::vector<double> losses, total(arms);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      for (std::size_t i = 0; i < arms; ++i) {
        // One arm is a little better; or another one is much better from a quarter of the rounds on.
        const double mean = i == 1 ? 0.4 : i == 2 && changes && 4 * t >= rounds ? 0 : 0.5;
        losses.push_back(world.next() < mean ? 1 : 0);
        total[i] += losses.back();
      }
    }
    const double least_loss = *std::min_element(total.begin(), total.end());
    const double largest_gain = static_cast<double>(rounds) - least_loss;
    const double tuned = Exp3Mix::best_mixing(arms, largest_gain);
    double best_bound = INFINITY, tuned_bound = INFINITY;
    for (const double gamma : {0.001, tuned / 4, tuned, std::min(4 * tuned, 1.0), 1.0}) {
      double regret = 0, least = 1;
      constexpr int runs = 20;
      for (int run = 0; run < runs; ++run) {
        Exp3Mix player(arms, gamma);
        Generator draws(settings.seed + 1000 + static_cast<std::uint64_t>(run));
        double paid = 0;
        for (std::uint64_t t = 0; t < rounds; ++t) {
          stop_if(settings.interrupt);
          const Play play = player.play(draws.next());
          const double* loss = losses.data() + t * arms;
          for (std::size_t i = 0; i < arms; ++i) {
            paid += player.last_distribution()[i] * loss[i];
            least = std::min(least, player.last_distribution()[i]);
          }
          player.learn(play, loss[play.arm]);
        }
        regret += (paid - least_loss) / runs;
      }
      const double bound = exp3_mix_bound(gamma, largest_gain, arms);
      best_bound = std::min(best_bound, bound);
      if (gamma == tuned) tuned_bound = bound;
      const double share = gamma / static_cast<double>(arms);
      // gamma = 1 never looks at what it learned: its regret is that of a uniform draw.
      const double uniform = std::accumulate(total.begin(), total.end(), 0.0) / static_cast<double>(arms) - least_loss;
      report.add({changes ? "another arm is best from T/4 on" : "one arm is better", gamma, regret, bound,
                  regret / bound, least, share},
                 regret <= bound && least >= share * (1 - 1e-12) &&
                     (gamma < 1 || std::abs(regret - uniform) <= 1e-9 * static_cast<double>(rounds)));
    }
    report.require(tuned_bound <= best_bound * (1 + 1e-12));
  }
  report.conclude("The third gamma of each five, sqrt(K ln K / ((e - 1) G)) or 1, has the least bound.");
  return report;
}

LabReport lab_doubling(const LabSettings& settings) {
  LabReport report(
      "doubling",
      "Hedge with the rate for T known has regret sqrt(T ln N / 2) at most; restarted at rounds 1, 2, 4 ... "
      "it needs no T, for 3.41 times the bound.",
      "Cesa-Bianchi and Lugosi 2006, Theorems 2.2 and 2.3; 2 choices, the more probable one always loses",
      {"player", "rounds", "regret", "bound", "ratio", "regret / sqrt(T)"});
  report.draw("rounds", {"regret"}, {"bound"}, "player");
  const std::uint64_t largest = settings.n > 0 ? settings.n : 6400;
  double known = 0, doubled = 0;
  for (std::uint64_t rounds = std::max<std::uint64_t>(largest / 64, 1); rounds <= largest; rounds *= 8) {
    const double scale = hedge_rate_scale(2), count = static_cast<double>(rounds);
    const auto add = [&](const char* name, auto rate, double bound, bool doubling = false) {
      Hedge player(2, rate);
      double regret = 0, total[] = {0, 0};
      bool restarts = true;
      for (std::uint64_t t = 1; t <= rounds; ++t) {
        stop_if(settings.interrupt);
        const auto p = player.distribution();
        // A round that begins a phase begins as the first one did.
        if (doubling && std::has_single_bit(t)) restarts = restarts && p[0] == 0.5 && p[1] == 0.5;
        const double losses[] = {p[0] >= p[1] ? 1.0 : 0.0, p[0] >= p[1] ? 0.0 : 1.0};
        total[0] += losses[0];
        total[1] += losses[1];
        regret += player.reveal(losses);
      }
      regret -= std::min(total[0], total[1]);
      report.add({name, rounds, regret, bound, regret / bound, regret / std::sqrt(count)}, regret <= bound && restarts);
      return regret;
    };
    known = add("T known", FixedRate::for_horizon(scale, rounds), hedge_bound(rounds, 2));
    // The theorem for any rate: ln N / rate + rate T / 8.
    const FixedRate short_guess = FixedRate::for_horizon(scale, std::max<std::uint64_t>(rounds / 64, 1));
    add("T / 64 guessed", short_guess, elementary::log(2.0) / short_guess.value + short_guess.value * count / 8);
    doubled = add("doubling", DoublingRate{scale}, hedge_doubling_bound(rounds, 2), true);
    add("decreasing rate", AnytimeRate{scale}, hedge_anytime_bound(rounds, 2));
  }
  report.conclude(fmt::format("Not knowing T, the doubling trick paid {:.2f} times the regret here.", doubled / known));
  return report;
}

LabReport lab_ldim(const LabSettings& settings) {
  TableFileOptions options;
  options.path = settings.data;
  options.interrupt = settings.interrupt;
  options.on_note = settings.on_note;
  stream::TableReader reader(options);
  ClassTable table;
  while (reader.next()) {
    std::vector<std::uint8_t> row;
    for (std::size_t c = 0; c < reader.columns().size(); ++c) {
      const double value = reader.number(c);
      if (value != 0 && value != 1 && value != -1)
        throw reader.error(c, "a hypothesis predicts 0 or 1 (or -1 or 1)", "a row is a hypothesis, a column a point");
      row.push_back(value == 1 ? 1 : 0);
    }
    table.push_back(std::move(row));
  }
  const FiniteClass of(table);
  Littlestone littlestone(of, Littlestone::default_budget, settings.interrupt);
  const Littlestone::Answer answer = littlestone.dimension();
  LabReport report("ldim",
                   "The Littlestone dimension: how many mistakes every deterministic learner can be forced to make, "
                   "and SOA at most.",
                   "a row of the table is a hypothesis, a column a point",
                   {"hypotheses", "points", "at least", "at most", "log2 |H|", "version spaces"});
  bool proved = true;
  if (answer.lower >= 0 && answer.lower <= 20) {
    const MistakeTree tree = littlestone.tree(of.all(), answer.lower);
    proved = shatters(table, tree);
    Json points = Json::array();
    for (const std::size_t x : tree.point) points.push_back(utf8(reader.columns()[x]));
    std::vector<std::size_t> rows = tree.row;
    for (std::size_t& row : rows) ++row;  // data rows are counted from 1
    report.attach("tree", {{"depth", tree.depth}, {"points", points}, {"rows", rows}});
  }
  report.attach("littlestone_dimension", answer.exact() ? Json(answer.lower) : Json(nullptr));
  report.add({of.size(), of.points(), answer.lower, answer.upper,
              of.size() == 0 ? 0.0 : elementary::log2(static_cast<double>(of.size())), littlestone.visited()},
             proved);
  report.conclude(answer.exact()
                      ? fmt::format("Ldim = {}: a shattered tree of that depth was found and checked ({} shows it), "
                                    "and there is no deeper one.",
                                    answer.lower, settings.style.rendered(option("json")))
                      : fmt::format("The budget of {} version spaces is spent: the dimension is between {} and {}.",
                                    Littlestone::default_budget, answer.lower, answer.upper));
  return report;
}

}  // namespace halfspace::lab
