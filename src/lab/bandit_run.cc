// Bandits: replays tables of all losses, and logs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/printable.h"
#include "base/stop.h"
#include "base/text_table.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/error.h"
#include "lab/event_replay.h"
#include "lab/experiment.h"
#include "report/results/figures.h"
#include "report/results/json.h"
#include "report/results/words.h"

namespace halfspace::lab {
namespace {

using report::largest_first;
using takes::between, takes::commas, takes::idle_with, takes::needs, takes::usually;

constexpr std::size_t shown_arms = 12;

// A table of all losses: runs every algorithm, `repeat` times each.
class TableReplay : public Experiment {
 public:
  explicit TableReplay(const ReplaySettings& settings) : settings_(settings) {
    style = settings.style;
    loaded_ = read_losses(settings_.table, false);
    const bool all = settings_.algorithm.empty() || settings_.algorithm == "all";
    for (const BanditName name : values<BanditName>()) {
      if (!all && name_of(name) != settings_.algorithm) continue;
      Runs runs{.name = name};
      for (std::uint64_t i = 0; i < settings_.repeat; ++i) {
        stop_if(settings_.interrupt);
        PullResult result =
            pull(loaded_.table, {.name = name, .arms = 0, .rounds = settings_.rounds, .delta = settings_.delta},
                 settings_.seed + i, settings_.figures && i == 0, settings_.interrupt);
        runs.regret.push_back(result.ledger.regret());
        runs.expected_regret += result.ledger.expected_regret() / static_cast<double>(settings_.repeat);
        runs.above += result.ledger.regret() > result.bound.value;
        if (i == 0) runs.first = std::move(result);
      }
      std::sort(runs.regret.begin(), runs.regret.end());
      runs_.push_back(std::move(runs));
    }
  }

 private:
  struct Runs {
    BanditName name;
    PullResult first = {};
    std::vector<double> regret = {};  // of each run, ascending
    double expected_regret = 0;       // mean over the runs
    std::uint64_t above = 0;          // runs above the bound

    double mean() const {
      return std::accumulate(regret.begin(), regret.end(), 0.0) / static_cast<double>(regret.size());
    }
    double quantile(double share) const {
      return regret[std::min(regret.size() - 1, static_cast<std::size_t>(share * static_cast<double>(regret.size())))];
    }
  };

  // Returns the run whose distribution is the answer: Exp3-IX's if it ran, since its bound holds for the run itself.
  const Runs& answer() const {
    for (const Runs& runs : runs_) {
      if (runs.name == BanditName::exp3_ix) return runs;
    }
    return runs_.front();
  }

  Json json_of(const Runs& runs) const {
    const RoundTable& table = loaded_.table;
    const PullResult& r = runs.first;
    const std::size_t best = r.ledger.best();
    Json j;
    j["algorithm"] = name_of(runs.name);
    j["rounds"] = r.ledger.rounds();
    j["loss"] = report::number(r.ledger.paid());
    j["expected_loss"] = report::number(r.ledger.expected());
    j["best"] = {{"name", utf8(table.names[best])}, {"loss", report::number(r.ledger.loss(best))}};
    j["regret"] = report::number(r.ledger.regret());
    j["expected_regret"] = report::number(r.ledger.expected_regret());
    j["bound"] = {{"value", report::number(r.bound.value)},
                  {"theorem", r.bound.theorem},
                  {"bounds", r.bound.bounds},
                  {"observed", report::number(r.bound.observed)},
                  {"vacuous", r.bound.value >= static_cast<double>(r.ledger.rounds())}};
    if (r.bound.bounds != "pseudo-regret") j["bound"]["probability"] = 1 - settings_.delta;
    j["weights"] = Json::object();
    for (const std::size_t i : largest_first(r.distribution)) j["weights"][utf8(table.names[i])] = r.distribution[i];
    for (std::size_t i = 0; i < table.names.size(); ++i) j["pulls"][utf8(table.names[i])] = r.pulls[i];
    if (r.path) j["path"] = report::path_figures(*r.path, table.names, largest_first(r.distribution));
    if (settings_.repeat > 1) {
      j["repeat"] = {
          {"runs", settings_.repeat},
          {"mean_regret", runs.mean()},
          {"mean_expected_regret", runs.expected_regret},
          {"quantiles", {{"0.05", runs.quantile(0.05)}, {"0.5", runs.quantile(0.5)}, {"0.95", runs.quantile(0.95)}}},
          {"share_above_bound", static_cast<double>(runs.above) / static_cast<double>(settings_.repeat)}};
    }
    return j;
  }

