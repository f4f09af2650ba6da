// Every value of an enum that has names, so that tests iterate over rules, orders and keepers and never list them: what is
// new is tested with what is old.
#pragma once

#include <vector>

#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"

namespace halfspace::testing {

// Returns the values from 0 on that name_of() knows.
template <class E>
std::vector<E> every() {
  std::vector<E> all;
  for (int i = 0; !name_of(static_cast<E>(i)).empty(); ++i) all.push_back(static_cast<E>(i));
  return all;
}

// Takes out the parameters that the rule does not have, or that the others rule out: for compositions drawn at random.
inline void keep_what_applies(Composition& c) {
  std::erase_if(c.parameters, [&](const auto& given) {
    const ParameterUse* use = find_use(c.rule, given.first);
    return use == nullptr || !applies(*use, c);
  });
}

// Winnow's rows have features of 0 and 1.
inline bool takes_ones_only(RuleName rule) { return rule == rule::winnow1 || rule == rule::winnow2; }

}  // namespace halfspace::testing
