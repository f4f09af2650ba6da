// Options that were given, together.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "halfspace/detail/train/option.h"

namespace halfspace {

// An option that was given, and its text.
using GivenOption = std::pair<const Option*, std::string>;
// Throws Error(usage) for an option that has no effect without another, or with one of the others.
void refuse_useless(std::span<const GivenOption> given);

}  // namespace halfspace
