// Lists the rows of train, and turns its flags into a composition.
#include "cli/train_flags.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/tournament.h"
#include "stream/parser.h"

namespace halfspace::cli {
namespace {

constexpr const char* kLearningGroup = "What to learn with";
constexpr const char* kJudgingGroup = "How good is it, and with which parameters";

std::vector<FlagChoice> preset_choices() {
  std::vector<FlagChoice> choices;
  for (const Preset& preset : presets()) choices.push_back({std::string(preset.name), std::string(preset.what)});
  return choices;
}

std::vector<FlagChoice> rule_choices() {
  std::vector<FlagChoice> choices;
  for (const RuleEntry& entry : all_rules()) choices.push_back({std::string(entry.name), std::string(entry.help)});
  return choices;
}

std::vector<Row> composition_rows(TrainFlags& flags) {
  return {
      {"--preset", "NAME", "a composition by name (default: chosen by the data, or averaged with flags such as --rate)",
       &flags.preset, one_of(preset_choices())},
      {"--rule", "RULE", "how a round changes the weights", &flags.rule, one_of(rule_choices())},
      {"--order", "ORDER", "which example is the next round", &flags.order, one_of(choices_of<OrderName>())},
      {"--keep", "KEEP", "which weights are handed out", &flags.keep, one_of(choices_of<KeepName>())},
      {"--tie", "TIE", "what a score of 0 is", &flags.tie, one_of(choices_of<Tie>())},
      {"--bias", "PLACE", "where the bias stands (default last; of curved kernels none)", &flags.bias,
       one_of(choices_of<Bias>())},
      {"--bias-scale", "C", "value of the bias coordinate (default 1)", &flags.bias_scale},
      {"--start", "START", "the weights before the first round", &flags.start,
       one_of({{"zero", "all 0 (default)"}, {"small", "small and random, by the seed"}})},
      {"--multiclass", "HOW", "how several classes are told apart", &flags.multiclass,
       one_of(choices_of<SeveralClasses>())},
      {"--seed", "N", "seed of every random choice (default 1)", &flags.seed}};
}

// One row a parameter of the rules' table.
Row parameter_row(const Parameter& parameter, TrainFlags& flags) {
  const std::string name(parameter.off.empty() ? parameter.name : parameter.off);
  if (parameter.kind == Parameter::Kind::flag)
    return {"--" + name, "", help_of(parameter), &flags.switches[std::string(parameter.name)]};
  Takes takes;
  for (const auto& [choice, help] : parameter.choices)
    takes.choices.push_back({std::string(choice), std::string(help)});
  return {"--" + name, std::string(parameter.placeholder), help_of(parameter),
          [&flags, &parameter](const std::string& text) {
            flags.parameters.insert_or_assign(std::string(parameter.name), parse_value(parameter, text));
          },
          takes};
}

std::vector<Row> parameter_rows(TrainFlags& flags) {
  std::vector<Row> rows;
  for (const Parameter* parameter : parameters()) rows.push_back(parameter_row(*parameter, flags));
  return rows;
}

std::vector<Row> stop_rows(TrainFlags& flags) {
  return {{"--until", "clean", "stop when nothing is left to learn from", &flags.until,
           one_of({{"clean", "a whole pass changed nothing, or no mistake is left"}})},
          {"--passes", "N", "after N passes", &flags.passes, at_least(1)},
          {"--updates", "N", "after N updates", &flags.updates, at_least(1)},
          {"--seconds", "S", "after S seconds", &flags.seconds, above(0)}};
}

std::vector<Row> learning_data_rows(TrainFlags& flags) {
  return {
      {"--weight", "COL", "column with the rows' weights; of CSV, ARFF, JSON Lines and .npy", &flags.data.read.weight},
      {"--class-weight", "NAME=W", "rows of this class weigh W", &flags.data.class_weights},
      {"--normalize", "HOW", "how values are scaled", &flags.normalize,
       one_of({{"none", "not at all (default)"},
               {"row", "each row divided by its norm"},
               {"column", "each column by its largest power of two"}})},
      {"--single", "", "round values to single precision, on purpose", &flags.data.read.single},
      {"--holdout", "SHARE", "keep this share of the rows out of learning, to judge it", &flags.holdout},
      {"--memory", "SIZE", "for rows kept for more passes; beyond it a temporary file (default 1G)", &flags.memory,
       size()}};
}

// Reads "90s", "15m", "2h" or "100000rows".
Checkpoint parse_checkpoint(const std::string& text) {
  static constexpr std::pair<std::string_view, double> units[] = {{"s", 1}, {"m", 60}, {"h", 3600}, {"rows", 0}};
  double number = 0;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const bool read =
      stream::parse_number(std::string_view(text).substr(0, digits), number) == stream::NumberProblem::none;
  const std::string_view unit = std::string_view(text).substr(digits);
  for (const auto& [name, seconds] : units) {
    if (!read || unit != name || !(number > 0 && number <= 1e15)) continue;
    if (seconds > 0) return {.seconds = number * seconds};
    if (number == std::floor(number)) return {.rounds = static_cast<std::uint64_t>(number)};
  }
  throw Error(ErrorKind::usage, "--checkpoint takes a time or a number of rows, not '" + printable(text) + "'")
      .fix("such as 60s, 15m, 2h or 100000rows");
}

std::vector<Row> output_rows(TrainFlags& flags) {
  return {
      needs("output", {"--checkpoint", "EVERY",
                       "also write MODEL on the way, every 60s, 15m, 2h or 100000rows; --resume MODEL goes on from it",
                       [&flags](const std::string& text) { flags.checkpoint = parse_checkpoint(text); }}),
      {"--certify", "", "also prove whether the data are separable, and how few errors any halfspace makes",
       &flags.certify},
      {"--least-loss", "",
       "also prove what mean loss no linear model can beat on the rounds played; of rules with a convex loss",
       &flags.least_loss},
      needs("least-loss", {"--least-loss-norm", "B",
                           "of models with |w|, bias included, of at most B (default: that of the weights at the end)",
                           &flags.least_loss_norm, at_least(0)}),
      {"--log", "FILE", "write JSON Lines here as the run goes", &flags.log, growing_file()},
      {"--trace", "FILE", "write every round here, as JSON Lines", &flags.trace, growing_file()},
      {"--details", "", "print all that is known of the run: composition, radius, time, regret", &flags.details},
      {"-q,--quiet", "", "no running table and no progress", &flags.quiet}};
}

// Tells whether a flag asks for what the tournament has not: a keeper, a parameter of other rules, an end that never comes.
bool asks_for_another_rule(const TrainFlags& flags) {
  const auto has_not = [](std::string_view parameter) {
    return find_parameter(parameter) != nullptr && find_use(rule::tournament, parameter) == nullptr;
  };
  for (const auto& given : flags.parameters) {
    if (has_not(given.first)) return true;
  }
  for (const auto& given : flags.switches) {
    if (given.second && has_not(given.first)) return true;
  }
  for (const std::string& search : flags.selection.search) {
    if (has_not(std::string_view(search).substr(0, search.find('=')))) return true;
  }
  const bool mistakes_only = !flags.order.empty() && plays_mistakes_only(*value_named<OrderName>(flags.order));
  return (!flags.keep.empty() && flags.keep != name_of(KeepName::last)) || flags.start == "small" ||
         flags.until == "clean" || mistakes_only;
}

Preset chosen_preset(const TrainFlags& flags) {
  if (!flags.preset.empty()) return *find_preset(flags.preset);
  if (!flags.rule.empty()) return default_preset(*rule_named(flags.rule));
  return asks_for_another_rule(flags) ? *find_preset("averaged") : default_preset(rule::tournament);
}

// Chooses the order that several passes need where none was named.
void choose_order(const TrainFlags& flags, Composition& c) {
  const bool several_passes = flags.passes.value_or(1) > 1 || flags.until == "clean";
  if (!several_passes) return;
  if (flags.order == "stream") {
    throw Error(ErrorKind::usage, "--order stream goes once through the data")
        .fix("use --order cyclic or --order shuffled with --passes or --until clean");
  }
  c = for_several_passes(std::move(c));
}

void choose_stops(const TrainFlags& flags, const Preset& preset, const Composition& c, Until& until) {
  until = {.clean = preset.clean, .passes = flags.passes, .updates = flags.updates, .seconds = flags.seconds};
  if (flags.until == "clean") {
    until.clean = c.order == OrderName::cyclic && preset.clean != Clean::pass ? Clean::cycle : Clean::pass;
  } else if (!flags.order.empty() && c.order == OrderName::stream) {
    until.clean = Clean::no;
  }
  const bool only_mistakes = plays_mistakes_only(c.order);
  if (only_mistakes && until.passes && !until.updates && !until.seconds) {
    throw Error(ErrorKind::usage,
                "--passes would not stop this run: its order plays mistakes alone, and ends no pass "
                "while there is one")
        .fix("give --updates N or --seconds S");
  }
  if (c.order != OrderName::stream && until.clean == Clean::no && !until.passes && !until.updates && !until.seconds) {
    throw Error(ErrorKind::usage, "nothing would stop this run")
        .fix(only_mistakes ? "give --updates N, --seconds S or --until clean"
                           : "give --passes N, --updates N, --seconds S or --until clean");
  }
}

void choose_parameters(const TrainFlags& flags, Composition& c) {
  c.parameters = flags.parameters;
  for (const auto& [name, thrown] : flags.switches) {
    if (thrown) c.parameters.insert_or_assign(name, find_parameter(name)->off.empty() ? 1.0 : 0.0);
  }
}

}  // namespace

void add_train_rows(Command& command, TrainFlags& flags) {
  command.add(
      {data_row(flags.data, kAnyFormat),
       {"-o,--output", "MODEL", "write the model here, atomically", &flags.output, output_file()},
       {"--resume", "MODEL", "go on with this model where it stopped; a stream that ended takes all rows of DATA",
        &flags.resume, input_file_replaced_by("output")}});
  command.add(kLearningGroup, composition_rows(flags));
  command.add(kLearningGroup, parameter_rows(flags));
  command.add("When to stop (the first that comes)", stop_rows(flags));
  command.add(kJudgingGroup, {confidence_row(flags.confidence)});
  command.add(kJudgingGroup, selection_rows(flags.selection));
  command.add(kWatchGroup, watch_rows(flags.watch));
  add_data_flags(command, flags.data, true);
  command.add(kDataGroup, learning_data_rows(flags));
  command.add(kOutputGroup, {json_row(flags.json)});
  command.add(kOutputGroup, output_rows(flags));
  command.add(kOutputGroup, report_rows(flags.report));
  command.add(kOutputGroup, picture_rows(flags.picture));
}

void compose(const TrainFlags& flags, TrainOptions& options) {
  Composition& c = options.composition;
  const Preset preset = chosen_preset(flags);
  c.rule = flags.rule.empty() ? preset.rule : *rule_named(flags.rule);
  c.order = flags.order.empty() ? preset.order : *value_named<OrderName>(flags.order);
  c.keep = flags.keep.empty() ? preset.keep : *value_named<KeepName>(flags.keep);
  c.tie = flags.tie.empty() ? preset.tie : *value_named<Tie>(flags.tie);
  choose_parameters(flags, c);
  const auto default_bias = entry_of(c.rule).default_bias;
  c.bias.position = !flags.bias.empty()       ? *value_named<Bias>(flags.bias)
                    : default_bias != nullptr ? default_bias(c)
                                              : Bias::last;
  if (flags.bias_scale.value_or(1) != 1 && c.bias.position == Bias::none) {
    throw Error(ErrorKind::usage, "--bias-scale does nothing without a bias")
        .fix("leave it out, or give the bias a place: --bias last");
  }
  c.bias.scale = flags.bias_scale.value_or(1);
  c.start.small = flags.start == "small";
  c.start.seed = flags.seed;
  c.seed = flags.seed;
  if (!flags.multiclass.empty()) c.several_classes = *value_named<SeveralClasses>(flags.multiclass);
  choose_order(flags, c);
  choose_stops(flags, preset, c, options.until);
}

bool leaves_the_plan(const TrainFlags& flags) {
  const bool names_a_part = !flags.rule.empty() || !flags.preset.empty() || !flags.order.empty() ||
                            !flags.keep.empty() || !flags.until.empty() || !flags.tie.empty() ||
                            !flags.multiclass.empty() || !flags.parameters.empty() || flags.start == "small" ||
                            flags.updates || flags.seconds;
  const bool thrown = std::any_of(flags.switches.begin(), flags.switches.end(), [](const auto& s) { return s.second; });
  const bool scores = flags.selection.folds && !flags.selection.calibrate.empty();  // are those of one composition
  return !names_a_part && !thrown && flags.resume.empty() && !flags.watch.any() && !scores &&
         flags.selection.search.empty() && !flags.certify && !flags.least_loss;
}

void refuse_changes_to_a_resumed_run(const Given& given) {
  const bool changed = given.any_of_group(kLearningGroup) || given.any_of_group(kWatchGroup) || given("normalize") ||
                       given("holdout") || given("single") || given("class-weight") || given("classes") ||
                       given("positive");
  if (!changed) return;
  throw Error(ErrorKind::usage, "--resume goes on with the model's own composition, classes and normalisation")
      .fix("leave out the flags that say how to learn; --passes, --updates, --seconds and --until may be given");
}

}  // namespace halfspace::cli
