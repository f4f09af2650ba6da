// The commands of the program, one file each: a command describes its flags in rows (flags.h), and what it does.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/table_options.h"

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

// The flags that say how a table is cut into cells: the same wherever one is read.
struct TableFlags {
  std::optional<char> delimiter;
  std::string decimal, thousands, quote;
  std::optional<std::uint64_t> skip_lines;
  std::optional<std::string> comment;
  bool header = false, no_header = false;
  std::vector<std::string> missing, missing_only;
};
std::vector<Row> table_rows(TableFlags& flags);
// Returns the character that a flag names by its word, or is.
char mark_named(const std::string& word);
std::vector<Row> missing_rows(TableFlags& flags);
// Tells a note to the user, unless it has been told; returns whether it did.
bool say(const ReadNote& note);
// Returns what tells a note to the user, each once.
std::function<void(const ReadNote&)> say_note();
// Gives the options, ReadOptions or TableOptions, what the flags say. Throws Error(usage).
template <class Options>
void read_table_flags(const TableFlags& flags, Options& options) {
  if (flags.header && flags.no_header)
    throw Error(ErrorKind::usage, "--header and --no-header say opposite things").fix("give one of the two");
  if (flags.header || flags.no_header) options.header = flags.header;
  options.delimiter = flags.delimiter;
  if (!flags.decimal.empty()) options.decimal = flags.decimal == "comma" ? ',' : '.';
  if (!flags.thousands.empty()) options.thousands = flags.thousands == "none" ? '\0' : mark_named(flags.thousands);
  options.quote = value_named<Quote>(flags.quote);
  options.skip_lines = flags.skip_lines;
  options.comment = flags.comment;
  options.missing = flags.missing;
  if (!flags.missing_only.empty()) options.missing_only = flags.missing_only;
  options.on_note = say_note();
}

// The flags that say how data are read; the same for every command that reads them.
struct DataFlags {
  std::vector<std::string> paths;
  ReadOptions read;
  std::string format = "auto", on_error = "stop", text_values, text_tokens, date_order;
  TableFlags table;
  std::vector<std::string> class_weights;
};
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kAnyFormat =
    "LIBSVM, CSV, VW, ARFF, JSON Lines, .npy, .npz or idx; plain or compressed; - is standard input";
// Returns the row of DATA, of which there may be several; `what`: a line of help.
Row data_row(DataFlags& flags, const std::string& what);
// Returns the data as they were named, for a command line to try next.
std::string data_words(const DataFlags& flags);
void add_data_flags(Command& command, DataFlags& flags, bool learning);
// Returns the options that the flags come to. Throws Error(usage).
ReadOptions read_options(const DataFlags& flags);

// Returns the row of --json, which every command with a result has.
Row json_row(bool& json);
// --confidence, of what is said of new rows.
Row confidence_row(double& confidence);

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
