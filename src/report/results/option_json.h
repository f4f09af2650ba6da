// Options as JSON, as halfspace_describe() and --help --json list them.
#pragma once

#include "base/json.h"
#include "halfspace/detail/train/option.h"

namespace halfspace::report {

// Returns name, help, placeholder, takes_value, number, repeats, takes, default and choices.
Json option_json(const Option& option);

}  // namespace halfspace::report
