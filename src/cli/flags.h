// The one table behind the command line.
//
// A command is described by rows. A row is a flag or a positional: its name, what it takes, a line of help, and where
// the value goes. Parsing, --help, "did you mean", completion and the manual page all walk over these rows.
//
//   Command command{"predict", "a label for every row", {{"halfspace predict m d.csv", "one label a line"}}};
//   command.add({required({"MODEL", "", "a model that train wrote", &flags.model, input_file()}),
//                {"-o,--output", "FILE", "write the lines here", &flags.output, output_file()}});
//   command.add("Output", {{"--json", "", "one JSON object on stdout", &flags.json}});
//   command.run = [flags](const Given&) { return predict(*flags); };
//
// Thread-safety: value types; targets must outlive the command.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/named_files.h"
#include "halfspace/base/names.h"

namespace halfspace::cli {

// One of the words that a flag takes.
struct FlagChoice {
  std::string name, help;
  std::string spelling{};  // another way to write it; empty: none
};

// Lists the values of an enum of the library, as its table names them.
template <class E>
requires requires {
  NamesOf<E>::table;
}
std::vector<FlagChoice> choices_of() {
  std::vector<FlagChoice> choices;
  for (const Name<E>& entry : names<E>()) choices.push_back({std::string(entry.name), std::string(entry.help)});
  return choices;
}

// Says what a value must be: by default any text, or any number of the target's kind.
struct Takes {
  enum class Form : std::uint8_t { plain, input, output, state, size, commas };

  Form form = Form::plain;
  bool patterns = false;                   // of a file: * ? and [ are expanded
  bool data = false;                       // of an input: rows, whose labels may be in a second file
  std::string replaced_by{};               // of an input: the flag of the one output that may replace it
  bool stdout_too = false;                 // of an output: - is standard output
  bool grows = false;                      // of an output: written in place, line by line
  bool folder = false;                     // of an output: a folder of *.json
  std::vector<std::string> folder_with{};  // of an output: flags that make it such a folder
  std::vector<FlagChoice> choices{};       // empty: whatever the form and the limits allow
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool above = false;  // the least itself is not allowed
};
inline Takes one_of(std::vector<FlagChoice> choices) {
  return {.choices = std::move(choices)};
}
inline Takes at_least(double least) {
  return {.least = least};
}
inline Takes above(double least) {
  return {.least = least, .above = true};
}
inline Takes between(double least, double most) {
  return {.least = least, .most = most};
}
// Takes a path, which completion completes: of a file that is read, and that no output of the same command may overwrite.
inline Takes input_file() {
  return {.form = Takes::Form::input};
}
// Takes the path of a file of rows, whose labels may be in a second file (files_beside()).
inline Takes data_file() {
  return {.form = Takes::Form::input, .data = true};
}
// Takes such paths, and patterns.
inline Takes data_files() {
  return {.form = Takes::Form::input, .patterns = true, .data = true};
}
// Takes the path of a file that is read and that the output of one other flag may replace.
inline Takes input_file_replaced_by(std::string flag) {
  return {.form = Takes::Form::input, .replaced_by = std::move(flag)};
}
// Takes the path of a file that is written.
inline Takes output_file() {
  return {.form = Takes::Form::output};
}
// Takes the same, or - for standard output.
inline Takes output_file_or_stdout() {
  return {.form = Takes::Form::output, .stdout_too = true};
}
// Takes the path of a file that lines are written to while the command runs.
inline Takes growing_file() {
  return {.form = Takes::Form::output, .grows = true};
}
// Takes the path of a folder that *.json files are written to.
inline Takes output_folder() {
  return {.form = Takes::Form::output, .folder = true};
}
// Takes the path of a file that is written, or, with one of these flags, of such a folder.
inline Takes output_file_or_folder(std::vector<std::string> folder_with) {
  return {.form = Takes::Form::output, .folder_with = std::move(folder_with)};
}
// Takes the path of a file that is read, kept up to date while the command runs, and written by it alone.
inline Takes state_file() {
  return {.form = Takes::Form::state};
}
// Takes a number of bytes, such as 512M.
inline Takes size() {
  return {.form = Takes::Form::size};
}
// Takes several texts in one word, with commas between them.
inline Takes commas() {
  return {.form = Takes::Form::commas};
}

// Takes the text of a value that no plain target can hold. Throws halfspace::Error for one it refuses.
using Setter = std::function<void(const std::string& text)>;

// Holds where a value goes. A flag with a bool, or with no target at all, takes no value; a vector takes several.
using Target = std::variant<std::monostate, bool*, std::string*, double*, std::optional<double>*, std::uint64_t*,
                            std::optional<std::uint64_t>*, std::uint32_t*, std::optional<std::uint32_t>*,
                            std::vector<std::string>*, Setter>;

class Row {
 public:
  // `names`: "--rate", "-o,--output", or "DATA" for a positional.
  Row(std::string_view names, std::string placeholder, std::string help, Target target, Takes takes = {});

