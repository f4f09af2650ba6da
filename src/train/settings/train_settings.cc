// The options of training, and the TrainOptions they amount to.
#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/log/log_rows.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/plan.h"
#include "halfspace/train/settings.h"
#include "stream/formats/format_entry.h"
#include "train/choose/search.h"
#include "train/settings/learner_word.h"
#include "train/settings/objective_settings.h"

namespace halfspace {
namespace {

using takes::above, takes::at_least, takes::one_of, takes::one_with_parameters, takes::size;

std::vector<OptionChoice> preset_choices() {
  std::vector<OptionChoice> choices;
  for (const Preset& preset : presets()) {
    const bool of_rule = rule_named(preset.name).has_value();
    choices.push_back({std::string(preset.name), std::string(preset.what), "", !of_rule});
  }
  return choices;
}

std::vector<OptionChoice> rule_choices() {
  std::vector<OptionChoice> choices;
  for (const RuleEntry& entry : all_rules()) choices.push_back({std::string(entry.name), std::string(entry.help)});
  return choices;
}

OptionSetter word_setter(std::string& target) {
  return [&target](const std::string& word) { target = training::checked_word(word); };
}

std::vector<Option> composition_options(TrainSettings& flags) {
  return {{"preset", "NAME",
           "a composition by name: one of these, or the usual one of a rule (default: chosen by the data, or averaged "
           "with flags such as " +
               option("keep", "average") + "; with parameters: averaged:rate=0.5)",
           word_setter(flags.preset), one_with_parameters(preset_choices())},
          {"rule", "RULE", "how a round changes the weights (with parameters: scw1:aggressiveness=0.1)",
           word_setter(flags.rule), one_with_parameters(rule_choices())},
          {"order", "ORDER", "which example is the next round", &flags.order, one_of(choices_of<OrderName>())},
          {"keep", "KEEP", "which weights the model keeps", &flags.keep, one_of(choices_of<KeepName>())},
          {"tie", "TIE", "the class of a score of 0", &flags.tie, one_of(choices_of<Tie>())},
          {"bias", "POSITION", "position of the bias (default last; of curved kernels none)", &flags.bias,
           one_of(choices_of<Bias>())},
          {"bias-scale", "C", "value of the bias coordinate (default 1)", &flags.bias_scale},
          {"start", "START", "the weights before the first round",
           [&flags](const std::string& text) { flags.small_start = text == "small"; },
           one_of({{"zero", "all 0 (default)"}, {"small", "small and random, by the seed"}})},
          {"multiclass", "HOW", "how more than two classes are learned", &flags.multiclass,
           one_of(choices_of<SeveralClasses>())},
          {"seed", "N", "seed of every random choice (default 1)", &flags.seed}};
}

// Returns one option per parameter of the rule table.
Option parameter_option(const Parameter& parameter, TrainSettings& flags) {
  const std::string name(parameter.option_name());
  if (parameter.kind == Parameter::Kind::flag)
    return takes::unlisted({name, "", help_of(parameter), &flags.switches[std::string(parameter.name)]});
  OptionTakes takes;
  for (const auto& [choice, help] : parameter.choices)
    takes.choices.push_back({std::string(choice), std::string(help)});
  return takes::unlisted({name, std::string(parameter.placeholder), help_of(parameter),
                          [&flags, &parameter](const std::string& text) {
                            flags.parameters.insert_or_assign(std::string(parameter.name),
                                                              parse_value(parameter, text));
                          },
                          takes});
}

std::vector<Option> parameter_options(TrainSettings& flags) {
  std::vector<Option> rows;
  for (const Parameter* parameter : parameters()) rows.push_back(parameter_option(*parameter, flags));
  return rows;
}

std::vector<Option> stops(TrainSettings& flags) {
  return {{"until", "clean", "stop when nothing is left to learn from",
           [&flags](const std::string&) { flags.until_clean = true; },
           one_of({{"clean", "a whole pass changed nothing, or no mistake is left"}})},
          {"passes", "N", "stop after N passes", &flags.until.passes, at_least(1)},
          {"updates", "N", "stop after N updates", &flags.until.updates, at_least(1)},
          {"seconds", "S", "stop after S seconds", &flags.until.seconds, above(0)}};
}

OptionSetter normalize_setter(TrainSettings& flags) {
  return [&flags](const std::string& text) {
    flags.data.read.row_normalised = text == "row";
    flags.normalize_columns = text == "column";
    flags.standard_columns = text == "standard";
  };
}

std::vector<Option> learning_data_options(TrainSettings& flags) {
  return {{"weight", "COL", "column with the rows' weights; of " + stream::formats_that_take(stream::about_columns),
           &flags.data.read.columns.weight},
          {"class-weight", "NAME=W", "rows of this class weigh W; balanced: every class weighs the same in all",
           &flags.data.class_weights},
          {"normalize", "HOW", "how values are scaled", normalize_setter(flags),
           one_of({{"none", "not at all (default)"},
                   {"row", "each row divided by its norm"},
                   {"column", "each column by its largest power of two"},
                   {"standard", "each column centred (unless mostly 0, or of 0 and one other value) and scaled"}})},
          {"single", "", "round values to single precision, on purpose", &flags.data.read.single},
          {"holdout", "SHARE", "hold out this share of the rows, to evaluate the model", &flags.holdout},
          {"memory", "SIZE", "for rows kept for more passes; beyond it a temporary file (default 1G)",
           &flags.memory.memory, size()}};
}

// Returns whether a flag asks for what the tournament does not support: a keeper, a parameter of other rules, or an end
// it never reaches.
bool asks_for_another_rule(const TrainSettings& flags) {
  const auto has_not = [](std::string_view parameter) {
    return find_parameter(parameter) != nullptr && find_use(rule::tournament, parameter) == nullptr;
  };
  for (const auto& given : flags.parameters) {
    if (has_not(given.first)) return true;
  }
  for (const auto& given : flags.switches) {
    if (given.second && has_not(given.first)) return true;
  }
  const std::vector<std::string> searched = training::searched_names(flags.search);
  if (std::any_of(searched.begin(), searched.end(), has_not)) return true;
  const bool mistakes_only = !flags.order.empty() && plays_mistakes_only(*value_named<OrderName>(flags.order));
  return (!flags.keep.empty() && flags.keep != name_of(KeepName::last)) || flags.small_start || flags.until_clean ||
         mistakes_only;
}

Preset chosen_preset(const TrainSettings& flags) {
  if (!flags.preset.empty()) return *find_preset(flags.preset);
  if (!flags.rule.empty()) return default_preset(*rule_named(flags.rule));
  return asks_for_another_rule(flags) ? *find_preset("averaged") : default_preset(rule::tournament);
}

// Chooses an order for several passes if none was named.
void choose_order(const TrainSettings& flags, Composition& c) {
  const bool several_passes = flags.until.passes.value_or(1) > 1 || flags.until_clean;
  if (!several_passes) return;
  if (flags.order == "stream") {
    throw Error(ErrorKind::usage, option("order", "stream") + " makes a single pass")
        .fix("use " + option("order", "cyclic") + " or " + option("order", "shuffled") + " with " + option("passes") +
             " or " + option("until", "clean"));
  }
  c = for_several_passes(std::move(c));
}

void refuse_passes_of_mistakes(OrderName order, const Until& until) {
  if (!plays_mistakes_only(order) || !until.passes || until.updates || until.seconds) return;
  throw Error(ErrorKind::usage, option("passes") +
                                    " would not stop this run: its order visits mistakes alone, and no pass ends "
                                    "while one is left")
      .fix("give " + option("updates", "N") + " or " + option("seconds", "S"));
}

void choose_stops(const TrainSettings& flags, const Preset& preset, const Composition& c, Until& until) {
  until.clean = preset.clean;
  if (flags.until_clean) {
    until.clean = c.order == OrderName::cyclic && preset.clean != Clean::pass ? Clean::cycle : Clean::pass;
  } else if (!flags.order.empty() && c.order == OrderName::stream) {
    until.clean = Clean::no;
  }
  const bool only_mistakes = plays_mistakes_only(c.order);
  refuse_passes_of_mistakes(c.order, until);
  if (c.order != OrderName::stream && until.clean == Clean::no && !until.passes && !until.updates && !until.seconds) {
    throw Error(ErrorKind::usage, "nothing would stop this run")
        .fix("give " + (only_mistakes ? std::string() : option("passes", "N") + ", ") + option("updates", "N") + ", " +
             option("seconds", "S") + " or " + option("until", "clean"));
  }
  if (c.order == OrderName::stream || until.passes || until.updates || until.seconds) return;
  until.by_default = true;
  (only_mistakes ? until.updates : until.passes) = only_mistakes ? default_updates : default_passes;
}

void set_parameters(const TrainSettings& flags, Composition& c) {
  for (const auto& [name, value] : flags.parameters) c.parameters.insert_or_assign(name, value);
  for (const auto& [name, thrown] : flags.switches) {
    if (thrown) c.parameters.insert_or_assign(name, find_parameter(name)->off.empty() ? 1.0 : 0.0);
  }
}

// Drops default values of parameters that have no effect here.
void drop_unused_parameters(Composition& c) {
  const Composition all = c;
  std::erase_if(c.parameters, [&](const auto& given) {
    const ParameterUse* use = find_use(all.rule, given.first);
    return use != nullptr && use->fallback == given.second && !applies(*use, all);
  });
}

// Returns the position of the bias that the settings name; empty: none.
std::string bias_named(const TrainSettings& settings) {
  if (!settings.noconstant) return settings.bias;
  if (settings.bias.empty() || settings.bias == "none") return "none";
  throw Error(ErrorKind::usage, option("noconstant") + " contradicts " + option("bias", settings.bias))
      .fix("leave one of the two out");
}

void choose_bias(const TrainSettings& flags, Composition& c) {
  const auto default_bias = entry_of(c.rule).default_bias;
  const std::string bias = bias_named(flags);
  c.bias.position = !bias.empty() ? *value_named<Bias>(bias) : default_bias != nullptr ? default_bias(c) : Bias::last;
  if (flags.bias_scale.value_or(1) != 1 && c.bias.position == Bias::none) {
    throw Error(ErrorKind::usage, option("bias-scale") + " does nothing without a bias")
        .fix("leave it out, or add a bias: " + option("bias", "last"));
  }
  c.bias.scale = flags.bias_scale.value_or(1);
}

// Replaces the parts of the composition that the settings name.
void take_named(const TrainSettings& settings, Composition& c) {
  if (!settings.rule.empty()) c.rule = *rule_named(settings.rule);
  c.order = value_named<OrderName>(settings.order).value_or(c.order);
  c.keep = value_named<KeepName>(settings.keep).value_or(c.keep);
  c.tie = value_named<Tie>(settings.tie).value_or(c.tie);
  c.several_classes = value_named<SeveralClasses>(settings.multiclass).value_or(c.several_classes);
  c.start.small = c.start.small || settings.small_start;
  set_parameters(settings, c);
}

void take_preset(const Preset& preset, Composition& c) {
  c.rule = preset.rule;
  c.order = preset.order;
  c.keep = preset.keep;
}

// Sets the composition and the stops: the preset first, then single settings.
void compose(const TrainSettings& flags, TrainOptions& options) {
  Composition& c = options.composition;
  if (options.objective) {
    training::compose_objective(flags, options);
    return choose_bias(flags, c);
  }
  const Preset preset = chosen_preset(flags);
  take_preset(preset, c);
  c.tie = preset.tie;
  take_named(flags, c);
  drop_unused_parameters(c);
  choose_bias(flags, c);
  c.start.seed = c.seed = flags.seed;
  choose_order(flags, c);
  choose_stops(flags, preset, c, options.until);
}

// Returns the model's composition with the named settings replaced.
Composition with_settings(const TrainSettings& settings, const Model& model) {
  Composition c = model.composition;
  if (const auto preset = find_preset(settings.preset)) take_preset(*preset, c);
  take_named(settings, c);
  c.bias.position = value_named<Bias>(bias_named(settings)).value_or(c.bias.position);
  c.bias.scale = settings.bias_scale.value_or(c.bias.scale);
  if (settings.seed != LearnerSettings().seed) c.seed = settings.seed;
  return fit_to_labels(std::move(c), model.schema.labels);
}

// Returns whether the settings agree with the model about the classes, as far as they mention them.
bool has_classes_of(const DataSettings& data, const ReadOptions& read, const Model& model) {
  const Labels& labels = model.schema.labels;
  const bool classes = std::all_of(read.labels.classes.begin(), read.labels.classes.end(),
                                   [&](const std::string& name) { return labels.find(name).has_value(); });
  const bool all = data.read.labels.classes.empty() || read.labels.classes.size() == labels.names.size();
  const bool positive = read.labels.positive.empty() || (labels.binary() && labels.find(read.labels.positive) == 1);
  return classes && all && positive &&
         (read.labels.class_weights.empty() || read.labels.class_weights == model.class_weights);
}

// Keeps of the settings what a resumed run takes: when to stop, and how to read. Throws Error(usage) for settings that
// ask to train in another way than the model did.
void keep_what_resumes(TrainSettings& settings, const Model& model) {
  ReadOptions& read = settings.data.read;
  const bool same =
      with_settings(settings, model) == model.composition && (!read.row_normalised || model.schema.row_normalised) &&
      (!settings.normalize_columns || !model.schema.exponents.empty()) && !settings.standard_columns &&
      (settings.holdout == 0 || settings.holdout == model.holdout) && (!read.single || model.schema.single) &&
      has_classes_of(settings.data, read_options(settings.data), model);
  if (!same) {
    throw Error(ErrorKind::usage, option("resume") + " keeps the model's own composition, classes and normalisation")
        .fix("leave out the flags that change them; " + option("passes") + ", " + option("updates") + ", " +
             option("seconds") + " and " + option("until") + " may be given");
  }
  static_cast<LearnerSettings&>(settings) = {};
  settings.holdout = 0;
  read.row_normalised = settings.normalize_columns = read.single = false;
  settings.data.class_weights.clear();
  read.labels.classes.clear();
  read.labels.positive.clear();
}

bool asks_for_probabilities(const TrainSettings& settings) {
  return settings.calibrate.value_or(CalibrationMethod::none) != CalibrationMethod::none;
}

// Throws Error(usage) if a calibration has no rows to be fitted on.
void check_calibration(const TrainSettings& settings) {
  if (!asks_for_probabilities(settings) || settings.folds) return;
  if (settings.holdout == 0) {
    throw Error(ErrorKind::usage, option("calibrate") + " needs rows that training does not use")
        .fix("add " + option("holdout", "0.2") + ", or " + option("folds", "5") +
             " for the scores that each fold gets from the others");
  }
  if (!settings.search.empty()) {
    throw Error(ErrorKind::usage, option("calibrate") + " with " + option("search") +
                                      " has no rows left: the best candidate trains on all of them")
        .fix("use " + option("folds", "5") + " instead of " + option("holdout"));
  }
}

ThresholdChoice threshold_choice(const std::string& text) {
  ThresholdChoice choice;
  if (text == "auto") return choice;
  double probability = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = fast_float::from_chars(text.data(), end, probability);
  if (problem != std::errc() || stopped != end || !(probability > 0 && probability < 1)) {
    throw Error(ErrorKind::usage,
                option("threshold") + " takes auto or a probability between 0 and 1, not '" + text + "'")
        .fix("write " + option("threshold", "auto") + ", or " + option("threshold", "0.2"));
  }
  choice.probability = probability;
  return choice;
}

// Throws Error(usage) if prediction sets have no rows that learning and choosing left out.
void check_conformal(const TrainSettings& settings) {
  if (!settings.conformal) return;
  if (settings.holdout == 0) {
    throw Error(ErrorKind::usage, option("conformal") + " needs rows that training does not use" +
                                      (settings.folds ? ", and " + option("folds") + " trains on all" : ""))
        .fix("add " + option("holdout", "0.2"));
  }
  if (!settings.search.empty() && !settings.folds) {
    throw Error(ErrorKind::usage, option("conformal") + " with " + option("search") +
                                      " has no rows left: the best candidate trains on all of them")
        .fix("add " + option("folds", "5") + ", which then choose among the rows that are not held out");
  }
}

// Repeated passes need a limit, as in a new run: no rule stops where the classes overlap.
void refuse_endless_passes(const TrainOptions& options) {
  const Until& until = options.until;
  refuse_passes_of_mistakes(options.composition.order, until);
  if (options.composition.order == OrderName::stream || until.clean != Clean::no || until.passes || until.updates ||
      until.seconds)
    return;
  const std::uint64_t done = options.resume->ledger.passes;
  throw Error(ErrorKind::usage, "nothing would stop this run: it repeats passes over the model's rows; " +
                                    (done == 1 ? "1 pass is done" : std::to_string(done) + " passes are done"))
      .fix("give " + option("passes", "N") + " in all, " + option("updates", "N") + ", " + option("seconds", "S") +
           " or " + option("until", "clean"));
}

// Trains a single pass on kept rows: their scales are known after the last row.
void keep_rows_to_scale(const TrainSettings& settings, TrainOptions& options) {
  if (settings.order == "stream") {
    const std::string how = options.standard_columns ? "standard" : "column";
    throw Error(ErrorKind::usage, option("normalize", how) + " needs all rows before the first round")
        .fix("leave out " + option("order", "stream") + ": the same rounds then run on kept rows; or use " +
             option("normalize", "row"));
  }
  options.composition.order = OrderName::cyclic;
  if (!options.until.passes) options.until.passes = 1;
}

}  // namespace

std::vector<Option> data_options(TrainSettings& settings) {
  std::vector<Option> options = data_options(settings.data, true);
  for (Option& one : learning_data_options(settings)) options.push_back(std::move(one));
  return options;
}

std::vector<Option> learning_options(TrainSettings& settings) {
  std::vector<Option> options = composition_options(settings);
  options.push_back(takes::unlisted(
      {"noconstant", "", "no bias: " + option("bias", "none") + " as Vowpal Wabbit writes it", &settings.noconstant}));
  for (Option& one : parameter_options(settings)) options.push_back(std::move(one));
  for (Option& one : training::objective_options(settings)) options.push_back(std::move(one));
  return options;
}

std::vector<Option> stop_options(TrainSettings& settings) { return stops(settings); }

Option folds_option(std::optional<unsigned>& folds) {
  return {"folds", "K", "cross-validate in K stratified folds, drawn by " + option("seed") + "; then train on all rows",
          &folds};
}

Option search_option(std::vector<std::string>& search) {
  return {"search", "NAME=VALUES",
          "try NAME=LO..HI (7 values, logarithmic; LO..HI:N has N) or NAME=A,B,C; scored by " + option("folds") +
              ", else by " + option("holdout") +
              "; the best then trains on all rows. Several make a grid. NAME: " + training::searchable(),
          &search};
}

Option calibrate_option(std::optional<CalibrationMethod>& calibrate) {
  return {"calibrate", "HOW",
          "probabilities for predict, fitted on rows held out by " + option("holdout") + " or " + option("folds") +
              " (with " + option("resume") + ": default as the model)",
          by_name(calibrate),
          one_of({{"platt", "a logistic curve of the score"},
                  {"isotonic", "any non-decreasing curve"},
                  {"temperature", "three classes or more: a tempered softmax"},
                  {"none", "scores only (default)"}})};
}

Option threshold_option(std::optional<ThresholdChoice>& threshold) {
  return {"threshold", "auto|P",
          "two classes: predict the positive one from a probability of P on; auto: from the score on that is best by " +
              option("metric") + " on rows held out by " + option("holdout") + " or " + option("folds") +
              " (default: from a score of 0 on)",
          [&threshold](const std::string& text) { threshold = threshold_choice(text); }};
}

Option conformal_option(bool& conformal) {
  return {"conformal", "",
          "keep the scores of the rows held out by " + option("holdout") + ", for predict " + option("sets", "P"),
          &conformal};
}

Option sets_option(std::optional<double>& sets) {
  return {
      "sets", "P",
      "issue a set of classes for each row before its label, by adaptive conformal inference: a share P of the sets "
      "has the true class",
      &sets};
}

std::vector<Option> options_of(TrainSettings& settings) {
  std::vector<Option> all = learning_options(settings);
  const auto add = [&](std::vector<Option> more) {
    for (Option& one : more) all.push_back(std::move(one));
  };
  add(stop_options(settings));
  add({folds_option(settings.folds), calibrate_option(settings.calibrate), threshold_option(settings.threshold),
       confidence_option(settings.confidence), conformal_option(settings.conformal), sets_option(settings.sets)});
  add(ranking_options(settings.metric, settings.metric_options));
  add(data_options(settings));
  return all;
}

bool leaves_the_plan(const TrainSettings& settings) {
  const bool names_a_part = !settings.rule.empty() || !settings.preset.empty() || !settings.order.empty() ||
                            !settings.keep.empty() || settings.until_clean || !settings.tie.empty() ||
                            !settings.multiclass.empty() || !settings.parameters.empty() || settings.small_start ||
                            settings.until.updates || settings.until.seconds || settings.sets ||
                            !settings.search.empty() || !settings.minimize.empty() || settings.unplanned;
  const bool scores_of_one = settings.folds && settings.calibrate;
  return !names_a_part && !scores_of_one &&
         std::none_of(settings.switches.begin(), settings.switches.end(), [](const auto& s) { return s.second; });
}

TrainOptions train_options(const TrainSettings& given, const Model* resume) {
  const TrainSettings named = training::spelled_out(given);
  TrainSettings settings = named;
  if (resume != nullptr) {
    keep_what_resumes(settings, *resume);
  } else {
    check_calibration(settings);
    check_conformal(settings);
  }
  TrainOptions options = settings;
  options.read = read_options(settings.data);
  if (settings.folds) options.calibrate.reset();
  check_metrics(options.metric_options);
  if (!options.metric_options.costs.empty() && options.metric != Metric::cost) {
    throw Error(ErrorKind::usage, option("cost") + " has no effect: nothing is ranked by cost")
        .fix("add " + option("metric", "cost"));
  }
  options.spread = true;
  options.resume = resume;
  options.objective = training::objective_of(named);
  if (options.objective && resume != nullptr)
    throw Error(ErrorKind::usage, option("objective") + " trains a new model, and does not resume one")
        .fix("leave out " + option("resume"));
  compose(settings, options);
  // Without a setting, the result should not depend on how the table was sorted.
  const auto other = [](const std::string& name) { return !name.empty() && name != name_of(rule::tournament); };
  const bool chosen = other(settings.rule) || other(settings.preset) || !settings.order.empty();
  options.shuffle_sorted = !chosen && resume == nullptr && options.composition.order == OrderName::stream;
  if (options.shuffle_sorted && !options.until.passes) options.until.passes = 1;
  if (resume != nullptr) {
    // The rows of a service's log lead to the model that it served.
    options.guard_stream = options.read.path.empty() || !log::is_log(options.read.path);
    options.composition = resume->composition;
    if (goes_on_as_a_stream(*resume, options.until)) options.composition.order = OrderName::stream;
    refuse_endless_passes(options);
    if (resume->composition.order == OrderName::stream &&
        (options.until.passes.value_or(1) > 1 || settings.until_clean))
      throw Error(ErrorKind::usage,
                  "the model's run goes once through its rows in their order, and so does what resumes it")
          .fix("leave out " + option("passes") + " and " + option("until", "clean") + ", or train anew");
  }
  if (options.objective) options.standard_columns = false;  // the objective's own
  if ((options.normalize_columns || options.standard_columns) && options.composition.order == OrderName::stream)
    keep_rows_to_scale(settings, options);
  return options;
}

namespace {

// Puts the best of the candidates that the settings ask for into the options.
void validate_candidates(const TrainSettings& settings, const TrainSteps& steps, TrainRun& run) {
  check_choosable(run.options, settings.folds, !settings.search.empty());
  std::vector<NamedCandidate> candidates = training::candidates(settings.search, candidate_of(run.options));
  if (steps.validate) steps.validate(candidates.size());
  const bool calibrates = asks_for_probabilities(settings);
  run.choice = choose(run.options, std::move(candidates), settings.folds, calibrates);
  take(*run.choice, run.options);
  if (calibrates) run.options.calibration = run.choice->calibrate(*settings.calibrate);
}

// Trains the next best candidates where the weights of the best went wrong, at most three.
void train_next_best(const TrainSteps& steps, TrainOptions asked, TrainRun& run) {
  asked.read.on_note = nullptr;  // they were given
  for (int more = 0; more < 3 && contradicts(run.result, *run.choice); ++more) {
    const double wrong = 100 * *run.result.training_errors / run.result.training_rows;
    auto plan = next_plan(asked, *run.choice, fmt::format("trained on all rows it errs on {:.2f} % of them", wrong));
    if (!plan) return;
    run.plan = std::move(plan->words);
    run.choice = std::move(plan->choice);
    run.options = std::move(plan->options);
    if (steps.prepare) steps.prepare(run.options);
    run.result = train(run.options);
  }
}

}  // namespace

TrainRun train_run(const TrainSettings& settings, const Model* resume, const TrainSteps& steps) {
  TrainRun run;
  run.options = train_options(settings, resume);
  if (steps.begin) steps.begin(run.options);
  balance_classes(run.options);
  const bool planned = resume == nullptr && leaves_the_plan(settings);
  const bool validates = settings.folds || !settings.search.empty();
  std::optional<TrainOptions> asked;
  if (planned) {
    if (run.options.standard_columns)
      throw Error(ErrorKind::usage, "without a rule, columns are standardised where that helps")
          .fix("leave out " + option("normalize", "standard") + ", or add " + option("preset", "averaged") + " or " +
               option("objective", "logistic"));
    if (steps.validate) steps.validate(0);
    run.options.until = {.passes = settings.until.passes};
    asked = run.options;
    TrainPlan plan = plan_training(std::move(run.options), settings.folds);
    run.plan = std::move(plan.words);
    run.choice = std::move(plan.choice);
    run.options = std::move(plan.options);
  } else if (validates) {
    validate_candidates(settings, steps, run);
  }
  if (validates && run.choice && steps.chosen) steps.chosen(*run.choice);
  if (steps.prepare) steps.prepare(run.options);
  run.result = train(run.options);
  if (!run.choice) return run;
  if (asked && run.result.model.ledger.stopped != Stopped::interrupted) train_next_best(steps, *asked, run);
  const bool folds_of_one = settings.folds && run.choice->candidates.size() == 1;
  if (folds_of_one || (planned && !run.result.holdout)) {
    if (auto expected = run.choice->expected_error(settings.confidence, run.result.model.threshold))
      run.result.expected_error = expected;
  }
  return run;
}

TrainResult train(const TrainSettings& settings, const Model* resume) {
  TrainSettings own = settings;
  return rerun_at_late_label(
             own.data, [&] { return train_run(own, resume); }, [](const LateLabel&) {})
      .result;
}

}  // namespace halfspace
