// halfspace bandit: chooses an arm. Replays tables of all losses and logs; live mode is in bandit_live.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/bandit_live.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/bandits/logged_rounds.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/base/error.h"
#include "halfspace/experts/round_table.h"
#include "report/figures.h"
#include "report/words.h"

namespace halfspace::cli {
namespace {

struct BanditFlags : BanditSettings {
  RoundTableOptions table;
  TableFlags text;
  LogOptions log;
  LiveFlags live;
  std::uint64_t repeat = 1;
  bool logged = false, is_live = false, json = false;
  ReportFlags report;
};

constexpr std::size_t shown_arms = 12;

std::vector<std::size_t> largest_first(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  return order;
}

// A table of all losses: runs every algorithm, `repeat` times each.
class TableReplay {
 public:
  explicit TableReplay(const BanditFlags& flags) : flags_(flags) {}

  int run() {
    loaded_ = read_losses(flags_.table, false);
    const bool all = flags_.algorithm.empty() || flags_.algorithm == "all";
    for (const BanditName name : values<BanditName>()) {
      if (!all && name_of(name) != flags_.algorithm) continue;
      Runs runs{.name = name};
      for (std::uint64_t i = 0; i < flags_.repeat; ++i) {
        if (interrupted()) throw Error(ErrorKind::input_output, "interrupted");
        PullResult result =
            pull(loaded_.table, {.name = name, .arms = 0, .rounds = flags_.rounds, .delta = flags_.delta},
                 flags_.seed + i, flags_.report.wanted() && i == 0);
        runs.regret.push_back(result.ledger.regret());
        runs.expected_regret += result.ledger.expected_regret() / static_cast<double>(flags_.repeat);
        runs.above += result.ledger.regret() > result.bound.value;
        if (i == 0) runs.first = std::move(result);
      }
      std::sort(runs.regret.begin(), runs.regret.end());
      runs_.push_back(std::move(runs));
    }
    finish(
        flags_.json, flags_.report, [this] { return json(); }, [this] { return text(); });
    return 0;
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

  report::Json json_of(const Runs& runs) const {
    const RoundTable& table = loaded_.table;
    const PullResult& r = runs.first;
    const std::size_t best = r.ledger.best();
    report::Json j;
    j["algorithm"] = name_of(runs.name);
    j["rounds"] = r.ledger.rounds();
    j["loss"] = report::number(r.ledger.paid());
    j["expected_loss"] = report::number(r.ledger.expected());
    j["best"] = {{"name", report::utf8(table.names[best])}, {"loss", report::number(r.ledger.loss(best))}};
    j["regret"] = report::number(r.ledger.regret());
    j["expected_regret"] = report::number(r.ledger.expected_regret());
    j["bound"] = {{"value", report::number(r.bound.value)},
                  {"theorem", r.bound.theorem},
                  {"bounds", r.bound.bounds},
                  {"observed", report::number(r.bound.observed)},
                  {"vacuous", r.bound.value >= static_cast<double>(r.ledger.rounds())}};
    if (r.bound.bounds != "pseudo-regret") j["bound"]["probability"] = 1 - flags_.delta;
    j["weights"] = report::Json::object();
    for (const std::size_t i : largest_first(r.distribution))
      j["weights"][report::utf8(table.names[i])] = r.distribution[i];
    for (std::size_t i = 0; i < table.names.size(); ++i) j["pulls"][report::utf8(table.names[i])] = r.pulls[i];
    if (r.path) j["path"] = report::path_figures(*r.path, table.names, largest_first(r.distribution));
    if (flags_.repeat > 1) {
      j["repeat"] = {
          {"runs", flags_.repeat},
          {"mean_regret", runs.mean()},
          {"mean_expected_regret", runs.expected_regret},
          {"quantiles", {{"0.05", runs.quantile(0.05)}, {"0.5", runs.quantile(0.5)}, {"0.95", runs.quantile(0.95)}}},
          {"share_above_bound", static_cast<double>(runs.above) / static_cast<double>(flags_.repeat)}};
    }
    return j;
  }

  report::Json json() const {
    report::Json j = run_json("bandit", flags_.report);
    j.update(json_of(answer()));
    if (runs_.size() > 1) {
      for (const Runs& runs : runs_) j["algorithms"].push_back(json_of(runs));
    }
    return j;
  }

  std::string text() const {
    if (loaded_.table.rounds == 0) return head() + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    return head() + "\n" + players() + "\n" + arms() + verdict();
  }

  std::string head() const {
    const RoundTable& table = loaded_.table;
    std::string text;
    const auto line = [&text](std::string_view key, const std::string& value, const std::string& note) {
      text += fmt::format("  {:<10} {}   {}\n", key, value, dim(note));
    };
    line("data", fmt::format("{}, {}", counted(table.rounds, "round"), counted(table.names.size(), "arm")),
         "the player sees only the loss of the arm it pulls");
    if (loaded_.range)
      line("loss", flags_.table.gains ? "1 - gain" : "as given",
           fmt::format("values rescaled from {} … {} to 0 … 1", short_number(loaded_.range->first),
                       short_number(loaded_.range->second)));
    return text;
  }

  bool many() const { return flags_.repeat > 1; }
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
    if (many()) cells.push_back(percent(static_cast<double>(runs.above), static_cast<double>(flags_.repeat)));
    const std::string share = r.bound.bounds == "pseudo-regret" ? "" : fmt::format(" {}", 1 - flags_.delta);
    cells.push_back(fmt::format("{}{}: {}", r.bound.bounds, share, r.bound.theorem));
    return cells;
  }

