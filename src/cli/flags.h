// The table of flags behind the command line.
//
// A command is described by rows (detail/train/option.h). A row is a flag or a positional argument: its name, its value, a
// line of help, and the variable it sets. Parsing, --help, "did you mean", completion and the manual page all read
// these rows.
//
//   Command command{"predict", "a label for every row", {{"halfspace predict m d.csv", "one label a line"}}};
//   command.add({required({"MODEL", "", "a model that train wrote", &flags.model, input_file()}),
//                {"-o,--output", "FILE", "write the lines here", &flags.output, output_file()}});
//   command.add("Output", {{"--json", "", "one JSON object on stdout", &flags.json}});
//   command.run = [flags](const Given&) { return predict(*flags); };
//
// Thread-safety: value types; targets must outlive the command.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/named_files.h"
#include "halfspace/detail/train/option.h"

namespace halfspace::cli {

using Row = Option;
using Takes = OptionTakes;
using FlagChoice = OptionChoice;
using Setter = OptionSetter;
using takes::above;
using takes::at_least;
using takes::between;
using takes::commas;
using takes::data_file;
using takes::data_files;
using takes::growing_file;
using takes::growing_file_or;
using takes::idle_with;
using takes::input_file;
using takes::input_file_replaced_by;
using takes::needs;
using takes::one_of;
using takes::only_with;
using takes::or_by_flag;
using takes::output_file;
using takes::output_file_or_folder;
using takes::output_file_or_stdout;
using takes::output_folder;
using takes::required;
using takes::size;
using takes::usually;

// Returns the row's name as users write it: "--rate", "DATA".
inline std::string flag_name(const Row& row) { return row.positional() ? row.name : "--" + row.name; }

// The flags that the command line gave.
class Given {
 public:
  bool operator()(std::string_view name) const;
  bool any_of_group(std::string_view group) const;
  // Returns true if the command line names a file to write, standard output aside.
  bool writes_files() const noexcept { return writes_files_; }
  // Returns all files that the command line names.
  const std::vector<NamedFile>& files() const noexcept { return files_; }
  void add(NamedFile file) { files_.push_back(std::move(file)); }
  // Returns what the user should know of flags that were taken for others.
  const std::vector<std::string>& notes() const noexcept { return notes_; }
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  // Returns the options that are given, as set_option() takes them.
  std::vector<std::pair<std::string, std::string>> options(const std::vector<Option>& among) const;
  void add(const Row& row, std::string text) {
    flags_.push_back({row.name, row.group, row.takes_value() ? std::move(text) : "true"});
    writes_files_ = writes_files_ || row.takes.form == Takes::Form::output;
  }

 private:
  struct Flag {
    std::string name, group, text;
  };
  std::vector<Flag> flags_;
  std::vector<NamedFile> files_;
  std::vector<std::string> notes_;
  bool writes_files_ = false;
};

struct WorkedExample {
  std::string line, what;
};
struct ExitCode {
  int code;
  std::string meaning;
};

struct Command {
  Command(std::string its_name, std::string its_purpose, std::vector<WorkedExample> its_examples);

  void add(std::vector<Row> more) { add("", std::move(more)); }
  void add(const std::string& group, std::vector<Row> more);
  const Row* flag(std::string_view name) const;  // null: no such flag
  const Row* flag(char letter) const;

  std::string name, purpose;  // the purpose in one line
  std::vector<WorkedExample> examples;
  std::vector<std::string> common{};  // names of the flags that -h describes; empty: all
  std::vector<std::string> rare{};    // names of flags that only `help COMMAND all` describes
  std::vector<ExitCode> exits{};      // in addition to those of every command
  std::vector<Row> rows{};            // the first is --help
  std::function<int(const Given& given)> run{};
  std::string program = "halfspace";  // that it is a command of
};

// Sets the rows' variables from the words after the command's name; stops early, with given("help"), if help is asked
// for. Throws Error(usage) for unknown flags, values that a flag does not take, and missing arguments.
Given parse(const Command& command, std::span<const std::string> words);

// Returns "; did you mean a or b?", or empty.
std::string suggested(std::span<const std::string> near);

}  // namespace halfspace::cli
