// Prediction with expert advice. Runs every algorithm on one table, each with its regret and its theorem.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/printable.h"
#include "base/stop.h"
#include "base/text_table.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "lab/experiment.h"
#include "report/results/figures.h"
#include "report/results/json.h"
#include "report/results/words.h"

namespace halfspace::lab {
namespace {

using report::largest_first;
using takes::commas, takes::idle_with, takes::needs, takes::one_of, takes::only_with, takes::usually;

constexpr std::size_t shown_experts = 12;

struct FollowedAlgorithm {
  ExpertsAlgorithm algorithm;
  FollowResult result;
};

Json json_of(const FollowedAlgorithm& run, const std::vector<std::string>& names, bool counts_mistakes) {
  const FollowResult& result = run.result;
  const RegretLedger& ledger = result.ledger;
  Json j;
  j["algorithm"] = name_of(run.algorithm);
  j["rounds"] = ledger.rounds();
  if (counts_mistakes) j["mistakes"] = static_cast<std::uint64_t>(ledger.paid());
  j["loss"] = report::number(ledger.paid());
  j["expected_loss"] = report::number(ledger.expected());
  const std::size_t best = ledger.best();
  j["best"] = {{"name", utf8(names[best])}, {"loss", report::number(ledger.loss(best))}};
  j["regret"] = report::number(ledger.regret());
  j["expected_regret"] = report::number(ledger.expected_regret());
  if (result.bound) {
    j["bound"] = {{"value", report::number(result.bound->value)},
                  {"theorem", result.bound->theorem},
                  {"bounds", result.bound->bounds},
                  {"observed", report::number(result.bound->observed)},
                  {"holds", !result.bound->exceeded}};
  } else {
    j["bound"] = nullptr;
  }
  if (!result.note.empty()) j["note"] = result.note;
  if (result.emptied > 0) j["emptied"] = result.emptied;
  if (result.dimension) j["littlestone_dimension"] = *result.dimension;
  Json weights = Json::object();
  for (const std::size_t i : largest_first(result.weights)) weights[utf8(names[i])] = report::number(result.weights[i]);
  j["weights"] = weights;
  if (result.path) j["path"] = report::path_figures(*result.path, names, largest_first(result.weights));
  return j;
}

class ExpertsRun : public Experiment {
 public:
  // Throws Error(usage) for settings that contradict each other, or that no algorithm accepts.
  explicit ExpertsRun(const ExpertsSettings& settings)
      : settings_(settings), losses_(settings.losses || settings.table.gains || settings.table.rises) {
    style = settings.style;
    RoundTableOptions& table = settings_.table;
    if (losses_ == !table.outcome.empty()) {
      throw Error(ErrorKind::usage,
                  losses_ ? option("outcome") + " contradicts " + option("losses") + " and " + option("gains")
                          : "no outcome column given")
          .fix("name the outcome's column with " + option("outcome") + ", or add " + option("losses") + " or " +
               option("gains") + " if the columns are what each choice costs or earns");
    }
    table.interrupt = settings_.interrupt;
    table.on_note = settings_.on_note;
    FollowOptions options = settings_.follow;
    options.interrupt = settings_.interrupt;
    options.record = settings_.figures;
    options.loss = settings_.loss == "absolute"  ? Loss::absolute
                   : settings_.loss == "squared" ? Loss::squared
                   : settings_.loss == "log"     ? Loss::logarithmic
                                                 : Loss::zero_one;
    const bool labels = options.loss == Loss::zero_one || options.loss == Loss::logarithmic;
    loaded_ = losses_ ? read_losses(table, true) : read_advice(table, labels);
    loss_ = options.loss;
    const bool all = settings_.algorithm == "all";
    for (const ExpertsAlgorithm algorithm : values<ExpertsAlgorithm>()) {
      options.algorithm = algorithm;
      if (all || name_of(algorithm) == settings_.algorithm) add(options, all);
    }
  }

