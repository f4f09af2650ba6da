// halfspace help: prints what --help prints.
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"

namespace halfspace::cli {

Command help_command() {
  auto asked = std::make_shared<std::string>();
  Command command("help", "the flags of a command, with examples",
                  {{"halfspace help", "all commands, as halfspace --help"},
                   {"halfspace help train", "one command, as halfspace train --help"}});
  std::vector<FlagChoice> choices;
  for (const CommandEntry& entry : command_entries()) {
    const std::string purpose = entry.describe == help_command ? command.purpose : entry.describe().purpose;
    choices.push_back({std::string(entry.name), purpose});
  }
  command.add({{"COMMAND", "", "the command (default: list all)", asked.get(), one_of(std::move(choices))}});
  command.run = [asked](const Given&) {
    if (asked->empty()) print_result(overview(every_command(), help_width()));
    for (const CommandEntry& entry : command_entries()) {
      if (entry.name == *asked) print_result(help(entry.describe(), false, help_width()));
    }
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