  Json json(Json j) const override {
    j.update(json_of(answer()));
    if (runs_.size() > 1) {
      for (const Runs& runs : runs_) j["algorithms"].push_back(json_of(runs));
    }
    return j;
  }

  std::string text() const override {
    if (loaded_.table.rounds == 0) return head() + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    return head() + "\n" + players() + "\n" + arms() + verdict();
  }

  std::string head() const {
    const RoundTable& table = loaded_.table;
    std::string text;
    const auto line = [&](std::string_view key, const std::string& value, const std::string& note) {
      text += fmt::format("  {:<10} {}   {}\n", key, value, dim(note));
    };
    line("data", fmt::format("{}, {}", counted(table.rounds, "round"), counted(table.names.size(), "arm")),
         "the player sees only the loss of the arm it pulls");
    if (loaded_.range)
      line("loss", settings_.table.gains ? "1 - gain" : "as given",
           fmt::format("values rescaled from {} … {} to 0 … 1", short_number(loaded_.range->first),
                       short_number(loaded_.range->second)));
    return text;
  }

  bool many() const { return settings_.repeat > 1; }
  bool is_vacuous(const Runs& runs) const {
    return runs.first.bound.value >= static_cast<double>(loaded_.table.rounds);
  }

  std::vector<std::string> player(const Runs& runs) const {
    const PullResult& r = runs.first;
    std::vector<std::string> cells{std::string(name_of(runs.name))};
    if (many()) {
      for (const double regret : {runs.mean(), runs.quantile(0.05), runs.quantile(0.95)})
        cells.push_back(fmt::format("{:+.1f}", regret));
    } else {
      cells.push_back(fmt::format("{:.1f}", r.ledger.paid()));
      for (const double regret : {r.ledger.regret(), r.ledger.expected_regret()})
        cells.push_back(fmt::format("{:+.1f}", regret));
    }
    cells.push_back(fmt::format("{}{}", report::fixed_up(r.bound.value, 1), is_vacuous(runs) ? "*" : ""));
    if (many()) cells.push_back(percent(static_cast<double>(runs.above), static_cast<double>(settings_.repeat)));
    const std::string share = r.bound.bounds == "pseudo-regret" ? "" : fmt::format(" {}", 1 - settings_.delta);
    cells.push_back(fmt::format("{}{}: {}", r.bound.bounds, share, r.bound.theorem));
    return cells;
  }

  std::string players() const {
    TextTable rows(many() ? std::vector<bool>{true, false, false, false, false, false, true}
                          : std::vector<bool>{true, false, false, false, false, true});
    if (many()) {
      rows.add({dim("player"), dim("mean regret"), dim("5 %"), dim("95 %"), dim("bound"), dim("runs above"),
                dim("quantity: theorem")});
    } else {
      rows.add({dim("player"), dim("loss"), dim("regret"), dim("expected"), dim("bound"), dim("quantity: theorem")});
    }
    for (const Runs& runs : runs_) rows.add(player(runs));
    std::string text = rows.text();
    if (std::any_of(runs_.begin(), runs_.end(), [this](const Runs& runs) { return is_vacuous(runs); }))
      text += dim(fmt::format("  * at least {}, the number of rounds: too few rounds for an informative bound\n",
                              grouped(loaded_.table.rounds)));
    if (many())
      text += dim(fmt::format("  {} runs each, seeds {} to {}\n", grouped(settings_.repeat), settings_.seed,
                              settings_.seed + settings_.repeat - 1));
    return text;
  }

  std::string arms() const {
    const RoundTable& table = loaded_.table;
    const PullResult& r = answer().first;
    TextTable rows({true, false, false, false, false});
    rows.add({dim("arm"), dim("loss"), dim("a round"), dim("pulled"),
              dim(fmt::format("probability ({})", name_of(answer().name)))});
    const std::vector<std::size_t> order = largest_first(r.distribution);
    for (std::size_t k = 0; k < order.size() && k < shown_arms; ++k) {
      const std::size_t i = order[k];
      rows.add({shortened(table.names[i], 32), fmt::format("{:.1f}", r.ledger.loss(i)),
                fmt::format("{:.4f}", r.ledger.loss(i) / static_cast<double>(table.rounds)), grouped(r.pulls[i]),
                fmt::format("{:.4f}", r.distribution[i])});
    }
    std::string text = rows.text();
    if (order.size() > shown_arms)
      text += dim(fmt::format("  … and {} more ({} lists all)\n", grouped(order.size() - shown_arms),
                              style.rendered(option("json"))));
    return text;
  }

