// A run as a composition of four small parts (rule, order, keep, until), in values that can be named, stored and
// compared.
//
// The command line, the model file and every language binding use this type; the templates (Linear, Multiclass) are
// chosen from it once, so that the round loop makes no virtual call per example.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "halfspace/detail/game/class_learners.h"
#include "halfspace/detail/game/orders.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"

namespace halfspace {

struct Composition {
  RuleName rule{};  // the perceptron
  OrderName order = OrderName::stream;
  KeepName keep = KeepName::last;

  Tie tie = Tie::mistake;
  BiasOptions bias;
  Start start;
  std::uint64_t seed = 1;  // of the order's draws
  // The reduction for more than two classes; unused for two.
  SeveralClasses several_classes = SeveralClasses::own;
  ParameterValues parameters;

  // Returns whether binary learners are combined for more than two classes: the rule's theorems then hold for each
  // learner.
  bool by_learners_of_two() const noexcept { return several_classes != SeveralClasses::own; }

  // Sets a parameter, unchecked: validate() checks it.
  Composition& set(const Parameter& parameter, double value) {
    parameters.insert_or_assign(std::string(parameter.name), value);
    return *this;
  }
  template <Named E>
  Composition& set(const Parameter& parameter, E value) {
    return set(parameter, static_cast<double>(value));
  }
  // Returns the value that was set, if any.
  std::optional<double> given(const Parameter& parameter) const;
  // Returns the value that was set, else the rule's default, else NaN.
  double value(const Parameter& parameter) const;
  template <Named E>
  E choice(const Parameter& parameter) const {
    return static_cast<E>(static_cast<int>(value(parameter)));
  }

  // Returns true if both mean the same: setting a parameter to its default makes no difference.
  bool operator==(const Composition& other) const;
};

// A composition that has a name of its own.
struct Preset {
  std::string_view name;
  std::string_view what;  // one line for help
  RuleName rule{};
  OrderName order = OrderName::stream;
  KeepName keep = KeepName::last;
  Tie tie = Tie::mistake;
  Clean clean = Clean::no;
};

// All presets, rule by rule: those of the table of rules.
std::vector<Preset> presets();
std::optional<Preset> find_preset(std::string_view name);
// Returns the composition with the rule's defaults.
Preset default_preset(RuleName rule);

// Throws Error(usage), naming the option, for an invalid composition: a parameter that the rule does not have or that
// is out of range, or incompatible parts.
void validate(const Composition& composition);

}  // namespace halfspace
