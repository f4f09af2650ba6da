// Collects the entries of src/rules/entries, and answers queries about them.
#include "rules/rule_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/text/number.h"

namespace halfspace {
namespace {

std::vector<RuleEntry>& table() {
  static std::vector<RuleEntry> all = [] {
    std::vector<RuleEntry> entries;
    rules::add_built_in(entries);
    std::sort(entries.begin(), entries.end(), [](const RuleEntry& a, const RuleEntry& b) { return a.id < b.id; });
    return entries;
  }();
  return all;
}

[[noreturn]] void refuse(const Parameter& parameter, std::string_view text, const std::string& takes) {
  throw Error(ErrorKind::usage, fmt::format("{} takes {}, not '{}'", option(parameter.name), takes, text))
      .fix("give " + takes);
}

double parse_choice(const Parameter& parameter, std::string_view text) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    if (parameter.choices[i].name == text) return static_cast<double>(i);
    known.emplace_back(parameter.choices[i].name);
  }
  const std::string near = did_you_mean(std::string(text), known);
  throw Error(ErrorKind::usage,
              fmt::format("{} has no choice '{}'{}", option(parameter.name), text, near.empty() ? "" : "; " + near))
      .fix(fmt::format("give one of {}", fmt::join(known, ", ")));
}

// "alma: ... (default 0.9)"; rules with the same help share a line.
struct HelpLine {
  std::string_view help;
  std::vector<std::string> names, defaults;
};

std::vector<HelpLine> help_lines(const Parameter& parameter) {
  std::vector<HelpLine> lines;
  for (const RuleEntry& entry : all_rules()) {
    const ParameterUse* use = find_use(entry.id, parameter.name);
    if (use == nullptr) continue;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const HelpLine& l) { return l.help == use->help; });
    if (line == lines.end()) line = lines.insert(lines.end(), {use->help, {}, {}});
    line->names.emplace_back(entry.name);
    const std::string value = use->tuned != nullptr ? "tuned on the first rows"
                              : use->fallback       ? value_text(parameter, *use->fallback)
                                                    : "";
    if (!value.empty() && std::find(line->defaults.begin(), line->defaults.end(), value) == line->defaults.end()) {
      line->defaults.push_back(value);
    }
  }
  return lines;
}

}  // namespace

std::string Parameter::key() const {
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::span<const RuleEntry> all_rules() { return table(); }

const RuleEntry* find_rule(RuleName rule) {
  const auto& all = table();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RuleEntry& entry) { return entry.id == rule; });
  return found == all.end() ? nullptr : &*found;
}

const RuleEntry& entry_of(RuleName rule) {
  if (const RuleEntry* entry = find_rule(rule)) return *entry;
  throw Error(ErrorKind::usage, fmt::format("no rule has the number {}", static_cast<int>(rule)))
      .fix("name one of the table, or register yours first");
}

std::string_view name_of(RuleName rule) {
  const RuleEntry* entry = find_rule(rule);
  return entry == nullptr ? std::string_view() : entry->name;
}

std::optional<RuleName> rule_named(std::string_view name) {
  for (const RuleEntry& entry : table()) {
    if (entry.name == name) return entry.id;
  }
  return std::nullopt;
}

const ParameterUse* find_use(RuleName rule, std::string_view parameter) {
  const RuleEntry* entry = find_rule(rule);
  if (entry == nullptr) return nullptr;
  for (const ParameterUse& use : entry->parameters) {
    if (use.parameter->name == parameter) return &use;
  }
  return nullptr;
}

bool applies(const ParameterUse& use, const Composition& composition) {
  return !use.applies || use.applies(composition);
}

std::vector<const Parameter*> parameters() {
  std::vector<const Parameter*> all;
  for (const RuleEntry& entry : table()) {
    for (const ParameterUse& use : entry.parameters) {
      const auto same = [&](const Parameter* known) { return known->name == use.parameter->name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(use.parameter);
    }
  }
  return all;
}

const Parameter* find_parameter(std::string_view name) {
  for (const RuleEntry& entry : table()) {
    for (const ParameterUse& use : entry.parameters) {
      if (use.parameter->name == name) return use.parameter;
    }
  }
  return nullptr;
}

std::string help_of(const Parameter& parameter) {
  std::string text;
  for (const HelpLine& line : help_lines(parameter)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(line.names, ", "), line.help);
    if (!line.defaults.empty() && parameter.kind != Parameter::Kind::flag)
      text += fmt::format(" (default {})", fmt::join(line.defaults, ", "));
  }
  return text;
}

double parse_value(const Parameter& parameter, std::string_view text) {
  switch (parameter.kind) {
    case Parameter::Kind::choice:
      return parse_choice(parameter, text);
    case Parameter::Kind::flag:
      if (text == "yes" || text == "true" || text == "1") return 1;
      if (text == "no" || text == "false" || text == "0") return 0;
      refuse(parameter, text, "yes or no");
    case Parameter::Kind::number:
    case Parameter::Kind::count:
      break;
  }
  double value = 0;
  const bool number = stream::parse_number(text, value) == stream::NumberProblem::none;
  const bool count = parameter.kind == Parameter::Kind::count;
  if (!number || (count && value != std::floor(value))) refuse(parameter, text, count ? "a whole number" : "a number");
  return value;
}

