// The table of rules as JSON, for `halfspace rules --json`, C, Python and R.
#pragma once

#include <string>

#include "base/json.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::report {

// Returns every rule: name, words, help, group, theorem, cost, source, several_classes, parameters and presets.
Json rules_json();

// Returns the values that a parameter may have, such as "a positive number"; empty for a choice.
std::string range_words(const ParameterUse& use);

// Returns the default of a parameter as text; empty where the rule computes it.
std::string default_words(const ParameterUse& use);

// Returns a rule with the parameters that are not at their defaults, as --rule takes it: "scw1:aggressiveness=0.1".
std::string learner_word(const Composition& composition);

}  // namespace halfspace::report
