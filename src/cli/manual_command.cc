// halfspace manual: writes the man page from the table of flags.
#include <fmt/format.h>

#include <map>

#include "cli/commands.h"
#include "cli/help.h"

namespace halfspace::cli {
namespace {

// Escapes a text for roff, where a leading dot or quote is a request, a backslash an escape, a plain hyphen a dash.
std::string roff(const std::string& text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_start = c == '\n';
  }
  return result;
}

std::string item(const std::string& head, const std::string& words) {
  return ".TP\n" + head + "\n" + roff(words) + "\n";
}

std::string row_text(const Row& row) {
  std::string head =
      "\\fB" + roff(row.letter == 0 ? flag_name(row) : fmt::format("-{},{}", row.letter, flag_name(row))) + "\\fR";
  if (!row.positional() && !row.placeholder.empty()) head += " \\fI" + roff(row.placeholder) + "\\fR";
  std::string text = item(head, row.help);
  if (row.takes.choices.empty()) return text;
  text += ".RS\n.PD 0\n";
  for (const FlagChoice& choice : row.takes.choices) {
    if (choice.listed) text += item("\\fB" + roff(choice.name) + "\\fR", choice.help);
  }
  return text + ".PD\n.RE\n";
}

std::string command_text(const Command& command) {
  std::string text = ".SS " + command.name + "\n" + roff(command.purpose) + ".\n";
  std::string group;
  for (const Row& row : command.rows) {
    if (row.name == "help" || !row.listed) continue;
    if (row.group != group) text += ".PP\n\\fI" + roff(group = row.group) + "\\fR\n";
    text += row_text(row);
  }
  text += ".PP\n.nf\n";
  for (const WorkedExample& example : command.examples)
    text += roff(example.line) + "\n    " + roff(example.what) + "\n";
  return text + ".fi\n";
}

// Lists the exit codes of every command, and what single commands add.
std::string exit_codes(const std::vector<Command>& commands) {
  std::map<int, std::string> meanings;
  for (const ExitCode& exit : common_exit_codes()) meanings[exit.code] = exit.meaning;
  for (const Command& command : commands) {
    for (const ExitCode& exit : command.exits) {
      std::string& meaning = meanings[exit.code];
      meaning += (meaning.empty() ? "" : "; ") + command.name + ": " + exit.meaning;
    }
  }
  std::string text;
  for (const auto& [code, meaning] : meanings) text += item(std::to_string(code), meaning);
  return text;
}

std::string manual(const std::vector<Command>& commands) {
  std::string text = ".\\\" written by `halfspace manual`\n.TH HALFSPACE 1 \"\" \"halfspace " HALFSPACE_VERSION
                     "\" \"User Commands\"\n"
                     ".SH NAME\nhalfspace \\- learns linear classifiers online, with proofs\n.SH SYNOPSIS\n";
  for (const Command& command : commands) text += ".B " + roff(usage(command)) + "\n.br\n";
  text += ".SH DESCRIPTION\n" + std::string(kPurpose) +
          "\n"
          "Results go to standard output, progress and messages to standard error.\n.SH COMMANDS\n";
  for (const Command& command : commands) text += command_text(command);
  text += ".SH EXIT STATUS\n" + exit_codes(commands);
  return text + ".SH ENVIRONMENT\n" + item("NO_COLOR", "if set, disables colour") +
         item("TMPDIR", "folder for temporary files");
}

}  // namespace

Command manual_command() {
  Command command("manual", "the manual page, as roff", {{"halfspace manual | man -l -", "read the manual page"}});
  command.run = [](const Given&) {
    print_result(manual(every_command()));
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
