// The table of commands.
#include "cli/commands.h"

namespace halfspace::cli {

std::span<const CommandEntry> command_entries() {
  static constexpr CommandEntry entries[] = {
      {"train", train_command},     {"predict", predict_command}, {"evaluate", evaluate_command},
      {"explain", explain_command}, {"compare", compare_command}, {"rules", rules_command},
      {"export", export_command},   {"inspect", inspect_command}, {"convert", convert_command},
      {"check", check_command},     {"certify", certify_command}, {"verify", verify_command},
      {"audit", audit_command},     {"experts", experts_command}, {"bandit", bandit_command},
      {"choose", choose_command},   {"serve", serve_command},     {"lab", lab_command},
      {"report", report_command},   {"demo", demo_command},       {"completion", completion_command},
      {"manual", manual_command},   {"help", help_command},
  };
  return entries;
}

std::vector<Command> every_command() {
  std::vector<Command> commands;
  for (const CommandEntry& entry : command_entries()) commands.push_back(entry.describe());
  return commands;
}

}  // namespace halfspace::cli