  std::string players() const {
    Table rows(many() ? std::vector<bool>{true, false, false, false, false, false, true}
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
      text += dim(fmt::format("  {} runs each, seeds {} to {}\n", grouped(flags_.repeat), flags_.seed,
                              flags_.seed + flags_.repeat - 1));
    return text;
  }

  std::string arms() const {
    const RoundTable& table = loaded_.table;
    const PullResult& r = answer().first;
    Table rows({true, false, false, false, false});
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
      text += dim(fmt::format("  … and {} more (--json lists all)\n", grouped(order.size() - shown_arms)));
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

  const BanditFlags& flags_;
  LoadedRoundTable loaded_;
  std::vector<Runs> runs_;
};

// A log with propensities: estimates the value of the logger, of each arm, and of a learning policy.
class LogReplay {
 public:
  explicit LogReplay(const BanditFlags& flags) : flags_(flags) {}

  int run() {
    log_ = read_log(flags_.log);
    if (!log_.arms.empty()) result_ = replay_log(log_);
    finish(
        flags_.json, flags_.report, [this] { return json(); }, [this] { return text(); });
    return 0;
  }

 private:
  static report::Json interval(const Interval& i) {
    return {{"value", report::number(i.value)}, {"lower", report::number(i.lower)}, {"upper", report::number(i.upper)}};
  }
  static report::Json estimates(const OffPolicyEstimate& e) {
    return {{"ips", interval(e.ips())},
            {"snips", interval(e.snips())},
            {"effective_rows", e.effective_rows()},
            {"largest_weight", e.largest_weight()}};
  }

  std::size_t best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < log_.arms.size(); ++i) {
      if (result_.arm[i].snips().value > result_.arm[best].snips().value) best = i;
    }
    return best;
  }

  report::Json json() const {
    report::Json j = run_json("bandit", flags_.report);
    j["algorithm"] = name_of(BanditName::exp3_ix_anytime);
    j["rounds"] = log_.action.size();
    j["confidence"] = 0.95;
    if (log_.arms.empty()) return j;
    const double rows = static_cast<double>(log_.action.size());
    const Interval earned = learned();
    j["loss"] = rows * (1 - earned.value);
    j["best"] = {{"name", report::utf8(log_.arms[best()])}, {"loss", rows * (1 - result_.arm[best()].snips().value)}};
    j["regret"] = rows * (result_.arm[best()].snips().value - earned.value);
    j["bound"] = nullptr;  // a log does not show the losses of the other arms
    j["logger"] = estimates(result_.logger);
    j["uniform"] = estimates(result_.uniform);
    j["policy"] = estimates(result_.policy);
    j["mean_importance"] = result_.uniform.mean_weight();
    for (const std::size_t i : largest_first(result_.distribution))
      j["weights"][report::utf8(log_.arms[i])] = result_.distribution[i];
    for (std::size_t i = 0; i < log_.arms.size(); ++i)
      j["arms"][report::utf8(log_.arms[i])] = estimates(result_.arm[i]);
    return j;
  }

