// Formats rows as the text of --help.
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/terminal.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t words_column = 30;

// Writes help after a name, wrapped in its column.
std::string entry(const std::string& name, std::string_view words, std::size_t width) {
  std::string text = fmt::format("{:<{}}", name, words_column);
  if (name.size() >= words_column) text = name + "\n" + std::string(words_column, ' ');
  std::size_t column = words_column;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (column > words_column && column + 1 + (end - at) > width) {
      text += "\n" + std::string(words_column, ' ');
      column = words_column;
    } else if (column > words_column) {
      text += ' ';
      ++column;
    }
    text += words.substr(at, end - at);
    column += end - at;
    at = end + 1;
  }
  return text + "\n";
}

std::string entry(const Row& row, bool brief, std::size_t width) {
  const std::vector<FlagChoice>& choices = row.takes.choices;
  const std::string indent = row.positional() || row.letter != 0 ? "  " : "     ";
  std::string text = entry(indent + signature(row),
                           brief && choices.size() > 1 ? row.help + ": " + row.takes_words() : row.help, width);
  if (brief) return text;
  for (const FlagChoice& choice : choices) text += entry("         " + choice.name, choice.help, width);
  return text;
}

std::string entries(const Command& command, const std::function<bool(const Row&)>& wanted, bool brief,
                    std::size_t width) {
  std::string text;
  for (const Row& row : command.rows) {
    if (wanted(row)) text += entry(row, brief, width);
  }
  return text;
}

// Returns the groups in the order of their first row.
std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Row& row : command.rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  }
  return groups;
}

}  // namespace

std::size_t help_width() {
  return stdout_is_terminal() ? std::clamp<std::size_t>(terminal_width(), 80, 110) : 110;
}

std::string signature(const Row& row) {
  std::string text = row.letter == 0 ? "" : fmt::format("-{},", row.letter);
  text += flag_name(row);
  if (!row.positional() && !row.placeholder.empty()) text += " " + row.placeholder;
  return text;
}

std::string usage(const Command& command) {
  std::string text = "halfspace " + command.name + " [flags]";
  for (const Row& row : command.rows) {
    if (!row.required && !row.positional()) continue;
    const std::string name =
        (row.positional() ? "" : flag_name(row) + " ") + (row.positional() ? row.name : row.placeholder);
    text += row.required ? " " + name : " [" + name + "]";
    if (row.positional() && row.repeats()) text += "...";
  }
  return text;
}

std::string help(const Command& command, bool brief, std::size_t width) {
  std::string text = fmt::format("{}\n\nUsage: {}\n\n", command.purpose, usage(command));
  text += entries(
      command, [](const Row& row) { return row.positional(); }, brief, width);
  for (const std::string& group : groups_of(command)) {
    const std::string rows = entries(
        command, [&](const Row& row) { return !row.positional() && row.group == group; }, brief, width);
    text += fmt::format("\n{}{}", group.empty() ? "" : group + ":\n", rows);
  }
  text += "\nExamples:\n";
  for (const WorkedExample& example : command.examples) text += "  " + example.line + "\n      " + example.what + "\n";
  if (!command.exits.empty()) text += "\nExit codes of this command:\n";
  for (const ExitCode& exit : command.exits) text += fmt::format("  {:<3} {}\n", exit.code, exit.meaning);
  return text;
}

std::string overview(std::span<const Command> commands, std::size_t width) {
  std::string text =
      "Halfspace learns linear classifiers online, from data of any size, with proofs.\n\n"
      "Usage: halfspace COMMAND [flags] ...\n\nCommands:\n";
  for (const Command& command : commands) text += entry("  " + command.name, command.purpose, width);
  text += "\nFlags:\n" + entry("  -h,--help", "print this help; after a command, its own", width) +
          entry("     --version", "print the version", width);
  return text + "\nhalfspace COMMAND --help describes a command, with examples; COMMAND -h is shorter.\n";
}

}  // namespace halfspace::cli
