// halfspace completion: completes commands, flags and values in the shell, with their help.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"

namespace halfspace::cli {
namespace {

// The words that a position of the command line takes, each with its help.
using Offers = std::vector<FlagChoice>;

Offers offered_commands(const std::vector<Command>& commands) {
  Offers offers;
  for (const Command& command : commands) offers.push_back({command.name, command.purpose});
  offers.push_back({"--help", "list all commands"});
  offers.push_back({"--version", "print the version"});
  return offers;
}

Offers offered_flags(const Command& command) {
  Offers offers;
  for (const Row& row : command.rows) {
    if (row.positional() || !row.listed) continue;
    offers.push_back({flag_name(row), row.help});
    if (row.letter != 0) offers.push_back({std::string{'-', row.letter}, row.help});
  }
  return offers;
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// Quotes a text for bash and zsh.
std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// Returns the position of a row's words as a pattern of `case`: after the flag, or first after the command. Empty if
// the row has no words.
std::string position_of_choices(const Command& command, const Row& row) {
  const auto first =
      std::find_if(command.rows.begin(), command.rows.end(), [](const Row& r) { return r.positional(); });
  if (row.takes.choices.empty() || !row.listed || (row.positional() && &row != &*first)) return "";
  return command.name + ":" + (row.positional() ? "1" : flag_name(row));
}

// Returns the flags with a value that cannot be completed (no word, no file), as patterns of `case`; empty for none.
std::string free_values(const Command& command) {
  std::string positions;
  for (const Row& row : command.rows) {
    const bool guessed = !row.takes.choices.empty() || row.takes_file();
    if (row.positional() || !row.takes_value() || guessed) continue;
    positions += (positions.empty() ? "" : "|") + fmt::format("{}:{}", command.name, flag_name(row));
    if (row.letter != 0) positions += fmt::format("|{}:-{}", command.name, row.letter);
  }
  return positions;
}

// --- bash: lines of "word<tab>help"; the help is shown while several words match.

constexpr std::string_view bash_head = R"(# bash completion of halfspace; written by `halfspace completion bash`
_halfspace_offer() {
  local line width=0 offers=()
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && offers+=("$line")
  done
  COMPREPLY=("${offers[@]%%$'\t'*}")
  # Only a list that is shown has room for meanings: bash would insert them otherwise.
  [[ ${#offers[@]} -gt 1 && ${COMP_TYPE:-9} =~ ^(63|33|64)$ ]] || return 0
  for line in "${COMPREPLY[@]}"; do (( ${#line} > width )) && width=${#line}; done
  COMPREPLY=()
  for line in "${offers[@]}"; do
    printf -v line '%-*s  (%s)' "$width" "${line%%$'\t'*}" "${line#*$'\t'}"
    COMPREPLY+=("${line:0:${COLUMNS:-80}}")
  done
}
_halfspace_files() {
  local line
  COMPREPLY=()
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$1")
}
_halfspace() {
  local word=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} position=
  # --flag=value comes in three words.
  if [[ $word == = ]]; then word=
  elif [[ $flag == = ]]; then flag=${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then position=:
  elif [[ $word == -* ]]; then position=$command:
  elif [[ $flag == -* ]]; then position=$command:$flag
  elif (( COMP_CWORD == 2 )); then position=$command:1
  fi
  case $position in
)";

std::string bash_lines(const std::string& positions, const Offers& offers) {
  std::string lines;
  for (const FlagChoice& offer : offers) lines += offer.name + "\t" + offer.help + "\n";
  if (!lines.empty()) lines.pop_back();
  return fmt::format("    {}) _halfspace_offer \"$word\" <<< {} ;;\n", positions, single_quoted(lines));
}

std::string bash(const std::vector<Command>& commands) {
  std::string text(bash_head);
  text += bash_lines(":", offered_commands(commands));
  for (const Command& command : commands) text += bash_lines(command.name + ":", offered_flags(command));
  for (const Command& command : commands) {
    for (const Row& row : command.rows) {
      const std::string position = position_of_choices(command, row);
      if (!position.empty()) text += bash_lines(position, row.takes.choices);
    }
    const std::string unknown = free_values(command);
    if (!unknown.empty()) text += fmt::format("    {}) COMPREPLY=() ;;\n", unknown);
  }
  return text + "    *) _halfspace_files \"$word\" ;;\n  esac\n}\ncomplete -F _halfspace halfspace\n";
}

// --- zsh: _describe with 'word:meaning'.

std::string zsh_list(std::string_view tag, const Offers& offers) {
  std::string list;
  for (const FlagChoice& offer : offers)
    list += "\n      " + single_quoted(escaped(offer.name, ":\\") + ":" + escaped(offer.help, "\\"));
  return fmt::format("offers=({})\n      _describe {} offers ;;\n", list, tag);
}

std::string zsh(const std::vector<Command>& commands) {
  std::string text =
      "#compdef halfspace\n# zsh completion of halfspace; written by `halfspace completion zsh`\n"
      "_halfspace() {\n  local -a offers\n  local flag=$words[CURRENT-1] position=\n"
      "  if [[ $PREFIX == --*=* ]]; then flag=${PREFIX%%=*}; compset -P '*='; fi\n"
      "  if (( CURRENT == 2 )); then position=:\n"
      "  elif [[ $PREFIX == -* ]]; then position=$words[2]:\n"
      "  elif [[ $flag == -* ]]; then position=$words[2]:$flag\n"
      "  elif (( CURRENT == 3 )); then position=$words[2]:1\n  fi\n  case $position in\n";
  text += "    :) " + zsh_list("command", offered_commands(commands));
  for (const Command& command : commands)
    text += fmt::format("    {}:) ", command.name) + zsh_list("-o flag", offered_flags(command));
  for (const Command& command : commands) {
    for (const Row& row : command.rows) {
      const std::string position = position_of_choices(command, row);
      if (!position.empty()) text += fmt::format("    {}) ", position) + zsh_list("value", row.takes.choices);
    }
    const std::string unknown = free_values(command);
    if (!unknown.empty()) text += fmt::format("    {}) _message value ;;\n", unknown);
  }
  return text + "    *) _files ;;\n  esac\n}\n_halfspace \"$@\"\n";
}

// --- fish: one line per flag; values as a list of "word<tab>'help'".

std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_list(const Offers& offers) {
  std::string list;
  for (const FlagChoice& offer : offers)
    list += (list.empty() ? "" : " ") + offer.name + "\\t" + fish_quoted(offer.help);
  return fish_quoted(list);
}

std::string fish_row(const Command& command, const Row& row) {
  std::string line = fmt::format("complete -c halfspace -n '__fish_seen_subcommand_from {}'", command.name);
  if (!row.positional()) {
    line += " -l " + row.name + (row.letter == 0 ? "" : fmt::format(" -s {}", row.letter));
    if (row.takes_value()) line += row.takes_file() ? " -r -F" : " -x";
    line += " -d " + fish_quoted(row.help);
  }
  if (!row.takes.choices.empty()) line += " -a " + fish_list(row.takes.choices);
  return line + "\n";
}

std::string fish(const std::vector<Command>& commands) {
  std::string text = "# fish completion of halfspace; written by `halfspace completion fish`\n";
  for (const Command& command : commands) {
    text += fmt::format("complete -c halfspace -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        fish_quoted(command.purpose));
    for (const Row& row : command.rows) {
      if (row.listed && (!row.positional() || !row.takes.choices.empty())) text += fish_row(command, row);
    }
  }
  return text;
}

}  // namespace

Command completion_command() {
  auto shell = std::make_shared<std::string>();
  Command command("completion", "shell completion for bash, zsh or fish",
                  {{"halfspace completion bash > ~/.local/share/bash-completion/completions/halfspace",
                    "complete commands, flags, values and files, each with its help"}});
  command.add({required({"SHELL", "", "the shell", shell.get(),
                         one_of({{"bash", "source it, or save it among the completions"},
                                 {"zsh", "save it as _halfspace in a folder of $fpath"},
                                 {"fish", "save it in ~/.config/fish/completions"}})})});
  command.run = [shell](const Given&) {
    const std::vector<Command> commands = every_command();
    print_result(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
