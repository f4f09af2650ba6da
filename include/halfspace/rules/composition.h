// A run as a composition of four small parts (rule, order, keep, until), in values that can be named, stored and
// compared.
//
// The command line, the model file and every language binding speak this type; the templates behind it (Linear,
// Multiclass) are chosen from it once, at the edge, so that the round loop stays monomorphic.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "halfspace/game/class_learners.h"
#include "halfspace/game/orders.h"
#include "halfspace/linear/names.h"
#include "halfspace/rules/parameter.h"
#include "halfspace/rules/rule_name.h"

namespace halfspace {

struct Composition {
  RuleName rule{};  // the perceptron
  OrderName order = OrderName::stream;
  KeepName keep = KeepName::last;

  Tie tie = Tie::mistake;
  BiasOptions bias;
  Start start;
  std::uint64_t seed = 1;  // of the order's draws
  // How several classes are told apart; of two nothing is asked of it.
  SeveralClasses several_classes = SeveralClasses::own;
  ParameterValues parameters;

  // Tells whether learners of two classes stand for one of several: what is known of the rule is then about each.
  bool by_learners_of_two() const noexcept { return several_classes != SeveralClasses::own; }

  // Gives a parameter a value; validate() judges it.
  Composition& set(const Parameter& parameter, double value) {
    parameters.insert_or_assign(std::string(parameter.name), value);
    return *this;
  }
  template <Named E>
  Composition& set(const Parameter& parameter, E value) {
    return set(parameter, static_cast<double>(value));
  }
  // The value that was given, if one was.
  std::optional<double> given(const Parameter& parameter) const;
  // The value given, else the rule's default; NaN when it has neither.
  double value(const Parameter& parameter) const;
  template <Named E>
  E choice(const Parameter& parameter) const {
    return static_cast<E>(static_cast<int>(value(parameter)));
  }

  // Whether both come to the same: a value given that is the rule's default anyway makes no difference.
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
// What a rule is composed with when nothing else is said.
Preset default_preset(RuleName rule);

// Throws Error(usage), naming the option, for a composition that makes no sense: a parameter beside a rule that does not
// have it, or outside of its domain; parts that do not go together.
void validate(const Composition& composition);

}  // namespace halfspace
