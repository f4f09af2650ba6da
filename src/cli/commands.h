// The commands of the program, one file each: a command describes its flags in rows (flags.h) and its action.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "halfspace/detail/stream/table_file.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/settings.h"

namespace halfspace::cli {

Command train_command();
Command predict_command();
Command evaluate_command();
Command explain_command();
Command compare_command();
Command export_command();
Command inspect_command();
Command convert_command();
Command check_command();
Command certify_command();
Command verify_command();
Command audit_command();
Command experts_command();
Command bandit_command();
Command choose_command();
Command serve_command();
Command lab_command();
Command report_command();
Command rules_command();
Command demo_command();
Command completion_command();
Command manual_command();
Command help_command();

// A command by name, described on demand: describing all takes longer than training on a small file.
struct CommandEntry {
  std::string_view name;
  Command (*describe)();
};
std::span<const CommandEntry> command_entries();
// Describes every command.
std::vector<Command> every_command();
inline constexpr const char* kPurpose =
    "Halfspace learns linear classifiers online, from data of any size, with proofs.";

using DataFlags = DataSettings;

// Prints a note to stderr unless it was printed before; returns true if it did.
bool print_note(const ReadNote& note);
// Prints the notes on the flags to stderr.
void print_notes(const Given& given);
// Returns a function that prints a note to stderr, each once.
std::function<void(const ReadNote&)> note_printer();

inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kAnyFormat =
    "LIBSVM, CSV, VW, ARFF, JSON Lines, .npy, .npz or idx; plain or compressed; - is standard input";
// Returns the row of DATA, which takes several names; `what`: its help.
Row data_row(DataFlags& flags, const std::string& what);
// Returns the data's names as a command line would have them.
std::string data_words(const DataFlags& flags);
void add_data_flags(Command& command, DataFlags& flags, bool learning);
// Lets a signal end the reading, and prints its notes.
void attend(ReadOptions& read);
// Returns the flags as ReadOptions, attended. Throws Error(usage).
ReadOptions options_to_read(const DataFlags& flags);

// Returns the row of --json, which every command with a result has.
Row json_row(bool& json);
Row quiet_row(bool& quiet);

// Opens standard streams that are closed as /dev/null; otherwise the next file opened would receive their output.
// Reading or writing them still fails.
void hold_standard_streams();

// Makes SIGINT, SIGTERM and SIGHUP set interrupted(); a second one ends the program at once. Ignores SIGPIPE
// (print_result).
void catch_signals();
const std::atomic<bool>& interrupted();
// Returns 128 plus the signal's number after an interrupt, as a shell would, else `otherwise`.
int exit_code(int otherwise);
// Makes exit_code() return its argument in any case: of a command that a signal ends as it should.
void count_signal_as_end();

// Returns the folder for temporary files: $TMPDIR, else /tmp. The library reads no environment; the command line does.
std::string temporary_folder();

// Prints a result to stdout; throws Error(input_output) if that fails. If the reader of stdout has left, ends the
// program quietly with success, or only stops printing after go_on_without_reader(true).
void print_result(const std::string& text);
void go_on_without_reader(bool wanted);

// Prints a message to stderr; ignores a stderr that cannot be written.
void print_message(std::string_view text);

}  // namespace halfspace::cli
