// What to write for a flag or parameter of Vowpal Wabbit, LIBLINEAR, LIBSVM, scikit-learn or river.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/flags.h"

namespace halfspace::cli {

// An answer to several names: =NAME is a flag with the same values, else it is in words. The flags in it are those of
// the last command that it names, at first of `command`.
struct ForeignFlags {
  std::string_view command;  // the command that is asked
  std::string_view names;    // long ones without dashes, in lower case, with - for _; a* begin with a; -x is a letter
  std::string_view instead;
};
std::span<const ForeignFlags> foreign_flags();

// Returns what to write in `command` instead of `flag` (with its dashes), which it has not; empty if unknown.
std::string instead_of(const Command& command, const std::string& flag);

// Returns the row of `command` that takes the same values as `flag`; null if there is none.
const Row* renamed(const Command& command, const std::string& flag);

// Returns the row of `command` that means exactly what `name` (without dashes) means elsewhere; null if there is none.
const Row* synonym(const Command& command, const std::string& name);

// Returns the value of a flag that `value` means in other programs; empty if unknown.
std::string_view value_meant(const Row& row, std::string_view value);

// Returns whether a word after -q names two namespaces by their first letters: ab, a1 or ::, and no file is called so.
bool names_vw_pair(const std::string& word);

}  // namespace halfspace::cli
