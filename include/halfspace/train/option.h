// An option described once: its name, what it takes, a line of help, and where its value goes.
//
//   TrainSettings settings;
//   std::vector<Option> options = options_of(settings);   // settings.h
//   set_option(options, "rule", "arow");                  // as on the command line, without dashes
//
// The command's flags, help, completion and manual are made of such rows.
//
// Thread-safety: value types; the object that the targets point into must outlive them.
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

#include "halfspace/base/names.h"

namespace halfspace {

// A word that an option takes.
struct OptionChoice {
  std::string name, help;
  std::string spelling{};  // another way to write it; empty: none
};

// Lists the values of an enum of the library, as its table names them.
template <class E>
requires requires {
  NamesOf<E>::table;
}
std::vector<OptionChoice> choices_of() {
  std::vector<OptionChoice> choices;
  for (const Name<E>& entry : names<E>()) choices.push_back({std::string(entry.name), std::string(entry.help)});
  return choices;
}

// Says what a value must be: by default any text, or any number of the target's kind.
struct OptionTakes {
  enum class Form : std::uint8_t { plain, input, output, state, size, commas };

  Form form = Form::plain;
  bool patterns = false;                   // of a file: * ? and [ are expanded
  bool data = false;                       // of an input: rows, whose labels may be in a second file
  std::string replaced_by{};               // of an input: the flag of the one output that may replace it
  bool stdout_too = false;                 // of an output: - is standard output
  bool grows = false;                      // of an output: written in place, line by line
  bool folder = false;                     // of an output: a folder of *.json
  std::vector<std::string> folder_with{};  // of an output: flags that make it such a folder
  std::vector<OptionChoice> choices{};     // empty: whatever the form and the limits allow
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool above = false;  // the least itself is not allowed
};
namespace takes {

inline OptionTakes one_of(std::vector<OptionChoice> choices) {
  return {.choices = std::move(choices)};
}
inline OptionTakes at_least(double least) {
  return {.least = least};
}
inline OptionTakes above(double least) {
  return {.least = least, .above = true};
}
inline OptionTakes between(double least, double most) {
  return {.least = least, .most = most};
}
// Takes a path, which completion completes: of a file that is read, and that no output of the same command may overwrite.
inline OptionTakes input_file() {
  return {.form = OptionTakes::Form::input};
}
// Takes the path of a file of rows, whose labels may be in a second file (files_beside()).
inline OptionTakes data_file() {
  return {.form = OptionTakes::Form::input, .data = true};
}
// Takes such paths, and patterns.
inline OptionTakes data_files() {
  return {.form = OptionTakes::Form::input, .patterns = true, .data = true};
}
// Takes the path of a file that is read and that the output of one other flag may replace.
inline OptionTakes input_file_replaced_by(std::string flag) {
  return {.form = OptionTakes::Form::input, .replaced_by = std::move(flag)};
}
// Takes the path of a file that is written.
inline OptionTakes output_file() {
  return {.form = OptionTakes::Form::output};
}
// Takes the same, or - for standard output.
inline OptionTakes output_file_or_stdout() {
  return {.form = OptionTakes::Form::output, .stdout_too = true};
}
// Takes the path of a file that lines are written to while the command runs.
inline OptionTakes growing_file() {
  return {.form = OptionTakes::Form::output, .grows = true};
}
// Takes the path of a folder that *.json files are written to.
inline OptionTakes output_folder() {
  return {.form = OptionTakes::Form::output, .folder = true};
}
// Takes the path of a file that is written, or, with one of these flags, of such a folder.
inline OptionTakes output_file_or_folder(std::vector<std::string> folder_with) {
  return {.form = OptionTakes::Form::output, .folder_with = std::move(folder_with)};
}
// Takes the path of a file that is read, kept up to date while the command runs, and written by it alone.
inline OptionTakes state_file() {
  return {.form = OptionTakes::Form::state};
}
// Takes a number of bytes, such as 512M.
inline OptionTakes size() {
  return {.form = OptionTakes::Form::size};
}
// Takes several texts in one word, with commas between them.
inline OptionTakes commas() {
  return {.form = OptionTakes::Form::commas};
}

}  // namespace takes

// Takes the text of a value that no plain target can hold. Throws halfspace::Error for one it refuses.
using OptionSetter = std::function<void(const std::string& text)>;

// Holds where a value goes. A flag with a bool, or with no target at all, takes no value; a vector takes several.
using OptionTarget = std::variant<std::monostate, bool*, std::string*, double*, std::optional<double>*, std::uint64_t*,
                                  std::optional<std::uint64_t>*, std::uint32_t*, std::optional<std::uint32_t>*,
                                  std::vector<std::string>*, OptionSetter>;

class Option {
 public:
  // `names`: "rate" or, as a command writes it, with dashes; "-o,--output"; or, in capitals, a positional: "DATA".
  Option(std::string_view names, std::string placeholder, std::string help, OptionTarget target,
         OptionTakes takes = {});

  bool positional() const noexcept { return positional_; }
  bool takes_value() const noexcept;
  bool takes_file() const noexcept {
    return takes.form == OptionTakes::Form::input || takes.form == OptionTakes::Form::output ||
           takes.form == OptionTakes::Form::state;
  }
  bool repeats() const noexcept;  // may be given more than once
  bool number() const noexcept;
  // Returns "a whole number of at least 1"; empty for a text of any kind.
  std::string takes_words() const;

  // Checks the text and stores it. Throws Error(usage), naming the flag, the text and what the flag takes.
  void set(const std::string& text) const;

  std::string name;  // without dashes
  char letter = 0;   // of the short flag; 0: there is none
  std::string placeholder, help, group{};
  OptionTarget target;
  OptionTakes takes;
  bool required = false;
  std::string instead{};  // of a positional: a flag that gives its value, too; with it there is no word for it
  std::vector<std::string> needs{};  // flags without one of which this one would do nothing; empty: it needs none
  // The default value, and others that ask for what happens anyway: they are never refused.
  std::vector<std::string> usual{};
  // Flags with which it would do nothing: whatever their value is, or with one of these values, or with one that is none
  // of these.
  struct Idle {
    std::string flag;
    std::vector<std::string> values{};
    bool others = false;
  };
  std::vector<Idle> idle{};

 private:
  bool positional_;
};
namespace takes {

Option required(Option row);
Option or_by_flag(std::string flag, Option row);
// A flag that asks for what happens with another one alone; nested: with one of several. A flag that describes something
// that is not there does no harm, and needs none.
Option needs(std::string flag, Option row);
// A flag whose usual value may be named where it does nothing; nested: with one of several.
Option usually(std::string value, Option row);
// A flag that contradicts another one, or some values of it, or asks for what does not happen with it.
Option idle_with(std::string flag, Option row);
Option idle_with(std::string flag, std::vector<std::string> values, Option row);
// The same with values of another one that are none of these.
Option only_with(std::string flag, std::vector<std::string> values, Option row);

}  // namespace takes

// Returns the option with this name; null: there is none.
const Option* find_option(std::span<const Option> options, std::string_view name);

// Stores the text as the value of the option with this name: "true" for one that takes none, texts with commas for one that
// takes several. Throws Error(usage) for a name that no option has, and for a value that it does not take.
void set_option(std::span<const Option> options, std::string_view name, const std::string& text);

}  // namespace halfspace