  void check() const override {
    for (const FollowedAlgorithm& run : runs_) {
      if (!run.result.bound || !run.result.bound->exceeded) continue;
      throw Error(ErrorKind::internal,
                  fmt::format("a bug in Halfspace: {} of {} exceed the bound of {} ({})", run.result.bound->bounds,
                              run.result.bound->observed, run.result.bound->value, run.result.bound->theorem))
          .fix("please report it with the command line and, if you can, the data");
    }
  }

 private:
  // Follows one algorithm. `all`: of several, which the table may not allow.
  void add(const FollowOptions& options, bool all) {
    const std::string why_not = all ? cannot_follow(loaded_.table, options) : "";
    if (!why_not.empty()) {
      left_out_.emplace_back(options.algorithm, why_not);
      return;
    }
    stop_if(settings_.interrupt);
    try {
      runs_.push_back({options.algorithm, follow(loaded_.table, options)});
    } catch (const Error& error) {
      // SOA's budget is spent; the others can still run.
      if (!all || options.algorithm != ExpertsAlgorithm::soa || error.kind() != ErrorKind::usage) throw;
      left_out_.emplace_back(options.algorithm, style.rendered(error.message()));
    }
  }

  // Returns the run whose weights are the answer: Hedge's if it ran, since its bound needs no assumption.
  const FollowedAlgorithm& answer() const {
    for (const ExpertsAlgorithm wanted : {ExpertsAlgorithm::hedge, ExpertsAlgorithm::mixture}) {
      for (const FollowedAlgorithm& run : runs_) {
        if (run.algorithm == wanted) return run;
      }
    }
    return runs_.front();
  }

  bool counts_mistakes() const { return !losses_ && loss_ == Loss::zero_one; }

  Json json(Json j) const override {
    if (!runs_.empty()) j.update(json_of(answer(), loaded_.table.names, counts_mistakes()));
    if (settings_.algorithm == "all") {
      j["algorithms"] = Json::array();
      for (const FollowedAlgorithm& run : runs_)
        j["algorithms"].push_back(json_of(run, loaded_.table.names, counts_mistakes()));
      for (const auto& [algorithm, why] : left_out_) j["left_out"][std::string(name_of(algorithm))] = why;
    }
    j["loss_function"] = losses_ ? "given" : name_of(loss_);
    j["undecided"] = loaded_.undecided;
    j["asleep"] = loaded_.asleep;
    if (!runs_.empty()) {
      const RegretLedger& ledger = runs_.front().result.ledger;
      for (std::size_t i = 0; i < loaded_.table.names.size(); ++i) {
        j["experts"].push_back({{"name", utf8(loaded_.table.names[i])},
                                {"loss", report::number(ledger.loss(i))},
                                {"rounds", ledger.awake(i)}});
      }
    }
    return j;
  }

  std::string amount(double loss) const {
    if (counts_mistakes() && loss == std::floor(loss) && loss >= 0 && loss < 1e15)
      return grouped(static_cast<std::uint64_t>(loss));
    return fmt::format("{:.2f}", loss);
  }
  std::string per_round(double loss, std::uint64_t rounds) const {
    if (rounds == 0) return "-";
    return counts_mistakes() ? percent(loss, static_cast<double>(rounds))
                             : fmt::format("{:.4f}", loss / static_cast<double>(rounds));
  }