  bool weights_are_off() const { return std::abs(result_.uniform.mean_weight() - 1) > 0.1; }
  // Returns what the learning policy would have earned: unbiased, unless the weights are off or have added up to more
  // than any reward.
  Interval learned() const {
    const Interval unbiased = result_.policy.ips();
    return weights_are_off() || unbiased.value > 1 ? result_.policy.snips() : unbiased;
  }

  static std::string shown(const Interval& i) {
    return fmt::format("{:.5f}  [{}, {}]", i.value, report::fixed_down(i.lower, 5), report::fixed_up(i.upper, 5));
  }

  std::string text() const {
    std::string text =
        fmt::format("  {:<10} {}, {}   {}\n", "log", counted(log_.action.size(), "round"),
                    counted(log_.arms.size(), "arm"), dim("reward a round, with 95 % intervals (asymptotic)"));
    if (log_.arms.empty()) return text + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    Table rows({true, false, false, false});
    rows.add({dim("policy"), dim("unbiased (IPS)"), dim("self-normalised"), dim("effective rows")});
    const auto add = [&](const std::string& name, const OffPolicyEstimate& e) {
      rows.add({name, shown(e.ips()), shown(e.snips()), grouped(static_cast<std::uint64_t>(e.effective_rows()))});
    };
    add("the logger itself", result_.logger);
    add("uniform", result_.uniform);
    add("exp3-ix, learning", result_.policy);
    std::vector<double> value;
    for (const OffPolicyEstimate& e : result_.arm) value.push_back(e.snips().value);
    const std::vector<std::size_t> order = largest_first(value);
    for (std::size_t k = 0; k < order.size() && k < 5; ++k)
      add("always " + shortened(log_.arms[order[k]], 24), result_.arm[order[k]]);
    text += "\n" + rows.text();
    if (order.size() > 5)
      text += dim(fmt::format("  … and {} (--json lists all)\n", counted(order.size() - 5, "more arm")));
    const double weight = result_.uniform.mean_weight();
    if (weights_are_off()) {
      text += fmt::format(
          "\n  note: the mean of 1/(arms x propensity) is {:.2f} where 1 is expected: actions of small propensity are "
          "missing,\n"
          "        or the propensities belong to other actions; prefer the self-normalised column\n",
          weight);
    }
    const std::size_t first = order.front();
    const Interval best_arm = result_.arm[first].snips();
    const Interval logger = result_.logger.snips();
    text += "\n  " + bold("Pull " + shortened(log_.arms[first], 48)) +
            fmt::format(": it earned {:.5f} a round, the logger {:.5f}.", best_arm.value, logger.value);
    text += best_arm.lower > logger.value
                ? " Its interval lies above the logger's value"
                : " But its interval contains the logger's value: the log is too short to distinguish them";
    if (best_arm.lower > logger.value && order.size() > 1)
      text += fmt::format(", but the best of {} arms is partly luck.\n", order.size());
    else
      text += ".\n";
    const Interval policy = learned();
    text += fmt::format("  A policy that learns from this log would have earned {:.5f} a round, between {} and {}.\n",
                        policy.value, report::fixed_down(policy.lower, 5), report::fixed_up(policy.upper, 5));
    return text;
  }