  bool positional() const noexcept { return positional_; }
  bool takes_value() const noexcept;
  bool takes_file() const noexcept {
    return takes.form == Takes::Form::input || takes.form == Takes::Form::output || takes.form == Takes::Form::state;
  }
  bool repeats() const noexcept;  // may be given more than once
  bool number() const noexcept;
  std::string shown() const { return positional_ ? name : "--" + name; }
  // Returns "a whole number of at least 1"; empty for a text of any kind.
  std::string takes_words() const;

  // Checks the text and stores it. Throws Error(usage), naming the flag, the text and what the flag takes.
  void set(const std::string& text) const;

  std::string name;  // without dashes
  char letter = 0;   // of the short flag; 0: there is none
  std::string placeholder, help, group{};
  Target target;
  Takes takes;
  bool required = false;
  std::string instead{};  // of a positional: a flag that gives its value, too; with it there is no word for it
  std::vector<std::string> needs{};  // flags without one of which this one would do nothing; empty: it needs none
  // The value that it has when it is not given. To name it asks for nothing, so that it is never refused.
  std::string usual{};
  // Flags beside which it would do nothing: whatever their value is, or with one of these values, or with one that is
  // none of these.
  struct Idle {
    std::string flag;
    std::vector<std::string> values{};
    bool others = false;
  };
  std::vector<Idle> idle{};

 private:
  bool positional_;
};
Row required(Row row);
Row or_by_flag(std::string flag, Row row);
// A flag that asks for what happens with another one alone; nested: with one of several. A flag that describes something
// that is not there does no harm, and needs none.
Row needs(std::string flag, Row row);
// A flag whose usual value may be named where it does nothing.
Row usually(std::string value, Row row);
// A flag that contradicts another one, or some values of it, or asks for what does not happen beside it.
Row idle_beside(std::string flag, Row row);
Row idle_beside(std::string flag, std::vector<std::string> values, Row row);
// The same beside values of another one that are none of these.
Row only_beside(std::string flag, std::vector<std::string> values, Row row);

// Remembers which flags stood on the command line.
class Given {
 public:
  bool operator()(std::string_view name) const;
  bool any_of_group(std::string_view group) const;
  // Tells whether the command was told to write a file, standard output aside.
  bool writes_files() const noexcept { return writes_files_; }
  // Returns all files that the command line names.
  const std::vector<NamedFile>& files() const noexcept { return files_; }
  void add(NamedFile file) { files_.push_back(std::move(file)); }
  void add(const Row& row) {
    flags_.push_back({row.name, row.group});
    writes_files_ = writes_files_ || row.takes.form == Takes::Form::output;
  }

 private:
  struct Flag {
    std::string name, group;
  };
  std::vector<Flag> flags_;
  std::vector<NamedFile> files_;
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
  const Row* flag(std::string_view name) const;  // null: there is none
  const Row* flag(char letter) const;

  std::string name, purpose;  // the purpose in one line
  std::vector<WorkedExample> examples;
  std::vector<ExitCode> exits{};  // beside those of every command
  std::vector<Row> rows{};        // the first is --help
  std::function<int(const Given& given)> run{};
};

// Sets what the words behind the command's name say; stops early, with given("help"), where help is asked for. Throws
// Error(usage) for flags that do not exist, values that a flag does not take, and what is missing.
Given parse(const Command& command, std::span<const std::string> words);

// Returns "; did you mean a or b?", or empty.
std::string suggested(std::span<const std::string> near);

}  // namespace halfspace::cli