std::string value_text(const Parameter& parameter, double value) {
  switch (parameter.kind) {
    case Parameter::Kind::choice:
      return std::string(parameter.choices[static_cast<std::size_t>(value)].name);
    case Parameter::Kind::flag:
      return value != 0 ? "yes" : "no";
    case Parameter::Kind::number:
    case Parameter::Kind::count:
      break;
  }
  return fmt::format("{}", value);
}

std::vector<Preset> presets() {
  std::vector<Preset> all;
  for (const RuleEntry& entry : table()) all.insert(all.end(), entry.presets.begin(), entry.presets.end());
  return all;
}

std::optional<Preset> find_preset(std::string_view name) {
  for (const RuleEntry& entry : table()) {
    for (const Preset& preset : entry.presets) {
      if (preset.name == name) return preset;
    }
  }
  return std::nullopt;
}

Preset default_preset(RuleName rule) {
  const RuleEntry& entry = entry_of(rule);
  if (!entry.presets.empty()) return entry.presets.front();
  return {entry.name, entry.help, rule, OrderName::stream, KeepName::last, Tie::mistake, Clean::no};
}

void register_rule(RuleEntry entry) {
  if (find_rule(entry.id) != nullptr || rule_named(entry.name)) {
    throw Error(ErrorKind::usage,
                fmt::format("the rule '{}', number {}, is there already", entry.name, static_cast<int>(entry.id)))
        .fix("give it another name and a number of 128 or more");
  }
  table().push_back(std::move(entry));
}

Composition for_several_passes(Composition composition) {
  const RuleEntry& entry = entry_of(composition.rule);
  if (entry.for_several_passes != nullptr) composition = entry.for_several_passes(std::move(composition));
  if (composition.order == OrderName::stream) composition.order = OrderName::cyclic;
  return composition;
}

bool needs_tuning(const Composition& composition) {
  const std::vector<ParameterUse>& uses = entry_of(composition.rule).parameters;
  return std::any_of(uses.begin(), uses.end(), [&](const ParameterUse& use) {
    return use.tuned != nullptr && applies(use, composition) && !composition.given(*use.parameter);
  });
}

Composition tune_defaults(Composition composition, const Rows& rows) {
  for (const ParameterUse& use : entry_of(composition.rule).parameters) {
    if (use.tuned != nullptr && applies(use, composition) && !composition.given(*use.parameter))
      composition.set(*use.parameter, use.tuned(composition, rows));
  }
  return composition;
}

std::unique_ptr<Learner> make_learner(const Composition& composition, std::uint32_t classes, std::uint64_t memory) {
  validate(composition);
  const RuleEntry& entry = entry_of(composition.rule);
  const SeveralClasses how = composition.several_classes;
  if (classes <= 2 || !composition.by_learners_of_two()) return entry.make(composition, {classes, memory});
  std::vector<std::unique_ptr<Learner>> learners(learners_of(how, classes));
  for (std::unique_ptr<Learner>& learner : learners) learner = entry.make(composition, {2, memory / learners.size()});
  return std::make_unique<ClassLearners>(std::move(learners), how, classes, composition.tie, composition.bias);
}

bool makes_exact_zeros(const Composition& composition) {
  const RuleEntry* const entry = find_rule(composition.rule);
  return entry != nullptr && entry->exact_zeros != nullptr && entry->exact_zeros(composition);
}

double norm_growth(const Composition& composition) {
  const RuleEntry& entry = entry_of(composition.rule);
  return entry.norm_growth == nullptr || composition.by_learners_of_two() ? 0 : entry.norm_growth(composition);
}

namespace {

// Returns the range of the product of the parameters, in either direction.
double factors_of(const Composition& composition) {
  double factors = 1;
  for (const ParameterUse& use : entry_of(composition.rule).parameters) {
    const double value = std::abs(composition.value(*use.parameter));
    if (use.parameter->kind != Parameter::Kind::number || !applies(use, composition) || !(value > 0)) continue;
    factors *= std::max(value, 1 / value);
  }
  return factors;
}

}  // namespace

std::optional<MistakeBound> bound_of_run(const Composition& composition, const RunForBound& run,
                                         const std::vector<Comparator>& comparators, std::string* asked) {
  const RuleEntry& entry = entry_of(composition.rule);
  if (entry.bounds == nullptr || composition.by_learners_of_two()) return std::nullopt;
  BoundSearch search(run, factors_of(composition));
  for (const Comparator& comparator : comparators) {
    if (search.set_comparator(comparator)) entry.bounds(composition, search);
  }
  if (asked != nullptr) *asked = search.asked().empty() ? std::string(entry.bounds_ask) : search.asked();
  return search.take();
}

}  // namespace halfspace
