// Formats --help from the table of flags: a column of names and a column of help.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/json.h"
#include "cli/flags.h"

namespace halfspace::cli {

// Returns the exit codes of every command.
const std::vector<ExitCode>& common_exit_codes();

// Returns the width of --help in columns: readable on any terminal.
std::size_t help_width();

// Describes one command: usage, all rows by group, examples, exit codes.
std::string help(const Command& command, std::size_t width);
// Describes it in at most 40 lines (-h): usage, the flags that most users need, three examples.
std::string brief_help(const Command& command, std::size_t width);
// Returns all of that as JSON (--help --json): docs/formats/json.md.
Json help_json(const Command& command);

// Lists all commands, one a line.
std::string overview(std::span<const Command> commands, std::size_t width);

// Returns a flag as help and manual show it: "-o,--output MODEL".
std::string signature(const Row& row);
// Returns "halfspace certify [flags] DATA".
std::string usage(const Command& command);

}  // namespace halfspace::cli
