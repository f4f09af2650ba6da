// halfspace bandit: which arm to pull. Replays of full tables and of logs; the live mode is in bandit_live.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/bandit_live.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/round_table.h"
#include "cli/terminal.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/error.h"
#include "report/figures.h"

namespace halfspace::cli {
namespace {

struct BanditFlags {
  TableFlags table;
  LogFlags log;
  LiveFlags live;
  std::string algorithm;
  std::uint64_t rounds = 0, seed = 1, repeat = 1;
  double delta = 0.05;
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

// A table of all losses: every algorithm, optional_number many runs of each.
class TableReplay {
 public:
  explicit TableReplay(const BanditFlags& flags) : flags_(flags) {}

  int run() {
    loaded_ = read_losses(flags_.table, false);
    const bool all = flags_.algorithm.empty() || flags_.algorithm == "all";
    for (const BanditName name : every_bandit) {
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
    if (flags_.json || flags_.report.wanted()) {
      const report::Json j = json();
      write_report(flags_.report, j);
      if (flags_.json) print_result(dumped(j));
    }
    if (!flags_.json) print_result(text());
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

  // Whose distribution answers the question: Exp3-IX's where it was played, since its promise is for the run itself.
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
    const RoundTable& table = loaded_.table;
    std::string text;
    const auto line = [&text](std::string_view key, const std::string& value, const std::string& note = "") {
      text += fmt::format("  {:<10} {}{}\n", key, value, note.empty() ? "" : "   " + dim(note));
    };
    line("data", fmt::format("{} rounds, {} arms", grouped(table.rounds), grouped(table.names.size())),
         "the player sees the loss of its own arm alone");
    if (loaded_.range)
      line("loss", flags_.table.gains ? "1 - gain" : "as the table says",
           fmt::format("values rescaled from {} … {} to 0 … 1", short_number(loaded_.range->first),
                       short_number(loaded_.range->second)));
    if (table.rounds == 0) return text + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    const bool many = flags_.repeat > 1;
    Table rows(many ? std::vector<bool>{true, false, false, false, false, false, true}
                    : std::vector<bool>{true, false, false, false, false, true});
    if (many) {
      rows.add({dim("player"), dim("mean regret"), dim("5 %"), dim("95 %"), dim("bound"), dim("runs above"),
                dim("of what, by which theorem")});
    } else {
      rows.add(
          {dim("player"), dim("loss"), dim("regret"), dim("expected"), dim("bound"), dim("of what, by which theorem")});
    }
    bool vacuous = false;
    for (const Runs& runs : runs_) {
      const PullResult& r = runs.first;
      const bool says_nothing = r.bound.value >= static_cast<double>(table.rounds);
      vacuous = vacuous || says_nothing;
      const std::string theorem =
          fmt::format("{}{}: {}", r.bound.bounds,
                      r.bound.bounds == "pseudo-regret" ? "" : fmt::format(" {}", 1 - flags_.delta), r.bound.theorem);
      const std::string bound = fmt::format("{:.1f}{}", r.bound.value, says_nothing ? "*" : "");
      if (many) {
        rows.add({std::string(name_of(runs.name)), fmt::format("{:+.1f}", runs.mean()),
                  fmt::format("{:+.1f}", runs.quantile(0.05)), fmt::format("{:+.1f}", runs.quantile(0.95)), bound,
                  percent(static_cast<double>(runs.above), static_cast<double>(flags_.repeat)), theorem});
      } else {
        rows.add({std::string(name_of(runs.name)), fmt::format("{:.1f}", r.ledger.paid()),
                  fmt::format("{:+.1f}", r.ledger.regret()), fmt::format("{:+.1f}", r.ledger.expected_regret()), bound,
                  theorem});
      }
    }
    text += "\n" + rows.text();
    if (vacuous)
      text += dim(fmt::format("  * at least {}, the rounds: so few rounds that the theorem says nothing\n",
                              grouped(table.rounds)));
    if (many)
      text += dim(fmt::format("  {} runs each, seeds {} to {}\n", grouped(flags_.repeat), flags_.seed,
                              flags_.seed + flags_.repeat - 1));
    const Runs& chosen = answer();
    const PullResult& r = chosen.first;
    Table arms({true, false, false, false, false});
    arms.add({dim("arm"), dim("loss"), dim("a round"), dim("pulled"),
              dim(fmt::format("probability ({})", name_of(chosen.name)))});
    const std::vector<std::size_t> order = largest_first(r.distribution);
    for (std::size_t k = 0; k < order.size() && k < shown_arms; ++k) {
      const std::size_t i = order[k];
      arms.add({shortened(table.names[i], 32), fmt::format("{:.1f}", r.ledger.loss(i)),
                fmt::format("{:.4f}", r.ledger.loss(i) / static_cast<double>(table.rounds)), grouped(r.pulls[i]),
                fmt::format("{:.4f}", r.distribution[i])});
    }
    text += "\n" + arms.text();
    if (order.size() > shown_arms)
      text += dim(fmt::format("  … and {} more (all of them with --json)\n", grouped(order.size() - shown_arms)));
    const std::size_t best = r.ledger.best();
    const std::size_t first = order.front();
    const bool undecided = r.distribution[first] < 0.5 && order.size() > 1;
    text +=
        "\n  " + bold((undecided ? "No arm stands out" : "Pull " + shortened(table.names[first], 48))) +
        (undecided ? fmt::format(": {} would pull {} with probability {:.2f}, and no other as often.",
                                 name_of(chosen.name), shortened(table.names[first], 48), r.distribution[first])
                   : fmt::format(": {} would, with probability {:.2f}.", name_of(chosen.name), r.distribution[first]));
    text += first == best
                ? fmt::format(" It was the best in hindsight, too, with a loss of {:.1f}.\n", r.ledger.loss(best))
                : fmt::format(" In hindsight {} was best, with a loss of {:.1f} against {:.1f}.\n",
                              shortened(table.names[best], 48), r.ledger.loss(best), r.ledger.loss(first));
    text += fmt::format(
        "  Seeing one arm a round, {} paid {:.1f}: {:.1f} {} than the best arm; the theorem allows {:.1f}.\n",
        name_of(chosen.name), r.ledger.paid(), std::abs(r.ledger.regret()), r.ledger.regret() >= 0 ? "more" : "less",
        r.bound.value);
    return text;
  }

  const BanditFlags& flags_;
  LoadedTable loaded_;
  std::vector<Runs> runs_;
};

// A log with propensities: what the logger, each arm, and a learning policy are worth.
class LogReplay {
 public:
  explicit LogReplay(const BanditFlags& flags) : flags_(flags) {}