  std::string verdict() const {
    const Runs& chosen = answer();
    const PullResult& r = chosen.first;
    const auto name = [this](std::size_t arm) { return shortened(loaded_.table.names[arm], 48); };
    const std::size_t best = r.ledger.best();
    const std::size_t first = largest_first(r.distribution).front();
    const bool undecided = r.distribution[first] < 0.5 && r.distribution.size() > 1;
    std::string text =
        "\n  " + bold(undecided ? "No arm stands out" : "Pull " + name(first)) +
        (undecided ? fmt::format(": {} would pull {} most often, with probability {:.2f}.", name_of(chosen.name),
                                 name(first), r.distribution[first])
                   : fmt::format(": {} would, with probability {:.2f}.", name_of(chosen.name), r.distribution[first]));
    text += first == best
                ? fmt::format(" It was also the best in hindsight, with a loss of {:.1f}.\n", r.ledger.loss(best))
                : fmt::format(" In hindsight {} was best, with a loss of {:.1f} against {:.1f}.\n", name(best),
                              r.ledger.loss(best), r.ledger.loss(first));
    return text + fmt::format(
                      "  Seeing one arm a round, {} lost {:.1f}: {:.1f} {} than the best arm; "
                      "the theorem allows {}{}.\n",
                      name_of(chosen.name), r.ledger.paid(), std::abs(r.ledger.regret()),
                      r.ledger.regret() >= 0 ? "more" : "less", report::fixed_up(r.bound.value, 1),
                      is_vacuous(chosen)
                          ? fmt::format(", which says nothing of {} rounds", grouped(loaded_.table.rounds))
                          : "");
  }

  ReplaySettings settings_;
  LoadedRoundTable loaded_;
  std::vector<Runs> runs_;
};

// A log with propensities: estimates the value of the logger, of each arm, and of a learning policy.
class LogReplay : public Experiment {
 public:
  explicit LogReplay(const ReplaySettings& settings) : log_(read_log(settings.log)), delta_(settings.delta) {
    style = settings.style;
    if (!log_.arms.empty()) result_ = replay_log(log_, delta_);
  }

 private:
  static Json interval(const Interval& i) {
    return {{"value", report::number(i.value)}, {"lower", report::number(i.lower)}, {"upper", report::number(i.upper)}};
  }
  static Json estimates(const OffPolicyEstimate& e) {
    return {{"ips", interval(e.ips())},
            {"snips", interval(e.snips())},
            {"effective_rows", e.effective_rows()},
            {"largest_weight", e.largest_weight()}};
  }
  static Json estimates(const PolicyValue& value) {
    Json j = estimates(value.estimate());
    j["proved"] = {{"value", interval(value.value())}, {"gain", interval(value.gain())}};
    j["proved"]["rounds_to_prove_a_gain"] = value.rounds_to_prove_a_gain();
    const PolicyValue::Change& change = value.change();
    if (change.proved())
      j["proved"]["changed"] = {{"at_most", change.low},
                                {"until_round", change.low_at},
                                {"at_least", change.high},
                                {"until_round_of_that", change.high_at}};
    return j;
  }

  std::size_t best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < log_.arms.size(); ++i) {
      if (result_.arm[i].snips().value > result_.arm[best].snips().value) best = i;
    }
    return best;
  }

  Json json(Json j) const override {
    j["algorithm"] = name_of(BanditName::exp3_ix_anytime);
    j["rounds"] = log_.action.size();
    j["confidence"] = 0.95;
    j["proved_confidence"] = 1 - delta_;
    if (log_.arms.empty()) return j;
    j["log"] = {{"action", utf8(log_.action_column)},
                {"reward", utf8(log_.reward_column)},
                {"propensity", utf8(log_.propensity_column)},
                {"floor", log_.floor},
                {"delta_each", result_.logger.delta()}};
    const double rows = static_cast<double>(log_.action.size());
    const Interval earned = learned();
    j["loss"] = rows * (1 - earned.value);
    j["best"] = {{"name", utf8(log_.arms[best()])}, {"loss", rows * (1 - result_.arm[best()].snips().value)}};
    j["regret"] = rows * (result_.arm[best()].snips().value - earned.value);
    j["bound"] = nullptr;  // a log does not show the losses of the other arms
    j["logger"] = estimates(result_.logger);
    j["uniform"] = estimates(result_.uniform);
    j["policy"] = estimates(result_.policy);
    j["mean_importance"] = result_.uniform.estimate().mean_weight();
    for (const std::size_t i : largest_first(result_.distribution))
      j["weights"][utf8(log_.arms[i])] = result_.distribution[i];
    for (std::size_t i = 0; i < log_.arms.size(); ++i)
      j["arms"][utf8(log_.arms[i])] =
          result_.proved_arm.empty() ? estimates(result_.arm[i]) : estimates(result_.proved_arm[i]);
    return j;
  }

