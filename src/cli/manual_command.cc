// halfspace completion and halfspace manual: shell completion and the man page, written from the one declaration of the
// flags, so that they cannot tell something else than --help.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cli/commands.h"

namespace halfspace::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); });
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

std::string bash(const CLI::App& app) {
  std::string text =
      "# bash completion of halfspace; written by `halfspace completion bash`\n_halfspace() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} flags=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format(
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n    return\n  fi\n  case $command in\n",
      joined(names_of(commands_of(app))));
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("    {}) flags=\"{}\" ;;\n", command->get_name(), joined(flags_of(*command)));
  }
  text +=
      "  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _halfspace halfspace\n";
  return text;
}

std::string zsh(const CLI::App& app) {
  std::string text =
      "#compdef halfspace\n# zsh completion of halfspace; written by `halfspace completion zsh`\n"
      "if (( CURRENT == 2 )); then\n  compadd -- ";
  text += joined(names_of(commands_of(app))) + " --help --version\n  return\nfi\ncase $words[2] in\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("  {}) [[ $PREFIX == -* ]] && compadd -- {} || _files ;;\n", command->get_name(),
                        joined(flags_of(*command)));
  }
  return text + "esac\n";
}

std::string fish(const CLI::App& app) {
  const std::string names = joined(names_of(commands_of(app)));
  std::string text = "# fish completion of halfspace; written by `halfspace completion fish`\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c halfspace -n 'not __fish_seen_subcommand_from {}' -f -a {} -d '{}'\n", names,
                        command->get_name(), command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        text += fmt::format("complete -c halfspace -n '__fish_seen_subcommand_from {}' -l {}{}\n", command->get_name(),
                            name, option->get_expected_max() > 0 ? " -r" : "");
      }
    }
  }
  return text;
}

// Text for roff: a leading dot or quote would be a request, a backslash an escape, a plain hyphen a dash.
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

// Preformatted lines of a help text as paragraphs of a man page.
std::string lines_as_text(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += (at == 0 ? "" : ".br\n") + roff(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

std::string manual(const CLI::App& app) {
  std::string text =
      ".\\\" written by `halfspace manual`\n.TH HALFSPACE 1 \"\" \"halfspace " HALFSPACE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nhalfspace \\- learns linear classifiers online, and proves what it says\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(app)) {
    std::string arguments;
    for (const CLI::Option* option : command->get_options()) {
      if (option->nonpositional()) continue;
      arguments += " \\fI" + option->get_name(true) + "\\fR";
    }
    text += ".B halfspace " + command->get_name() + "\\fR" + arguments + " [flags]\n.br\n";
  }
  text += ".SH DESCRIPTION\n" + roff(app.get_description()) +
          "\nResults go to standard output, progress and messages to standard error.\n";
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    text += ".SS " + command->get_name() + "\n" + roff(command->get_description()) + ".\n";
    std::set<std::string> groups;
    for (const CLI::Option* option : command->get_options()) {
      text += ".TP\n\\fB" + roff(option->get_name(true, true)) + "\\fR";
      if (option->get_expected_max() > 0 && option->nonpositional())
        text += " \\fI" + roff(option->get_type_name()) + "\\fR";
      text += "\n" + lines_as_text(option->get_description());
    }
    const std::string examples = command->get_footer();
    if (!examples.empty()) text += ".PP\n.nf\n" + roff(examples) + ".fi\n";
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : std::vector<std::pair<int, const char*>>{{0, "success"},
                                                                              {2, "the command line was wrong"},
                                                                              {65, "bad data"},
                                                                              {66, "no such input"},
                                                                              {70, "a bug in Halfspace"},
                                                                              {74, "reading or writing failed"}}) {
    text += fmt::format(".TP\n{}\n{}\n", code, meaning);
  }
  return text +
         ".SH ENVIRONMENT\n.TP\nNO_COLOR\nwhen set, nothing is coloured\n.TP\nTMPDIR\nfolder for temporary files\n";
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = add_command(app, "completion", "shell completion for bash, zsh or fish",
                                  {{"halfspace completion bash > ~/.local/share/bash-completion/completions/halfspace",
                                    "complete commands, flags and files"}});
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  command->callback([shell, &app, &action] {
    action = [shell, &app] {
      print_result(*shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
      return 0;
    };
  });
}

void add_manual(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "manual", "the manual page, as roff", {{"halfspace manual | man -l -", "read it"}});
  command->callback([&app, &action] {
    action = [&app] {
      print_result(manual(app));
      return 0;
    };
  });
}

}  // namespace halfspace::cli