  int run() {
    log_ = read_log(flags_.log);
    if (!log_.arms.empty()) result_ = replay_log(log_);
    if (flags_.json || flags_.report.wanted()) {
      const report::Json j = json();
      write_report(flags_.report, j);
      if (flags_.json) print_result(dumped(j));
    }
    if (!flags_.json) print_result(text());
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
    const Interval earned = result_.policy.ips();
    j["loss"] = rows * (1 - earned.value);
    j["best"] = {{"name", report::utf8(log_.arms[best()])}, {"loss", rows * (1 - result_.arm[best()].snips().value)}};
    j["regret"] = rows * (result_.arm[best()].snips().value - earned.value);
    j["bound"] = nullptr;  // the log hides what the other arms would have cost
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

  static std::string shown(const Interval& i) {
    return fmt::format("{:.5f}  [{:.5f}, {:.5f}]", i.value, i.lower, i.upper);
  }

  std::string text() const {
    std::string text = fmt::format("  {:<10} {} rounds, {} arms   {}\n", "log", grouped(log_.action.size()),
                                   grouped(log_.arms.size()), dim("reward a round, with 95 % intervals (asymptotic)"));
    if (log_.arms.empty()) return text + "\n  " + bold("No rounds, nothing to learn.") + "\n";
    Table rows({true, false, false, false});
    rows.add({dim("policy"), dim("unbiased (IPS)"), dim("self-normalised"), dim("worth rows")});
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
      text += dim(fmt::format("  … and {} more arms (all of them with --json)\n", grouped(order.size() - 5)));
    const double weight = result_.uniform.mean_weight();
    if (std::abs(weight - 1) > 0.1) {
      text += fmt::format(
          "\n  note: the mean of 1/(arms x propensity) is {:.2f} where 1 is expected: actions of small propensity are "
          "missing,\n"
          "        or the propensities are not those of the actions; trust the self-normalised column more\n",
          weight);
    }
    const std::size_t first = order.front();
    const Interval best_arm = result_.arm[first].snips();
    const Interval logger = result_.logger.snips();
    text += "\n  " + bold("Pull " + shortened(log_.arms[first], 48)) +
            fmt::format(": it earned {:.5f} a round, the logger {:.5f}.", best_arm.value, logger.value);
    text += best_arm.lower > logger.value
                ? " Its interval lies above the logger's value"
                : " But its interval holds the logger's value: the log is too short to tell them apart";
    if (best_arm.lower > logger.value && order.size() > 1)
      text += fmt::format(", though it is the luckiest of {} arms.\n", order.size());
    else
      text += ".\n";
    const Interval policy = result_.policy.ips();
    text += fmt::format(
        "  A policy that learns from this log as it goes would have earned {:.5f} a round, between {:.5f} and "
        "{:.5f}.\n",
        policy.value, policy.lower, policy.upper);
    return text;
  }

  const BanditFlags& flags_;
  LoggedRounds log_;
  LogResult result_;
};

int run_bandit(const BanditFlags& flags) {
  if (flags.is_live) {
    if (!flags.table.path.empty())
      throw Error(ErrorKind::usage, "--live reads standard input, not " + flags.table.path).fix("leave the file out");
    if (flags.report.wanted())
      throw Error(ErrorKind::usage, "--live leaves no report").fix("leave out --report and --figures");
    BanditOptions options{.name = BanditName::exp3_ix_anytime, .arms = 0, .rounds = flags.rounds, .delta = flags.delta};
    if (flags.algorithm == "all")
      throw Error(ErrorKind::usage, "--live plays one algorithm").fix("name it with --algorithm");
    if (!flags.algorithm.empty()) options.name = *bandit_named(flags.algorithm);
    return serve_live(flags.live, options, flags.seed);
  }
  if (!flags.live.arms.empty() || !flags.live.state.empty() || flags.live.sync)
    throw Error(ErrorKind::usage, "--arms, --state and --sync are for --live").fix("add --live, or leave them out");
  if (flags.table.path.empty())
    throw Error(ErrorKind::usage, "which data?").fix("name a CSV file, or - for standard input; or add --live");
  if (flags.logged) {
    if (!flags.algorithm.empty() && flags.algorithm != "exp3-ix-anytime")
      throw Error(ErrorKind::usage, "a log is replayed by exp3-ix-anytime").fix("leave --algorithm out");
    BanditFlags with_path = flags;
    with_path.log.path = flags.table.path;
    return LogReplay(with_path).run();
  }
  return TableReplay(flags).run();
}

}  // namespace

void add_bandit(CLI::App& app, Action& action) {
  auto flags = std::make_shared<BanditFlags>();
  CLI::App* command = add_command(
      app, "bandit", "which arm to pull: adversarial bandits",
      {{"halfspace bandit losses.csv --repeat 100", "a column an arm, a row a round: 100 runs of every algorithm"},
       {"halfspace bandit prices.csv --gains --ratios --range 0.5,1.5",
        "levels instead of losses: a round is the ratio to the row before"},
       {"halfspace bandit log.csv --logged --action item_id --reward click",
        "a log with propensities: what was every arm worth?"},
       {"halfspace bandit --live --arms red,green,blue --state colours.state",
        "{\"ask\":true} gives {\"arm\":\"red\",\"p\":0.33,\"ticket\":1}; then {\"ticket\":1,\"loss\":0.2}"}});
  command->add_option("DATA", flags->table.path, "CSV with a header; plain, gzip or zstd; - is standard input");
  const std::string data = "A table of all losses";
  command->add_option("--columns", flags->table.columns, "the arms (default: every column)")
      ->type_name("COL")
      ->delimiter(',')
      ->group(data);
  command->add_option("--drop", flags->table.drop, "columns to leave out")
      ->type_name("COL")
      ->delimiter(',')
      ->group(data);
  command->add_flag("--gains", flags->table.gains, "the columns are gains, not losses")->group(data);
  command
      ->add_flag("--ratios", flags->table.ratios, "a column holds levels, and a round is the ratio to the row before")
      ->group(data);
  command
      ->add_flag("--rises", flags->table.rises,
                 "the columns hold levels: the gain is 1 where one rises above the row before, else 0")
      ->group(data);
  command->add_option("--range", flags->table.range, "the limits of the values, rescaled to 0 … 1")
      ->type_name("LOW,HIGH")
      ->group(data);
  command->add_option("--repeat", flags->repeat, "so many runs of each, with seeds one after the other (default 1)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->type_name("N")
      ->group(data);
  const std::string logged = "A log";
  command->add_flag("--logged", flags->logged, "a row is what was done, what came of it, and how likely it was")
      ->group(logged);
  command->add_option("--action", flags->log.action, "its column (default: action, item_id or arm)")
      ->type_name("COL")
      ->group(logged);
  command->add_option("--reward", flags->log.reward, "its column, from 0 to 1 (default: reward or click)")
      ->type_name("COL")
      ->group(logged);
  command
      ->add_option("--propensity", flags->log.propensity,
                   "its column (default: propensity, propensity_score or pscore)")
      ->type_name("COL")
      ->group(logged);
  const std::string live = "Live";
  command->add_flag("--live", flags->is_live, "serve JSON Lines on standard input and output")->group(live);
  command->add_option("--arms", flags->live.arms, "how many (then they are 0, 1 ...), or their names")
      ->type_name("N|NAME,NAME...")
      ->group(live);
  command->add_option("--state", flags->live.state, "keep the state here (and in FILE.journal), and go on with it")
      ->type_name("FILE")
      ->group(live);
  command->add_flag("--sync", flags->live.sync, "an acknowledged line survives a power cut, too; slower")->group(live);
  const std::string play = "How to play";
  std::vector<std::string> names{"all"};
  for (const BanditName name : every_bandit) names.emplace_back(name_of(name));
  command
      ->add_option(
          "--algorithm", flags->algorithm,
          "exp3, exp3-anytime, exp3-mix, exp3p, exp3p-auer, exp3-ix, exp3-ix-anytime (default live) or all (default)")
      ->check(one_of(names))
      ->type_name("NAME")
      ->group(play);
  command->add_option("--rounds", flags->rounds, "the horizon (default: the table's rounds)")
      ->type_name("N")
      ->group(play);
  command->add_option("--delta", flags->delta, "high-probability bounds may fail in this share of runs (default 0.05)")
      ->type_name("D")
      ->group(play);
  command->add_option("--seed", flags->seed, "seed of the draws (default 1)")->type_name("N")->group(play);
  command->add_flag("--json", flags->json, "one JSON object on stdout")->group("Output");
  add_report_flags(command, flags->report);
  command->callback([flags, &action] { action = [flags] { return run_bandit(*flags); }; });
}

}  // namespace halfspace::cli
