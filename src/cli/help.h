// --help, laid out from the table of flags: one column of names, one of words.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "cli/flags.h"

namespace halfspace::cli {

// Returns the columns that a text of help takes: wide enough to read easily, whatever the terminal.
std::size_t help_width();

// Describes one command: usage, rows by group, examples. `brief`, of -h, names choices in a line; else each has its own.
std::string help(const Command& command, bool brief, std::size_t width);

// Lists all commands, a line each.
std::string overview(std::span<const Command> commands, std::size_t width);

// Writes a flag as help and manual do: "-o,--output MODEL".
std::string signature(const Row& row);
// Returns "halfspace certify [flags] DATA".
std::string usage(const Command& command);

}  // namespace halfspace::cli
