// Describes an option once: its name, what it takes, its help line and the target of its value.
//
//   TrainSettings settings;
//   std::vector<Option> options = options_of(settings);   // settings.h
//   set_option(options, "rule", "arow");                  // as on the command line, without dashes
//
// The flags, help, completion and manual of the command are generated from these descriptions.
//
// Thread-safety: value types; the objects that targets point to must outlive them.
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

#include "halfspace/detail/base/names.h"

namespace halfspace {

// A word that an option accepts.
struct OptionChoice {
  std::string name, help;
  std::string spelling{};  // alternative spelling; empty: none
  bool listed = true;      // false: listings leave it out, because the option's own help covers it
};

// Returns the values of an enum of the library, as its name table lists them.
template <class E>
requires requires { NamesOf<E>::table; }
std::vector<OptionChoice> choices_of() {
  std::vector<OptionChoice> choices;
  for (const Name<E>& entry : names<E>()) choices.push_back({std::string(entry.name), std::string(entry.help)});
  return choices;
}

// Constrains a value: by default any text, or any number of the target's type.
struct OptionTakes {
  enum class Form : std::uint8_t { plain, input, output, size, commas };

  Form form = Form::plain;
  bool patterns = false;                   // of a file: expands * ? and [
  bool data = false;                       // of an input: rows, whose labels may be in a companion file
  std::string replaced_by{};               // of an input: the flag of the only output that may replace it
  bool stdout_too = false;                 // of an output: - is standard output
  bool grows = false;                      // of an output: appended to, line by line
  std::string word{};                      // of an output: a word that names no file
  bool folder = false;                     // of an output: a folder of *.json
  std::vector<std::string> folder_with{};  // of an output: flags, or FLAG=VALUE, that make it such a folder
  std::vector<OptionChoice> choices{};     // empty: anything within the form and the limits
  bool parameters = false;                 // a choice may be followed by parameters of its own, :NAME=VALUE each
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool above = false;     // the limit itself is excluded
  bool repeated = false;  // of a setter: called for each of several values
};
namespace takes {

inline OptionTakes one_of(std::vector<OptionChoice> choices) { return {.choices = std::move(choices)}; }
// Takes one of these, alone or with parameters, such as "scw1:aggressiveness=0.1".
inline OptionTakes one_with_parameters(std::vector<OptionChoice> choices) {
  return {.choices = std::move(choices), .parameters = true};
}
inline OptionTakes at_least(double least) { return {.least = least}; }
inline OptionTakes above(double least) { return {.least = least, .above = true}; }
inline OptionTakes between(double least, double most) { return {.least = least, .most = most}; }
// Takes the path of an input file, which completion completes; no output of the same command may overwrite it.
inline OptionTakes input_file() { return {.form = OptionTakes::Form::input}; }
// Takes the path of a file of rows, whose labels may be in a companion file (files_beside()).
inline OptionTakes data_file() { return {.form = OptionTakes::Form::input, .data = true}; }
// Takes paths of such files, and patterns.
inline OptionTakes data_files() { return {.form = OptionTakes::Form::input, .patterns = true, .data = true}; }
// Takes the path of an input file that the output of one other flag may replace.
inline OptionTakes input_file_replaced_by(std::string flag) {
  return {.form = OptionTakes::Form::input, .replaced_by = std::move(flag)};
}
// Takes the path of an output file.
inline OptionTakes output_file() { return {.form = OptionTakes::Form::output}; }
// Takes the path of an output file, or - for standard output.
inline OptionTakes output_file_or_stdout() { return {.form = OptionTakes::Form::output, .stdout_too = true}; }
// Takes the path of a file that the command appends lines to while it runs.
inline OptionTakes growing_file() { return {.form = OptionTakes::Form::output, .grows = true}; }
// Takes the same, or a word that asks for something else than a file.
inline OptionTakes growing_file_or(std::string word) {
  return {.form = OptionTakes::Form::output, .grows = true, .word = std::move(word)};
}
// Takes the path of a folder for *.json output.
inline OptionTakes output_folder() { return {.form = OptionTakes::Form::output, .folder = true}; }
// Takes the path of an output file or, with one of these flags, or one of these values of a flag (FLAG=VALUE), of a
// folder for *.json output.
inline OptionTakes output_file_or_folder(std::vector<std::string> folder_with) {
  return {.form = OptionTakes::Form::output, .folder_with = std::move(folder_with)};
}
// Takes a number of bytes, such as 512M.
inline OptionTakes size() { return {.form = OptionTakes::Form::size}; }
// Takes several values, each by itself.
inline OptionTakes repeated() { return {.repeated = true}; }
// Takes several comma-separated texts in one word.
inline OptionTakes commas() { return {.form = OptionTakes::Form::commas}; }

}  // namespace takes

// Parses the text of a value that no plain target can hold. Throws halfspace::Error if it rejects the text.
using OptionSetter = std::function<void(const std::string& text)>;
// Likewise for a flag without a value.
using OptionSwitch = std::function<void()>;

// Stores a value of an enum, or of an optional one, by its name.
template <class Value>
OptionSetter by_name(Value& target) {
  return [&target](const std::string& text) {
    if constexpr (requires { target.reset(); }) {
      target = value_named<typename Value::value_type>(text);
    } else {
      target = value_named<Value>(text).value();
    }
  };
}

// Where the value is stored. A flag whose target is a bool, a switch or empty takes no value; a vector takes several.
using OptionTarget =
    std::variant<std::monostate, bool*, std::string*, double*, std::optional<double>*, std::uint64_t*,
                 std::optional<std::uint64_t>*, std::uint32_t*, std::optional<std::uint32_t>*,
                 std::vector<std::string>*, std::optional<std::vector<std::string>>*, OptionSetter, OptionSwitch>;

class Option {
 public:
  // `names`: "rate" or, as a command writes it, with dashes; "-o,--output"; or, in capitals, a positional: "DATA".
  Option(std::string_view names, std::string placeholder, std::string help, OptionTarget target,
         OptionTakes takes = {});

