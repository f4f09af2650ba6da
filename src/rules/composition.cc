// Validates compositions: parameters and compatible parts.
#include "halfspace/rules/composition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {
namespace {

void demand(bool holds, const std::string& message, const std::string& fix) {
  if (!holds) throw Error(ErrorKind::usage, message).fix(fix);
}

// Returns what to use instead of a parameter of other rules.
std::string rules_with(std::string_view parameter) {
  std::string names;
  std::size_t count = 0;
  for (const RuleEntry& entry : all_rules()) {
    if (find_use(entry.id, parameter) == nullptr) continue;
    names += (count++ == 0 ? "" : ", ") + option("rule", entry.name);
  }
  return count == 0 ? "leave it out" : "leave it out, or use " + names;
}

void check_parameter(const Composition& c, const std::string& name, double value) {
  const ParameterUse* use = find_use(c.rule, name);
  const Parameter* parameter = find_parameter(name);
  const bool turned_off = parameter != nullptr && !parameter->off.empty() && value == 0;
  demand(use != nullptr, option(turned_off ? parameter->off : name) + " is not for " + option("rule", name_of(c.rule)),
         rules_with(name));
  demand(std::isfinite(value) && use->domain.holds(value), option(name) + " " + use->domain.demand(),
         std::string(use->fix));
  demand(applies(*use, c), use->needs, "leave out " + option(name));
}

void check_start_and_keeper(const Composition& c, const RuleEntry& entry) {
  demand(!c.start.small || entry.against_small_start().empty(),
         option("start", "small") + " is not for " + option("rule", entry.name) + ": " +
             std::string(entry.against_small_start()),
         "leave out " + option("start"));
  const std::string others = !entry.no_average.empty() ? ""
                             : entry.no_pocket.empty() ? ", average or pocket"
                                                       : " or average";
  const auto refuse_keeper = [&](KeepName keep, std::string_view reason) {
    demand(c.keep != keep || reason.empty(),
           option("keep", name_of(keep)) + " is not for " + option("rule", entry.name) + ": " + std::string(reason),
           "use " + option("keep", "last") + others);
  };
  refuse_keeper(KeepName::vote, entry.against_vote());
  refuse_keeper(KeepName::pocket, entry.no_pocket);
  refuse_keeper(KeepName::average, entry.no_average);
  demand(c.keep != KeepName::pocket || c.order != OrderName::first_mistake,
         option("keep", "pocket") + " is not for " + option("order", "first-mistake"),
         "use " + option("order", "random-mistake") + ", or another " + option("keep"));
}

}  // namespace

std::optional<double> Composition::given(const Parameter& parameter) const {
  const auto found = parameters.find(parameter.name);
  return found == parameters.end() ? std::nullopt : std::optional(found->second);
}

double Composition::value(const Parameter& parameter) const {
  if (const auto value = given(parameter)) return *value;
  const ParameterUse* use = find_use(rule, parameter.name);
  return use == nullptr ? std::numeric_limits<double>::quiet_NaN()
                        : use->fallback.value_or(std::numeric_limits<double>::quiet_NaN());
}

bool Composition::operator==(const Composition& other) const {
  if (rule != other.rule || order != other.order || keep != other.keep || tie != other.tie || bias != other.bias ||
      start != other.start || seed != other.seed || several_classes != other.several_classes)
    return false;
  const auto differs = [](const Composition& a, const Composition& b) {
    return std::any_of(a.parameters.begin(), a.parameters.end(), [&](const auto& given) {
      const auto found = b.parameters.find(given.first);
      if (found != b.parameters.end()) return found->second != given.second;
      const ParameterUse* use = find_use(b.rule, given.first);
      return use == nullptr || use->fallback != given.second;
    });
  };
  return !differs(*this, other) && !differs(other, *this);
}

void validate(const Composition& c) {
  const RuleEntry& entry = entry_of(c.rule);
  demand(std::isfinite(c.bias.scale) && c.bias.scale > 0, option("bias-scale") + " must be a positive number",
         "use " + option("bias", "none") + " for no bias");
  for (const auto& [name, value] : c.parameters) check_parameter(c, name, value);
  check_start_and_keeper(c, entry);
  if (entry.check != nullptr) entry.check(c);
}

}  // namespace halfspace