  std::string text() const override {
    const RoundTable& table = loaded_.table;
    std::string text;
    const auto line = [&](std::string_view key, const std::string& value, const std::string& note = "") {
      text += fmt::format("  {:<10} {}{}\n", key, value, note.empty() ? "" : "   " + dim(note));
    };
    std::string aside;
    if (loaded_.undecided > 0) aside = counted(loaded_.undecided, "round") + " without a decided outcome skipped";
    if (loaded_.asleep > 0)
      aside += fmt::format("{}{} of advice missing: those experts slept", aside.empty() ? "" : "; ",
                           counted(loaded_.asleep, "piece"));
    line("data",
         fmt::format("{}, {}", counted(table.rounds, "round"),
                     counted(table.names.size(), losses_ ? "choice" : "expert")),
         aside);
    if (losses_) {
      line("loss",
           settings_.table.rises   ? "1 where the level did not rise"
           : settings_.table.gains ? "1 - gain"
                                   : "as given",
           loaded_.range ? fmt::format("values rescaled from {} … {} to 0 … 1", short_number(loaded_.range->first),
                                       short_number(loaded_.range->second))
                         : "");
    } else {
      line("outcome", shortened(settings_.table.outcome, 40),
           loaded_.labels.names.size() == 2
               ? fmt::format("1 is '{}', 0 is '{}'", shortened(loaded_.labels.names[1], 24),
                             shortened(loaded_.labels.names[0], 24))
               : "");
      line("loss", std::string(name_of(loss_)), loss_ == Loss::zero_one ? "a mistake costs 1" : "");
    }
    if (table.rounds == 0 || runs_.empty()) {
      for (const auto& [algorithm, why] : left_out_)
        text += fmt::format("  {:<18} not run: {}\n", name_of(algorithm), why);
      return text + "\n  " +
             bold(table.rounds == 0 ? "No rounds, nothing to learn." : "No algorithm can run on this table.") + "\n";
    }
    return text + "\n" + players() + remarks() + "\n" + experts() + verdict();
  }

  std::string players() const {
    TextTable rows({true, false, false, false, false, true});
    rows.add({dim("player"), dim(counts_mistakes() ? "mistakes" : "loss"), dim("a round"), dim("regret"), dim("bound"),
              dim("quantity: theorem")});
    for (const FollowedAlgorithm& run : runs_) {
      const RegretLedger& ledger = run.result.ledger;
      const auto& bound = run.result.bound;
      const bool whole = bound && bound->bounds == "mistakes";
      rows.add({std::string(name_of(run.algorithm)), amount(ledger.paid()), per_round(ledger.paid(), ledger.rounds()),
                std::isfinite(ledger.regret()) ? (counts_mistakes() && ledger.regret() == std::floor(ledger.regret())
                                                      ? fmt::format("{:+.0f}", ledger.regret())
                                                      : fmt::format("{:+.2f}", ledger.regret()))
                                               : "-",
                !bound  ? "none"
                : whole ? grouped(whole_mistakes(bound->value))
                        : report::fixed_up(bound->value, 2),
                !bound ? ""
                       : fmt::format("{}{}: {}", bound->bounds,
                                     whole ? "" : fmt::format(" ({:.2f} here)", bound->observed), bound->theorem)});
    }
    return rows.text();
  }

  // Writes the assumptions that failed and the algorithms that did not run.
  std::string remarks() const {
    std::string text;
    for (const FollowedAlgorithm& run : runs_) {
      if (run.result.dimension)
        text += fmt::format("  {} the class of experts has Littlestone dimension {}\n",
                            dim(std::string(name_of(run.algorithm)) + ":"), *run.result.dimension);
      if (!run.result.note.empty())
        text += fmt::format("  {} {}\n", dim(std::string(name_of(run.algorithm)) + ":"), run.result.note);
    }
    std::vector<std::pair<std::string, std::string>> reasons;  // each once, with all algorithms it excludes
    for (const auto& [algorithm, why] : left_out_) {
      const auto same = std::find_if(reasons.begin(), reasons.end(),
                                     [&why = why](const auto& reason) { return reason.second == why; });
      if (same == reasons.end()) {
        reasons.emplace_back(name_of(algorithm), why);
      } else {
        same->first += ", " + std::string(name_of(algorithm));
      }
    }
    for (const auto& [who, why] : reasons) text += "  " + dim(fmt::format("{}: not run, {}", who, why)) + "\n";
    return text.empty() ? "" : "\n" + text;
  }

