// The commands of the program, one file each: a command describes its flags in rows (flags.h), and what it does.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/table_file.h"
#include "halfspace/train/settings.h"

namespace halfspace::cli {

Command train_command();
Command predict_command();
Command evaluate_command();
Command export_command();
Command inspect_command();
Command convert_command();
Command check_command();
Command certify_command();
Command verify_command();
Command experts_command();
Command bandit_command();
Command lab_command();
Command report_command();
Command completion_command();
Command manual_command();
Command help_command();

// Names a command, which is described when it is wanted: describing all takes longer than learning from a small file.
struct CommandEntry {
  std::string_view name;
  Command (*describe)();
};
std::span<const CommandEntry> command_entries();
// Describes every command.
std::vector<Command> every_command();

using TableFlags = TableSettings;
using DataFlags = DataSettings;

// Tells a note to the user, unless it has been told; returns whether it did.
bool say(const ReadNote& note);
// Returns what tells a note to the user, each once.
std::function<void(const ReadNote&)> say_note();
// Sets how the table is read, as the flags have it, and who is notified. Throws Error(usage).
void options_to_read(const TableFlags& flags, TableFileOptions& options);

inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kAnyFormat =
    "LIBSVM, CSV, VW, ARFF, JSON Lines, .npy, .npz or idx; plain or compressed; - is standard input";
// Returns the row of DATA, of which there may be several; `what`: a line of help.
Row data_row(DataFlags& flags, const std::string& what);
// Returns the data as they were named, for a command line to try next.
std::string data_words(const DataFlags& flags);
void add_data_flags(Command& command, DataFlags& flags, bool learning);
// Lets a signal end the reading, and tells its notes to the user.
void attend(ReadOptions& read);
// Returns the options that the flags come to, attended. Throws Error(usage).
ReadOptions options_to_read(const DataFlags& flags);

// Returns the row of --json, which every command with a result has.
Row json_row(bool& json);

// Fills standard streams that are closed, or the next file opened would get their number, and what is printed. To write
// or read them still fails.
void hold_standard_streams();

// Makes SIGINT, SIGTERM and SIGHUP set interrupted() from here on; a second one ends the program at once. A reader of
// stdout that leaves raises no signal any more (print_result).
void catch_signals();
const std::atomic<bool>& interrupted();
// Returns 128 and the number of the signal after an interrupt, as shells do for a program that died of it, else `otherwise`.
int exit_code(int otherwise);

// Returns the folder for temporary files: $TMPDIR, else /tmp. The library reads no environment; the command line does.
std::string temporary_folder();

// Prints a result to stdout; throws Error(input_output) when stdout cannot take it. Once its reader has left, that is the
// end of the program, a quiet success; or, with files to write, of its words.
void print_result(const std::string& text);
void go_on_without_reader(bool wanted);

// Says something on stderr, if somebody listens.
void tell(std::string_view text);

}  // namespace halfspace::cli