  bool positional() const noexcept { return positional_; }
  bool takes_value() const noexcept;
  bool takes_file() const noexcept {
    return takes.form == OptionTakes::Form::input || takes.form == OptionTakes::Form::output;
  }
  bool repeats() const noexcept;  // may be given more than once
  bool number() const noexcept;
  // Returns text such as "a whole number of at least 1"; empty for arbitrary text.
  std::string takes_words() const;

  // Returns the part of a text that must be one of the choices.
  std::string choice_in(const std::string& text) const {
    return takes.parameters ? text.substr(0, text.find(':')) : text;
  }

  // Checks and stores the text. Throws Error(usage) with the flag, the text and what the flag takes.
  void set(const std::string& text) const;

  std::string name;  // without dashes
  char letter = 0;   // short flag; 0: none
  std::string placeholder, help, group{};
  OptionTarget target;
  OptionTakes takes;
  bool required = false;
  bool listed = true;                // false: accepted, but help and completion prefer another option
  std::string instead{};             // of a positional: the flag that also gives its value and replaces the word
  std::vector<std::string> needs{};  // flags, at least one of which this flag requires; empty: none required
  // The default value, and other values that change nothing: never rejected.
  std::vector<std::string> usual{};
  // Flags that make this one useless: with any value, with one of these values, or with a value not among these.
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
// Returns a flag that has an effect only with another one; nested: with one of several. A flag that cannot do harm
// needs no such condition.
Option needs(std::string flag, Option row);
// Returns a flag whose default value is accepted even where it has no effect; nested: with one of several.
Option usually(std::string value, Option row);
// Returns a flag that contradicts another one, or some of its values, or that would have no effect with it.
Option idle_with(std::string flag, Option row);
Option idle_with(std::string flag, std::vector<std::string> values, Option row);
// Returns the same for values of another flag that are not among these.
Option only_with(std::string flag, std::vector<std::string> values, Option row);
// Returns a flag that help and completion leave out.
Option unlisted(Option row);

}  // namespace takes

// Returns the option with this name; null if there is none.
const Option* find_option(std::span<const Option> options, std::string_view name);

// Stores the text as the value of the option with this name: "true" for a flag without a value, comma-separated texts
// for a list. Throws Error(usage) for an unknown name or an invalid value.
void set_option(std::span<const Option> options, std::string_view name, const std::string& text);

}  // namespace halfspace