  const BanditFlags& flags_;
  LoggedRounds log_;
  LogResult result_;
};

int run_bandit(const BanditFlags& flags) {
  if (flags.is_live) {
    if (!flags.table.path.empty() && flags.table.path != "-")
      throw Error(ErrorKind::usage, "--live reads standard input, not " + flags.table.path).fix("leave the file out");
    if (flags.report.wanted())
      throw Error(ErrorKind::usage, "--live writes no report").fix("leave out --report, --save-run and --figures");
    if (flags.algorithm == "all")
      throw Error(ErrorKind::usage, "--live runs one algorithm").fix("name it with --algorithm");
    return serve_live(flags.live, bandit_options(flags, 0), flags.seed);
  }
  if (flags.table.path.empty())
    throw Error(ErrorKind::usage, "no data given").fix("name a CSV file, or - for standard input; or add --live");
  if (flags.logged) {
    if (!flags.algorithm.empty() && flags.algorithm != "exp3-ix-anytime")
      throw Error(ErrorKind::usage, "a log is replayed by exp3-ix-anytime").fix("leave --algorithm out");
    BanditFlags with_path = flags;
    with_path.log.path = flags.table.path;
    return LogReplay(with_path).run();
  }
  return TableReplay(flags).run();
}

// Returns the options of a bandit; a table is played by all algorithms unless one is named.
std::vector<Row> play_rows(BanditFlags& flags) {
  std::vector<Row> rows = options_of(flags);
  for (Row& row : rows) {
    if (row.name == "algorithm")
      row.takes.choices.insert(row.takes.choices.begin(), FlagChoice{"all", "every algorithm (default)"});
    if (row.name == "rounds" || row.name == "delta") row = idle_with("logged", std::move(row));
  }
  return rows;
}

std::vector<Row> role_rows(BanditFlags& flags) {
  RoundTableOptions& table = flags.table;
  std::vector<Row> rows{
      {"--columns", "COL,COL...", "the arms (default: every column)", &table.columns, commas()},
      {"--drop", "COL,COL...", "columns to leave out", &table.drop, commas()},
      {"--gains", "", "the columns are gains, not losses", &table.gains},
      {"--ratios", "", "columns hold levels: a round is the ratio to the row before", &table.ratios},
      {"--rises", "", "columns hold levels: the gain is 1 where one rises above the row before, else 0", &table.rises},
      usually("0,1", {"--range", "LOW,HIGH", "the range of the values, rescaled to 0 … 1", &table.range}),
      usually("1", {"--repeat", "N", "runs of each algorithm, with consecutive seeds (default 1)", &flags.repeat,
                    between(1, 1'000'000)})};
  for (Row& row : rows) row = idle_with("live", idle_with("logged", std::move(row)));
  return rows;
}

std::vector<Row> log_rows(BanditFlags& flags) {
  LogOptions& log = flags.log;
  return {
      {"--logged", "", "a row is an action, its reward and its propensity", &flags.logged},
      needs("logged", {"--action", "COL", "the column of the action (default: action, item_id or arm)", &log.action}),
      needs("logged", {"--reward", "COL", "the column of the reward, 0 to 1 (default: reward or click)", &log.reward}),
      needs("logged",
            {"--propensity", "COL", "the column of the propensity (default: propensity, propensity_score or pscore)",
             &log.propensity})};
}

std::vector<Row> live_rows(BanditFlags& flags) {
  LiveFlags& live = flags.live;
  return {
      {"--live", "", "serve JSON Lines on standard input and output", &flags.is_live},
      needs("live", {"--arms", "N|NAME,NAME...", "the number of arms (named 0, 1 ...), or their names", &live.arms}),
      needs("live", {"--state", "FILE", "keep the state in FILE and FILE.journal, and continue from it", &live.state,
                     state_file()}),
      needs("live", {"--sync", "", "acknowledged lines survive a power cut; slower", &live.sync})};
}

}  // namespace

Command bandit_command() {
  auto flags = std::make_shared<BanditFlags>();
  flags->table.interrupt = flags->log.interrupt = &interrupted();
  Command command(
      "bandit", "adversarial bandits: choose an arm, with regret bounds",
      {{"halfspace bandit losses.csv --repeat 100", "one column an arm, one row a round; 100 runs of every algorithm"},
       {"halfspace bandit prices.csv --gains --ratios --range 0.5,1.5",
        "levels instead of losses: a round is the ratio to the row before"},
       {"halfspace bandit log.csv --logged --action item_id --reward click",
        "a log with propensities: the value of every arm"},
       {"halfspace bandit --live --arms red,green,blue --state colours.state",
        "{\"ask\":true} gives {\"arm\":\"red\",\"p\":0.33,\"ticket\":1}; then {\"ticket\":1,\"loss\":0.2}"}});
  command.common = {"help", "algorithm", "rounds", "live", "state", "logged", "report"};
  command.add(
      {{"DATA", "", "CSV; plain, gzip, zstd, xz or bzip2; - is standard input", &flags->table.path, input_file()}});
  command.add("Algorithm", play_rows(*flags));
  command.add("A table of all losses", role_rows(*flags));
  command.add("A log", log_rows(*flags));
  command.add(kDataGroup, table_options(flags->text));
  command.add(kDataGroup, missing_options(flags->text));
  command.add("Live", live_rows(*flags));
  command.add(kOutputGroup, {json_row(flags->json)});
  command.add(kOutputGroup, report_rows(flags->report));
  command.run = [flags](const Given&) {
    options_to_read(flags->text, flags->table);
    options_to_read(flags->text, flags->log);
    return run_bandit(*flags);
  };
  return command;
}

}  // namespace halfspace::cli
