// What to write for a flag of Vowpal Wabbit, which users bring along.
#pragma once

#include <string>
#include <string_view>

namespace halfspace::cli {

// Returns what to write to train instead of `flag` (with its dashes); empty for a flag that is not listed.
std::string_view instead_of_vw_flag(std::string_view flag);

// Returns whether a word after -q names two namespaces by their first letters: ab, a1 or ::, and no file is called so.
bool names_vw_pair(const std::string& word);

}  // namespace halfspace::cli
