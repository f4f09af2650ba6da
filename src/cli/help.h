// Formats --help from the table of flags: a column of names and a column of help.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/flags.h"

namespace halfspace::cli {

// Returns the exit codes of every command.
const std::vector<ExitCode>& common_exit_codes();

// Returns the width of --help in columns: readable on any terminal.
std::size_t help_width();

// Describes one command: usage, rows by group, examples, exit codes.
std::string help(const Command& command, std::size_t width);
// Describes it with all rows, the rare and the unlisted ones, too, and all their values.
std::string full_help(const Command& command, std::size_t width);
// Describes it in at most 40 lines (-h): usage, the flags that most users need, three examples.
std::string brief_help(const Command& command, std::size_t width);
// Returns all of that as JSON (--help --json): docs/formats/json.md.
Json help_json(const Command& command);

// Returns the help that the words after a command ask for: as JSON, in full, or in brief.
std::string help_asked(const Command& command, std::span<const std::string> words);

struct Word {
  std::string term, meaning;  // term: "pass (epoch)"
};
// Returns the glossary, docs/words.md.
const std::vector<Word>& glossary();
// Explains these words of the glossary, or all if there is none. Throws Error(usage) for one that it lacks.
std::string explained(std::span<const std::string> words, std::size_t width);
// Returns whether the glossary has this very word.
bool has_word(const std::string& word);

// Lists the commands of a program, one a line; `purpose`: what the program does, in a sentence.
std::string overview(const std::string& purpose, std::span<const Command> commands, std::size_t width);

// A long list of values of a flag of train, which `halfspace help NAME` prints.
struct Topic {
  std::string_view name, flag;
};
std::span<const Topic> topics();
// Returns each value of the topic's flag, a line each.
std::string topic_text(const Topic& topic, const Command& train, std::size_t width);

// Writes help after a name, wrapped in its column.
std::string help_entry(const std::string& name, std::string_view words, std::size_t width);

// Returns a flag as help and manual show it: "-o,--output MODEL".
std::string signature(const Row& row);
// Returns "halfspace certify [flags] DATA".
std::string usage(const Command& command);

}  // namespace halfspace::cli