  std::string experts() const {
    const RoundTable& table = loaded_.table;
    const FollowedAlgorithm& run = answer();
    const RegretLedger& ledger = run.result.ledger;
    TextTable rows({true, false, false, false, false});
    rows.add({dim(losses_ ? "choice" : "expert"), dim(counts_mistakes() ? "mistakes" : "loss"), dim("a round"),
              dim(ledger.slept() ? "rounds" : ""), dim(fmt::format("weight ({})", name_of(run.algorithm)))});
    const std::vector<std::size_t> order = largest_first(run.result.weights);
    for (std::size_t k = 0; k < order.size() && k < shown_experts; ++k) {
      const std::size_t i = order[k];
      rows.add({shortened(table.names[i], 32), amount(ledger.loss(i)), per_round(ledger.loss(i), ledger.awake(i)),
                ledger.slept() ? grouped(ledger.awake(i)) : "", fmt::format("{:.4f}", run.result.weights[i])});
    }
    std::string text = rows.text();
    if (order.size() > shown_experts)
      text += dim(fmt::format("  … and {} more ({} lists all)\n", grouped(order.size() - shown_experts),
                              style.rendered(option("json"))));
    return text;
  }

  std::string verdict() const {
    const RoundTable& table = loaded_.table;
    const FollowedAlgorithm& run = answer();
    const RegretLedger& ledger = run.result.ledger;
    const std::size_t best = ledger.best();
    const std::size_t first = largest_first(run.result.weights).front();
    const double weight = run.result.weights[first];
    const bool shares_sum = run.algorithm != ExpertsAlgorithm::perceptron;
    std::string text =
        "\n  " + bold("Follow " + shortened(table.names[first], 48)) +
        (!shares_sum     ? fmt::format(": {} gives it the largest weight.", name_of(run.algorithm))
         : weight >= 0.5 ? fmt::format(": {} gives it {} of its weight.", name_of(run.algorithm), percent(weight, 1))
                         : fmt::format(", but not alone: {} gives it {} of its weight, the largest share.",
                                       name_of(run.algorithm), percent(weight, 1)));
    if (shares_sum && weight == 0) {
      text =
          "\n  " + bold("Follow none") +
          fmt::format(": each has made a mistake, and {} gives none any weight. In hindsight {} was best, with {}.\n",
                      name_of(run.algorithm), shortened(table.names[best], 48), what(ledger.loss(best)));
    } else if (ledger.loss(first) == ledger.loss(best) && !ledger.slept()) {
      text += fmt::format(" It was also the best in hindsight, with {}.\n", what(ledger.loss(first)));
    } else if (first == best) {
      text += fmt::format(" It was also the best in hindsight, with {} in its {} rounds.\n", what(ledger.loss(best)),
                          grouped(ledger.awake(best)));
    } else {
      text += fmt::format(" In hindsight {} was best, with {} against {}.\n", shortened(table.names[best], 48),
                          what(ledger.loss(best)), what(ledger.loss(first)));
    }
    text += fmt::format("  Without hindsight, {} {} {}: {}\n", name_of(run.algorithm),
                        counts_mistakes() ? "made" : "paid", what(ledger.paid()), regret_in_words(run));
    return text;
  }

  std::string what(double loss) const {
    return amount(loss) + (counts_mistakes() ? loss == 1 ? " mistake" : " mistakes"
                           : losses_         ? " in losses"
                                             : fmt::format(" in {} loss", name_of(loss_)));
  }

  std::string regret_in_words(const FollowedAlgorithm& run) const {
    const double regret = run.result.ledger.regret();
    const bool whole = counts_mistakes() && regret == std::floor(regret);
    const std::string far =
        fmt::format("{} {} than the best",
                    whole ? fmt::format("{:.0f}", std::abs(regret)) : fmt::format("{:.2f}", std::abs(regret)),
                    regret > 0          ? "more"
                    : counts_mistakes() ? "fewer"
                                        : "less");
    if (!run.result.bound) return far + ".";
    const auto& bound = *run.result.bound;
    if (bound.bounds == "mistakes")
      return far + fmt::format("; the theorem allows {}.", counted(whole_mistakes(bound.value), "mistake"));
    return far + fmt::format("; the theorem allows {}{}.", report::fixed_up(bound.value, 2),
                             losses_ || loss_ == Loss::zero_one ? " on average over its draws" : "");
  }

