// How tests over values are called, and how the values are shown.
#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <string_view>

#include "halfspace/rules/composition.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

// GoogleTest shows bytes else.
inline void PrintTo(RuleName rule, std::ostream* out) { *out << name_of(rule); }
inline void PrintTo(Tie tie, std::ostream* out) { *out << name_of(tie); }

namespace testing {

// Returns a text as the name of a test may be: '_' for all but letters and digits.
inline std::string test_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace testing
}  // namespace halfspace
