// Formats --help from the table of flags: a column of names and a column of help.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "cli/flags.h"

namespace halfspace::cli {

// Returns the width of --help in columns: readable on any terminal.
std::size_t help_width();

// Describes one command: usage, rows by group, examples. `brief` (-h) names choices in one line; else each has its own.
std::string help(const Command& command, bool brief, std::size_t width);

// Lists all commands, one a line.
std::string overview(std::span<const Command> commands, std::size_t width);

// Returns a flag as help and manual show it: "-o,--output MODEL".
std::string signature(const Row& row);
// Returns "halfspace certify [flags] DATA".
std::string usage(const Command& command);

}  // namespace halfspace::cli