  ExpertsSettings settings_;
  bool losses_;
  Loss loss_ = Loss::zero_one;
  LoadedRoundTable loaded_;
  std::vector<FollowedAlgorithm> runs_;
  std::vector<std::pair<ExpertsAlgorithm, std::string>> left_out_;
};

std::vector<OptionChoice> expert_algorithms() {
  std::vector<OptionChoice> choices{{"all", "every one that this table allows (default)"}};
  for (const ExpertsAlgorithm one : values<ExpertsAlgorithm>())
    choices.push_back({std::string(name_of(one)), std::string(help_of(one))});
  return choices;
}

std::vector<Option> role_rows(ExpertsSettings& settings) {
  RoundTableOptions& table = settings.table;
  return {
      {"outcome", "COL", "the column of the outcome: two labels, 0/1, ±1, or a number from 0 to 1", &table.outcome},
      idle_with("gains",
                idle_with("rises", {"losses", "", "no outcome: the columns are losses of choices", &settings.losses})),
      {"gains", "", "the same for gains", &table.gains},
      idle_with("outcome",
                idle_with("rises",
                          {"ratios", "", "with these: columns hold levels, and a round is the ratio to the row before",
                           &table.ratios})),
      {"rises", "", "columns hold levels: the gain is 1 where one rises above the row before, else 0", &table.rises},
      usually("0,1", idle_with("outcome", {"range", "LOW,HIGH",
                                           "with these: the range of the values, rescaled to 0 … 1", &table.range})),
      {"columns", "COL,COL...", "the experts (default: every column but the outcome)", &table.columns, commas()},
      {"drop", "COL,COL...", "columns to leave out", &table.drop, commas()},
      needs("outcome",
            {"positive", "NAME", "the outcome that counts as 1 (default: the larger number or the later name)",
             &table.positive}),
      {"skip-undecided", "", "skip rounds whose outcome is missing or undecided", &table.skip_undecided},
      needs("outcome", {"constants", "", "add two experts: one always predicts 1, one always 0", &table.constants})};
}

std::vector<Option> play_rows(ExpertsSettings& settings) {
  FollowOptions& follow = settings.follow;
  return {
      {"algorithm", "NAME", "the algorithm to run", &settings.algorithm, one_of(expert_algorithms())},
      usually("zero-one", needs("outcome", {"loss", "LOSS", "the loss of a forecast", &settings.loss,
                                            one_of({{"zero-one", "a mistake costs 1 (default)"},
                                                    {"absolute", "the distance to the outcome"},
                                                    {"squared", "its square: the Brier score"},
                                                    {"log", "minus the logarithm of the outcome's probability"}})})),
      usually("0.5",
              only_with("algorithm", {"all", "weighted-majority"},
                        {"beta", "B", "weighted-majority: factor of an expert's vote after a mistake (default 0.5)",
                         &follow.beta})),
      only_with("algorithm", {"all", "hedge"},
                {"rate", "R", "hedge: the rate (default: the best for the number of rounds)", &follow.rate}),
      usually("2000000",
              only_with("algorithm", {"all", "soa"},
                        {"budget", "N", "soa: version spaces to visit (default 2,000,000)", &follow.budget})),
      {"seed", "N", "seed of the draws (default 1)", &follow.seed}};
}

}  // namespace

std::vector<Option> options_of(ExpertsSettings& settings) {
  std::vector<Option> options;
  add_group(options, "Algorithm", play_rows(settings));
  add_group(options, "Data", role_rows(settings));
  add_group(options, "Data", table_options(settings.table.table));
  add_group(options, "Data", missing_options(settings.table.table));
  return options;
}

std::unique_ptr<Experiment> run(const ExpertsSettings& settings) {
  refuse_no_table(settings.table.path);
  return std::make_unique<ExpertsRun>(settings);
}

}  // namespace halfspace::lab
