// What to write for a flag of Vowpal Wabbit, which users bring along.
#pragma once

#include <string_view>

namespace halfspace::cli {

// Returns what to write to train instead of `flag` (with its dashes); empty for a flag that is not listed.
std::string_view instead_of_vw_flag(std::string_view flag);

}  // namespace halfspace::cli
