// halfspace completion: commands, flags and values for the shell, with what --help says of each.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"

namespace halfspace::cli {
namespace {

// Holds what can stand at a place of the command line: words, and what they mean.
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
    if (row.positional()) continue;
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

// Says where the words of a row stand, as a place of a case: behind the flag, or first behind the command. Empty for
// a row without words of its own.
std::string place_of_choices(const Command& command, const Row& row) {
  const auto first =
      std::find_if(command.rows.begin(), command.rows.end(), [](const Row& r) { return r.positional(); });
  if (row.takes.choices.empty() || (row.positional() && &row != &*first)) return "";
  return command.name + ":" + (row.positional() ? "1" : flag_name(row));
}

// Lists the flags whose value cannot be guessed (no word, no file), as places of a case; empty for none.
std::string free_values(const Command& command) {
  std::string places;
  for (const Row& row : command.rows) {
    const bool guessed = !row.takes.choices.empty() || row.takes_file();
    if (row.positional() || !row.takes_value() || guessed) continue;
    places += (places.empty() ? "" : "|") + fmt::format("{}:{}", command.name, flag_name(row));
    if (row.letter != 0) places += fmt::format("|{}:-{}", command.name, row.letter);
  }
  return places;
}

// --- bash: lines of "word<tab>meaning"; meanings are shown while several words fit.

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
  local word=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} place=
  # --flag=value comes in three words.
  if [[ $word == = ]]; then word=
  elif [[ $flag == = ]]; then flag=${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then place=:
  elif [[ $word == -* ]]; then place=$command:
  elif [[ $flag == -* ]]; then place=$command:$flag
  elif (( COMP_CWORD == 2 )); then place=$command:1
  fi
  case $place in
)";

std::string bash_lines(const std::string& places, const Offers& offers) {
  std::string lines;
  for (const FlagChoice& offer : offers) lines += offer.name + "\t" + offer.help + "\n";
  if (!lines.empty()) lines.pop_back();
  return fmt::format("    {}) _halfspace_offer \"$word\" <<< {} ;;\n", places, single_quoted(lines));
}

std::string bash(const std::vector<Command>& commands) {
  std::string text(bash_head);
  text += bash_lines(":", offered_commands(commands));
  for (const Command& command : commands) text += bash_lines(command.name + ":", offered_flags(command));
  for (const Command& command : commands) {
    for (const Row& row : command.rows) {
      const std::string place = place_of_choices(command, row);
      if (!place.empty()) text += bash_lines(place, row.takes.choices);
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
      "_halfspace() {\n  local -a offers\n  local flag=$words[CURRENT-1] place=\n"
      "  if [[ $PREFIX == --*=* ]]; then flag=${PREFIX%%=*}; compset -P '*='; fi\n"
      "  if (( CURRENT == 2 )); then place=:\n"
      "  elif [[ $PREFIX == -* ]]; then place=$words[2]:\n"
      "  elif [[ $flag == -* ]]; then place=$words[2]:$flag\n"
      "  elif (( CURRENT == 3 )); then place=$words[2]:1\n  fi\n  case $place in\n";
  text += "    :) " + zsh_list("command", offered_commands(commands));
  for (const Command& command : commands)
    text += fmt::format("    {}:) ", command.name) + zsh_list("-o flag", offered_flags(command));
  for (const Command& command : commands) {
    for (const Row& row : command.rows) {
      const std::string place = place_of_choices(command, row);
      if (!place.empty()) text += fmt::format("    {}) ", place) + zsh_list("value", row.takes.choices);
    }
    const std::string unknown = free_values(command);
    if (!unknown.empty()) text += fmt::format("    {}) _message value ;;\n", unknown);
  }
  return text + "    *) _files ;;\n  esac\n}\n_halfspace \"$@\"\n";
}

// --- fish: a line a flag; values as a list of "word<tab>'meaning'".

std::string fish_quoted(std::string_view text) {
  return "'" + escaped(text, "'\\") + "'";
}

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
      if (!row.positional() || !row.takes.choices.empty()) text += fish_row(command, row);
    }
  }
  return text;
}

}  // namespace

Command completion_command() {
  auto shell = std::make_shared<std::string>();
  Command command("completion", "shell completion for bash, zsh or fish",
                  {{"halfspace completion bash > ~/.local/share/bash-completion/completions/halfspace",
                    "complete commands, flags, values and files, each with what it means"}});
  command.add({required({"SHELL", "", "whose", shell.get(),
                         one_of({{"bash", "to be sourced, or put among its completions"},
                                 {"zsh", "to be put into a folder of $fpath, as _halfspace"},
                                 {"fish", "to be put into ~/.config/fish/completions"}})})});
  command.run = [shell](const Given&) {
    const std::vector<Command> commands = every_command();
    print_result(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
