// The flags that set how data are read.
#include <fmt/format.h>

#include <set>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "stream/text/number.h"

namespace halfspace::cli {

bool print_note(const ReadNote& note) {
  // Folds, searches and later passes repeat notes. Only the first note on the label is printed, whatever its text.
  static std::set<std::string> printed;
  if (!printed.insert(note.on_label ? std::string() : note.text).second) return false;
  print_message(fmt::format("{} {}\n  fix: {}\n", bold("note:", false), printable(with_flags(note.text)),
                            printable(with_flags(note.fix))));
  return true;
}

void print_notes(const Given& given) {
  for (const std::string& note : given.notes()) print_message(fmt::format("{} {}\n", bold("note:", false), note));
}

std::function<void(const ReadNote&)> note_printer() {
  return [](const ReadNote& note) { print_note(note); };
}

Row json_row(bool& json) { return {"--json", "", "one JSON object on stdout", &json}; }

Row quiet_row(bool& quiet) { return {"-q,--quiet", "", "no progress", &quiet}; }

Row data_row(DataFlags& flags, const std::string& what) {
  return required(
      {"DATA", "", what + "; several, and patterns such as 'part-*.csv', are one stream", &flags.paths, data_files()});
}

std::string data_words(const DataFlags& flags) {
  constexpr std::size_t most = 3;
  if (flags.paths.size() > most) return "DATA...";
  std::string words;
  for (const std::string& path : flags.paths) words += (words.empty() ? "" : " ") + printable(path);
  return words;
}

void add_data_flags(Command& command, DataFlags& flags, bool learning) {
  command.add(kDataGroup, data_options(flags, learning));
}

void attend(ReadOptions& read) {
  read.interrupt = &interrupted();
  read.on_note = note_printer();
}

ReadOptions options_to_read(const DataFlags& flags) {
  ReadOptions read = read_options(flags);
  attend(read);
  return read;
}

}  // namespace halfspace::cli