  bool weights_are_off() const { return std::abs(result_.uniform.estimate().mean_weight() - 1) > 0.1; }
  // Returns what the learning policy would have earned: unbiased, unless the weights are off or have added up to more
  // than any reward.
  Interval learned() const {
    const OffPolicyEstimate& estimate = result_.policy.estimate();
    const Interval unbiased = estimate.ips();
    return weights_are_off() || unbiased.value > 1 ? estimate.snips() : unbiased;
  }

  static std::string bounds(const Interval& i) {
    return fmt::format("[{}, {}]", report::fixed_down(i.lower, 5), report::fixed_up(i.upper, 5));
  }

  std::string policies(const std::vector<std::size_t>& order) const {
    TextTable rows({true, false, false, false, false});
    rows.add({dim("policy"), dim("unbiased (IPS)"), dim("self-normalised, 95 %"),
              dim(fmt::format("proved, {} % at any time", short_number(100 * (1 - delta_)))), dim("effective rows")});
    const auto add = [&](const std::string& name, const OffPolicyEstimate& e, const std::string& proved) {
      rows.add({name, fmt::format("{:.5f}", e.ips().value),
                fmt::format("{:.5f}  {}", e.snips().value, bounds(e.snips())), proved,
                grouped(static_cast<std::uint64_t>(e.effective_rows()))});
    };
    const auto add_proved = [&](const std::string& name, const PolicyValue& value) {
      add(name, value.estimate(), bounds(value.value()));
    };
    add_proved("the logger itself", result_.logger);
    add_proved("uniform", result_.uniform);
    add_proved("exp3-ix, learning", result_.policy);
    for (std::size_t k = 0; k < order.size() && k < 5; ++k) {
      const std::string name = "always " + shortened(log_.arms[order[k]], 24);
      if (result_.proved_arm.empty())
        add(name, result_.arm[order[k]], "");
      else
        add_proved(name, result_.proved_arm[order[k]]);
    }
    std::string text = rows.text();
    if (order.size() > 5)
      text += dim(fmt::format("  … and {} ({} lists all)\n", counted(order.size() - 5, "more arm"),
                              style.rendered(option("json"))));
    return text + dim("  95 % asymptotic, of one row by itself; proved: of all rows together, at every time, "
                      "whatever drifts\n");
  }

  // Whether the best arm is proved better than the logger, or how far that is.
  std::string proof(std::size_t arm) const {
    if (result_.proved_arm.empty()) return " More than 100 arms: none of them is compared with a proof.\n";
    const PolicyValue& value = result_.proved_arm[arm];
    const Interval gain = value.gain();
    if (gain.lower > 0)
      return fmt::format(" Proved: always {} is worth at least {} more a round than the logger.\n",
                         shortened(log_.arms[arm], 48), report::fixed_down(gain.lower, 5));
    const std::uint64_t more = value.rounds_to_prove_a_gain();
    return more == 0 ? std::string(" The log does not prove it better than the logger.\n")
                     : fmt::format(
                           " The log does not prove it better than the logger; about {} more rounds like these "
                           "would.\n",
                           grouped(more));
  }

  std::string text() const override {
    std::string text = fmt::format("  {:<10} {}, {}   {}\n", "log", counted(log_.action.size(), "round"),
                                   counted(log_.arms.size(), "arm"), dim("reward a round"));
    if (log_.arms.empty()) return text + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    std::vector<double> value;
    for (const OffPolicyEstimate& e : result_.arm) value.push_back(e.snips().value);
    const std::vector<std::size_t> order = largest_first(value);
    text += "\n" + policies(order);
    if (weights_are_off()) {
      text += fmt::format(
          "\n  note: the mean of 1/(arms x propensity) is {:.2f} where 1 is expected: actions of small propensity are "
          "missing,\n"
          "        or the propensities belong to other actions; prefer the self-normalised column\n",
          result_.uniform.estimate().mean_weight());
    }
    const std::size_t first = order.front();
    text += "\n  " + bold("Pull " + shortened(log_.arms[first], 48)) +
            fmt::format(": it earned {:.5f} a round, the logger {:.5f}.\n", result_.arm[first].snips().value,
                        result_.logger.estimate().snips().value);
    text += " " + proof(first);
    const Interval policy = learned();
    text += fmt::format("  A policy that learns from this log would have earned {:.5f} a round, between {} and {}.\n",
                        policy.value, report::fixed_down(policy.lower, 5), report::fixed_up(policy.upper, 5));
    return text;
  }

