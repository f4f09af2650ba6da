// The options of an objective, and what they exclude.
#include "train/settings/objective_settings.h"

#include <algorithm>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/rules/perceptron.h"
#include "train/choose/search.h"
#include "train/settings/learner_word.h"

namespace halfspace::training {
namespace {

constexpr std::string_view kPenalty = "l2";

void refuse_with_objective(bool given, const std::string& what, const std::string& why) {
  if (!given) return;
  throw Error(ErrorKind::usage, what + " has no effect with " + option("objective") + ": " + why)
      .fix("leave out one of the two");
}

void refuse_parts_of_runs(const TrainSettings& settings) {
  const std::string rounds = "it minimizes, and plays no rounds";
  refuse_with_objective(!settings.preset.empty(), option("preset", settings.preset), rounds);
  refuse_with_objective(!settings.rule.empty(), option("rule", settings.rule), rounds);
  refuse_with_objective(!settings.order.empty(), option("order", settings.order), rounds);
  refuse_with_objective(!settings.keep.empty(), option("keep", settings.keep), rounds);
  refuse_with_objective(settings.until_clean, option("until", "clean"), rounds);
  refuse_with_objective(settings.until.updates.has_value(), option("updates"), rounds);
  refuse_with_objective(settings.small_start, option("start", "small"), rounds);
  refuse_with_objective(settings.sets.has_value(), option("sets"), rounds);
  for (const auto& [name, value] : settings.parameters)
    refuse_with_objective(name != kPenalty, option(name), "it is a parameter of a rule");
  for (const auto& [name, thrown] : settings.switches)
    refuse_with_objective(thrown, option(name), "it is a parameter of a rule");
  refuse_with_objective(
      !settings.multiclass.empty() && settings.multiclass != name_of(SeveralClasses::one_against_rest),
      option("multiclass", settings.multiclass), "of classes together a logistic loss, or each against the rest");
}

// Whether they are given or searched.
void refuse_two_prices(const TrainSettings& settings) {
  const std::vector<std::string> names = searched_names(settings.search);
  const auto searched = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool cost = settings.cost || searched("C");
  const bool l2 = settings.parameters.contains(std::string(kPenalty)) || searched(kPenalty);
  if (!cost || !l2) return;
  throw Error(ErrorKind::usage, option("C") + " and " + option("l2") + " both price the weights")
      .fix("give one of the two: C is 1 / (l2 times the number of rows)");
}

}  // namespace

std::vector<Option> objective_options(TrainSettings& settings) {
  std::vector<OptionChoice> choices;
  for (const Name<MarginLoss>& each : objective_names())
    choices.push_back({std::string(each.name), std::string(each.help)});
  using takes::above, takes::at_least, takes::needs, takes::one_of, takes::unlisted;
  const Option objective(
      "objective", "NAME",
      "minimize |w|^2 / 2 + C times a sum of losses, and prove how near the weights are to the minimum (with "
      "parameters: svm:C=10)",
      [&settings](const std::string& word) { settings.minimize = checked_word(word); },
      takes::one_with_parameters(choices));
  Option cost("c", "C",
              "price of the losses (default 1); with " + option("l2", "L") +
                  " instead, L / 2 |w|^2 + the mean loss is minimized",
              &settings.cost, above(0));
  cost.name = "C";  // a name that begins with a capital would be that of a word
  const Option gap("gap", "G", "stop when (primal - dual) / primal is proved to be at most G (default 1e-6)",
                   &settings.gap, at_least(0));
  const Option penalty(
      "penalize-bias", "HOW", "whether the bias is penalised as the weights are", &settings.penalize_bias,
      one_of({{"yes", "as the weight of a feature (default)"}, {"no", "not at all, as an intercept"}}));
  return {objective, unlisted(needs("objective", cost)), unlisted(needs("objective", gap)),
          unlisted(needs("objective", penalty))};
}

std::optional<Objective> objective_of(const TrainSettings& settings) {
  if (settings.minimize.empty()) {
    const std::pair<bool, std::string_view> parts[] = {{settings.cost.has_value(), "C"},
                                                       {settings.gap.has_value(), "gap"},
                                                       {!settings.penalize_bias.empty(), "penalize-bias"}};
    for (const auto& [given, name] : parts) {
      if (!given) continue;
      throw Error(ErrorKind::usage, option(name) + " belongs to an objective")
          .fix("add " + option("objective", "svm") + " or logistic, or leave it out");
    }
    return std::nullopt;
  }
  refuse_parts_of_runs(settings);
  refuse_two_prices(settings);
  Objective objective{.loss = loss_of_objective(settings.minimize).value()};
  if (const auto l2 = settings.parameters.find(std::string(kPenalty)); l2 != settings.parameters.end()) {
    if (!(l2->second > 0))
      throw Error(ErrorKind::usage, option("l2") + " of an objective must be above 0")
          .fix("such as " + option("l2", "1e-4"));
    objective.l2 = l2->second;
  }
  objective.cost = settings.cost.value_or(1);
  objective.penalize_bias = settings.penalize_bias != "no";
  objective.standard = settings.standard_columns;
  objective.jointly = objective.loss == MarginLoss::logistic && settings.multiclass.empty();
  objective.gap = settings.gap.value_or(objective.gap);
  return objective;
}

void compose_objective(const TrainSettings& settings, TrainOptions& options) {
  Composition& c = options.composition;
  c.rule = rule::perceptron;
  c.order = OrderName::shuffled;
  c.keep = KeepName::last;
  if (!settings.tie.empty()) c.tie = *value_named<Tie>(settings.tie);
  c.seed = settings.seed;
  c.start.seed = settings.seed;
  options.until = {.passes = settings.until.passes, .seconds = settings.until.seconds};
}

}  // namespace halfspace::training
