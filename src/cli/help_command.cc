// halfspace help: prints what --help prints.
#include <fmt/format.h>

#include <algorithm>
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
                   {"halfspace help train all", "with the rare flags, too, and all values"},
                   {"halfspace help train --json", "the same for programs"},
                   {"halfspace help words margin folds", "what these words of the output mean; so does help margin"}});
  std::vector<FlagChoice> choices = {{"words", "what the words of the output mean: all, or these"}};
  for (const Topic& topic : topics())
    choices.push_back({std::string(topic.name), fmt::format("the values of --{}, a line each", topic.flag)});
  for (const CommandEntry& entry : command_entries()) {
    const std::string purpose = entry.describe == help_command ? command.purpose : entry.describe().purpose;
    choices.push_back({std::string(entry.name), purpose});
  }
  command.add({{"COMMAND", "", "the command (default: list all)", asked.get(), one_of(std::move(choices))},
               {"WORD", "", "after words: explain this one; all after a command: describe every flag", words.get()}});
  command.add(kOutputGroup, {{"--json", "", "with COMMAND: its flags as JSON", as_json.get()}});
  command.run = [asked, words, as_json](const Given&) {
    const bool of_command = std::any_of(command_entries().begin(), command_entries().end(),
                                        [&](const CommandEntry& entry) { return entry.name == *asked; });
    const bool all = of_command && words->size() == 1 && words->front() == "all";
    if (!words->empty() && !all && *asked != "words")
      throw Error(ErrorKind::usage, "unexpected argument '" + printable(words->front()) + "'")
          .fix("halfspace help words " + printable(words->front()) + " explains a word, halfspace help a command");
    if (!of_command && *as_json)
      throw Error(ErrorKind::usage, "--json is of one command's flags").fix("halfspace help COMMAND --json");
    if (asked->empty()) print_result(overview(kPurpose, every_command(), help_width()));
    if (*asked == "words") print_result(explained(*words, help_width()));
    for (const Topic& topic : topics()) {
      if (topic.name == *asked) print_result(topic_text(topic, train_command(), help_width()));
    }
    for (const CommandEntry& entry : command_entries()) {
      if (entry.name != *asked) continue;
      const Command described = entry.describe();
      print_result(*as_json ? dumped(help_json(described))
                   : all    ? full_help(described, help_width())
                            : help(described, help_width()));
    }
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
