// halfspace convert: text to the binary cache.
#pragma once

#include "cli/commands.h"

namespace halfspace::cli {

void add_convert(CLI::App& app, Action& action);

}  // namespace halfspace::cli
