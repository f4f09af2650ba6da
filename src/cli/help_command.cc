// halfspace help: prints what --help prints.
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {

Command help_command() {
  auto asked = std::make_shared<std::string>();
  auto words = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  Command command("help", "the flags of a command, with examples; the words of the output",
                  {{"halfspace help", "all commands, as halfspace --help"},
                   {"halfspace help train", "one command, as halfspace train --help"},
                   {"halfspace help train --json", "the same for programs"},
                   {"halfspace help words margin folds", "what these words of the output mean; so does help margin"}});
  std::vector<FlagChoice> choices = {{"words", "what the words of the output mean: all, or these"}};
  for (const CommandEntry& entry : command_entries()) {
    const std::string purpose = entry.describe == help_command ? command.purpose : entry.describe().purpose;
    choices.push_back({std::string(entry.name), purpose});
  }
  command.add({{"COMMAND", "", "the command (default: list all)", asked.get(), one_of(std::move(choices))},
               {"WORD", "", "after words: explain this one", words.get()}});
  command.add(kOutputGroup, {{"--json", "", "with COMMAND: its flags as JSON", as_json.get()}});
  command.run = [asked, words, as_json](const Given&) {
    if (!words->empty() && *asked != "words")
      throw Error(ErrorKind::usage, "unexpected argument '" + printable(words->front()) + "'")
          .fix("halfspace help words " + printable(words->front()) + " explains a word, halfspace help a command");
    if ((asked->empty() || *asked == "words") && *as_json)
      throw Error(ErrorKind::usage, "--json is of one command's flags").fix("halfspace help COMMAND --json");
    if (asked->empty()) print_result(overview(kPurpose, every_command(), help_width()));
    if (*asked == "words") print_result(explained(*words, help_width()));
    for (const CommandEntry& entry : command_entries()) {
      if (entry.name == *asked)
        print_result(*as_json ? dumped(help_json(entry.describe())) : help(entry.describe(), help_width()));
    }
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