  LoggedRounds log_;
  double delta_;
  LogResult result_;
};

// Returns the options of a bandit; a table is played by all algorithms unless one is named.
std::vector<Option> play_rows(ReplaySettings& settings) {
  std::vector<Option> rows = options_of(static_cast<BanditSettings&>(settings));
  for (Option& row : rows) {
    if (row.name == "algorithm")
      row.takes.choices.insert(row.takes.choices.begin(), OptionChoice{"all", "every algorithm (default)"});
    if (row.name == "rounds") row = idle_with("logged", std::move(row));
  }
  return rows;
}

std::vector<Option> role_rows(ReplaySettings& settings) {
  RoundTableOptions& table = settings.table;
  std::vector<Option> rows{
      {"columns", "COL,COL...", "the arms (default: every column)", &table.columns, commas()},
      {"drop", "COL,COL...", "columns to leave out", &table.drop, commas()},
      {"gains", "", "the columns are gains, not losses", &table.gains},
      {"ratios", "", "columns hold levels: a round is the ratio to the row before", &table.ratios},
      {"rises", "", "columns hold levels: the gain is 1 where one rises above the row before, else 0", &table.rises},
      usually("0,1", {"range", "LOW,HIGH", "the range of the values, rescaled to 0 … 1", &table.range}),
      usually("1", {"repeat", "N", "runs of each algorithm, with consecutive seeds (default 1)", &settings.repeat,
                    between(1, 1'000'000)})};
  for (Option& row : rows) row = idle_with("live", idle_with("logged", std::move(row)));
  return rows;
}

std::vector<Option> log_rows(ReplaySettings& settings) {
  LogOptions& log = settings.log;
  return {
      {"logged", "", "a row is an action, its reward and its propensity", &settings.logged},
      needs("logged", {"action", "COL", "the column of the action (default: action, item_id or arm)", &log.action}),
      needs("logged", {"reward", "COL", "the column of the reward, 0 to 1 (default: reward or click)", &log.reward}),
      needs("logged",
            {"propensity", "COL", "the column of the propensity (default: propensity, propensity_score or pscore)",
             &log.propensity}),
      needs("logged", usually("0", {"floor", "P",
                                    "every arm had at least this propensity in every row: narrower bounds (default 0: "
                                    "not known)",
                                    &log.floor, between(0, 1)})),
      needs("logged", {"policies", "POLICY,...",
                       "of a log of events with features: policies to value, as choose has them (default "
                       "squarecb,epsilon,greedy,exp3-ix,uniform)",
                       &settings.policies, commas()}),
      needs("logged", usually("0,1", {"reward-range", "LOW,HIGH",
                                      "of such a log: the least and the largest reward, which is minus the cost",
                                      [&settings](const std::string& text) {
                                        set_option(options_of(settings.chooser), "reward-range", text);
                                      }}))};
}

}  // namespace

std::vector<Option> options_of(ReplaySettings& settings) {
  std::vector<Option> options;
  add_group(options, "Algorithm", play_rows(settings));
  add_group(options, "A table of all losses", role_rows(settings));
  add_group(options, "A log", log_rows(settings));
  add_group(options, "Data", table_options(settings.table.table));
  add_group(options, "Data", missing_options(settings.table.table));
  return options;
}

std::unique_ptr<Experiment> run(const ReplaySettings& settings) {
  refuse_no_table(settings.table.path);
  ReplaySettings own = settings;
  own.log.path = own.table.path;
  own.log.table = own.table.table;
  for (TableFileOptions* const options :
       {static_cast<TableFileOptions*>(&own.table), static_cast<TableFileOptions*>(&own.log)}) {
    options->interrupt = own.interrupt;
    options->on_note = own.on_note;
  }
  if (!own.logged) return std::make_unique<TableReplay>(own);
  if (is_log_of_events(own)) return replay_events(own);
  if (!own.algorithm.empty() && own.algorithm != "exp3-ix-anytime")
    throw Error(ErrorKind::usage, "a log is replayed by exp3-ix-anytime").fix("leave " + option("algorithm") + " out");
  return std::make_unique<LogReplay>(own);
}

}  // namespace halfspace::lab
