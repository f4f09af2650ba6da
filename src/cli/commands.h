// The commands of the program, one file each. A command adds itself to the application: its flags, its help, and what
// it does. Flags are declared once; help, "did you mean", shell completion and the man page are all read from that
// declaration.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::cli {

// What a command does: returns the exit code. Set by the command whose flags were given.
using Action = std::function<int()>;

void add_train(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_experts(CLI::App& app, Action& action);
void add_bandit(CLI::App& app, Action& action);
void add_certify(CLI::App& app, Action& action);
void add_lab(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_manual(CLI::App& app, Action& action);

// A command with its one-line purpose and worked examples for --help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& purpose,
                      const std::vector<std::pair<std::string, std::string>>& examples);

// Checks of values, silent in --help, where the flag's own text names the choices.
CLI::Validator one_of(std::vector<std::string> names);
CLI::Validator at_least_one();

// The flags that say how data are read; the same for every command that reads them.
struct DataFlags {
  ReadOptions read;
  std::string format = "auto", on_error = "stop";
  bool no_header = false;
  std::vector<std::string> class_weights;
};
void add_data_flags(CLI::App* command, DataFlags& flags, bool learning);
// The options that the flags come to. Throws Error(usage).
ReadOptions read_options(const DataFlags& flags);

// "64M" as bytes. Throws Error(usage) naming the flag.
std::uint64_t parse_size(const std::string& text, const char* flag);

// Set by Ctrl-C; a second Ctrl-C ends the program at once.
const std::atomic<bool>& interrupted();

// The folder for temporary files: $TMPDIR, else /tmp. The library reads no environment; the command line does.
std::string temporary_folder();

// Prints one JSON text and a line end to stdout; throws Error(input_output) when stdout cannot take it.
void print_result(const std::string& text);

}  // namespace halfspace::cli
