// Formats rows as the text of --help.
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "report/pages/assets.h"
#include "report/results/option_json.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t words_column = 30;

std::string indented_signature(const Row& row) {
  return (row.positional() || row.letter != 0 ? "  " : "     ") + signature(row);
}

std::string full_entry(const Row& row, std::size_t width) {
  std::string text = help_entry(indented_signature(row), row.help, width);
  for (const FlagChoice& choice : row.takes.choices) {
    if (choice.listed) text += help_entry("         " + choice.name, choice.help, width);
  }
  return text;
}

// Returns the command that describes each value of a flag; empty for none.
std::string describing_command(const Row& row) {
  for (const Topic& topic : topics()) {
    if (topic.flag == row.name) return "help " + std::string(topic.name);
  }
  return row.name == "rule" ? "rules" : "";
}

// Only names the values of a long list, which another command describes.
std::string short_entry(const Row& row, std::size_t width) {
  const std::string more = describing_command(row);
  if (more.empty()) return full_entry(row, width);
  std::string names;
  for (const FlagChoice& choice : row.takes.choices) names += (names.empty() ? "" : ", ") + choice.name;
  return help_entry(indented_signature(row), fmt::format("{}: {}. halfspace {}: what each is", row.help, names, more),
                    width);
}

// Names the choices if they are few.
std::string brief_entry(const Row& row, std::size_t width) {
  constexpr std::size_t few = 6;
  const std::size_t choices = row.takes.choices.size();
  const bool listed = choices > 1 && choices <= few;
  return help_entry(indented_signature(row), listed ? row.help + ": " + row.takes_words() : row.help, width);
}

std::string entries(const Command& command, const std::function<bool(const Row&)>& wanted,
                    const std::function<std::string(const Row&, std::size_t)>& text_of, std::size_t width) {
  std::string text;
  for (const Row& row : command.rows) {
    if (wanted(row)) text += text_of(row, width);
  }
  return text;
}

std::string examples(const Command& command, std::size_t most) {
  std::string text = "\nExamples:\n";
  for (std::size_t k = 0; k < std::min(most, command.examples.size()); ++k)
    text += "  " + command.examples[k].line + "\n      " + command.examples[k].what + "\n";
  return text;
}

std::string heading(const Command& command) {
  return fmt::format("{}\n\nUsage: {}\n\n", command.purpose, usage(command));
}

// Returns the groups in the order of their first row.
std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Row& row : command.rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  }
  return groups;
}

// Returns whether --help describes the row.
bool is_shown(const Command& command, const Row& row) {
  return row.listed && std::find(command.rare.begin(), command.rare.end(), row.name) == command.rare.end();
}

std::string in_groups(const Command& command, const std::function<bool(const Row&)>& wanted,
                      const std::function<std::string(const Row&, std::size_t)>& text_of, std::size_t width) {
  std::string text = heading(command) + entries(
                                            command, [](const Row& row) { return row.positional(); }, text_of, width);
  for (const std::string& group : groups_of(command)) {
    const std::string rows = entries(
        command, [&](const Row& row) { return !row.positional() && row.group == group && wanted(row); }, text_of,
        width);
    if (!rows.empty()) text += fmt::format("\n{}{}", group.empty() ? "" : group + ":\n", rows);
  }
  text += examples(command, command.examples.size());
  if (!command.exits.empty()) text += "\nExit codes of this command:\n";
  for (const ExitCode& exit : command.exits) text += fmt::format("  {:<3} {}\n", exit.code, exit.meaning);
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Returns the names in a term, in lower case: "calibrated, calibration" and "pass (epoch)" have two.
std::vector<std::string> names_of(const std::string& term) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < term.size();) {
    const std::size_t end = std::min(term.find_first_of(",()", at), term.size());
    std::string name = lower(term.substr(at, end - at));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (!name.empty()) names.push_back(std::move(name));
    at = std::min(term.find_first_not_of(",() ", end), term.size());
  }
  return names;
}

bool is_called(const Word& word, const std::string& wanted) {
  const std::vector<std::string> names = names_of(word.term);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return wanted == name || wanted == name + "s" || wanted == name + "es" || wanted + "s" == name;
  });
}

}  // namespace

std::string help_entry(const std::string& name, std::string_view words, std::size_t width) {
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

std::span<const Topic> topics() {
  static constexpr Topic all[] = {{"formats", "format"}, {"metrics", "metric"}};
  return all;
}

std::string topic_text(const Topic& topic, const Command& train, std::size_t width) {
  const Row* const row = train.flag(topic.flag);
  std::string text = fmt::format("{}: {}\n\n", signature(*row), row->help);
  for (const FlagChoice& choice : row->takes.choices) text += help_entry("  " + choice.name, choice.help, width);
  return text;
}

const std::vector<ExitCode>& common_exit_codes() {
  static const std::vector<ExitCode> codes = {{0, "success"},
                                              {2, "the command line was wrong"},
                                              {65, "bad data"},
                                              {66, "no such input"},
                                              {70, "a bug in Halfspace"},
                                              {74, "reading or writing failed"},
                                              {129, "ended by SIGHUP; halfspace train has saved the model so far"},
                                              {130, "ended by SIGINT (Ctrl-C), likewise"},
                                              {143, "ended by SIGTERM, likewise"}};
  return codes;
}

std::size_t help_width() { return stdout_is_terminal() ? std::clamp<std::size_t>(terminal_width(), 80, 110) : 110; }

std::string signature(const Row& row) {
  std::string text = row.letter == 0 ? "" : fmt::format("-{},", row.letter);
  text += flag_name(row);
  if (!row.positional() && !row.placeholder.empty()) text += " " + row.placeholder;
  return text;
}

std::string usage(const Command& command) {
  std::string text = command.program + " " + command.name + " [flags]";
  for (const Row& row : command.rows) {
    if (!row.required && !row.positional()) continue;
    const std::string name =
        (row.positional() ? "" : flag_name(row) + " ") + (row.positional() ? row.name : row.placeholder);
    text += row.required ? " " + name : " [" + name + "]";
    if (row.positional() && row.repeats()) text += "...";
  }
  return text;
}

std::string help(const Command& command, std::size_t width) {
  // Only a command with too many flags for a help that is read shortens its lists.
  const auto text_of = command.rare.empty() ? full_entry : short_entry;
  std::string text = in_groups(
      command, [&](const Row& row) { return is_shown(command, row); }, text_of, width);
  const auto hidden =
      std::count_if(command.rows.begin(), command.rows.end(), [&](const Row& row) { return !is_shown(command, row); });
  if (hidden > 0)
    text += fmt::format("\n{} help {} all describes {} more flags, and all their values.\n", command.program,
                        command.name, hidden);
  return text;
}

std::string full_help(const Command& command, std::size_t width) {
  return in_groups(
      command, [](const Row&) { return true; }, full_entry, width);
}

std::string brief_help(const Command& command, std::size_t width) {
  const std::vector<std::string>& common = command.common;
  const auto shown = [&](const Row& row) {
    return row.positional() || common.empty() || std::find(common.begin(), common.end(), row.name) != common.end();
  };
  std::string text = heading(command);
  for (const bool positional : {true, false}) {
    text += entries(
        command, [&](const Row& row) { return row.positional() == positional && shown(row); }, brief_entry, width);
  }
  text += examples(command, 3);
  const auto hidden = std::count_if(command.rows.begin(), command.rows.end(),
                                    [&](const Row& row) { return !shown(row) && is_shown(command, row); });
  if (hidden > 0)
    text += fmt::format("\n{} {} --help describes {} more flags, and all their values.\n", command.program,
                        command.name, hidden);
  return text;
}

Json help_json(const Command& command) {
  Json j = {{"command", command.name}, {"purpose", command.purpose}, {"usage", usage(command)}};
  for (const char* list : {"arguments", "flags", "examples", "exit_codes"}) j[list] = Json::array();
  for (const Row& row : command.rows) {
    Json described = report::option_json(row);
    described["required"] = row.required;
    if (!row.positional()) {
      described["letter"] = row.letter == 0 ? Json(nullptr) : Json(std::string(1, row.letter));
      described["group"] = row.group;
    }
    described["choices"] = Json::array();
    for (const FlagChoice& choice : row.takes.choices)
      described["choices"].push_back({{"name", choice.name}, {"help", choice.help}});
    j[row.positional() ? "arguments" : "flags"].push_back(std::move(described));
  }
  for (const WorkedExample& example : command.examples)
    j["examples"].push_back({{"line", example.line}, {"what", example.what}});
  for (const ExitCode& exit : command.exits)
    j["exit_codes"].push_back({{"code", exit.code}, {"meaning", exit.meaning}});
  return j;
}

const std::vector<Word>& glossary() {
  static const std::vector<Word> words = [] {
    const auto page = std::find_if(report::assets().begin(), report::assets().end(),
                                   [](const report::Asset& asset) { return asset.name == "words.md"; });
    const std::string_view text = page->text;
    std::vector<Word> found;
    for (std::size_t at = text.find("\n**"); at != std::string_view::npos; at = text.find("\n**", at)) {
      const std::size_t colon = text.find("**: ", at += 3), end = text.find("\n\n", colon);
      found.push_back({std::string(text.substr(at, colon - at)), std::string(text.substr(colon + 4, end - colon - 4))});
      std::replace(found.back().meaning.begin(), found.back().meaning.end(), '\n', ' ');
      if (end == std::string_view::npos) found.back().meaning.pop_back();  // the last line's end
    }
    return found;
  }();
  return words;
}

std::string explained(std::span<const std::string> words, std::size_t width) {
  std::string text;
  const auto add = [&](const Word& word) { text += help_entry("  " + word.term, word.meaning, width); };
  if (words.empty()) std::for_each(glossary().begin(), glossary().end(), add);
  for (const std::string& asked : words) {
    const std::string wanted = lower(asked);
    std::vector<const Word*> same, alike;
    std::vector<std::string> known;
    for (const Word& word : glossary()) {
      bool begins = false;
      const bool is = is_called(word, wanted);
      for (std::string& name : names_of(word.term)) {
        begins = begins || (" " + name).find(" " + wanted) != std::string::npos;
        known.push_back(std::move(name));
      }
      if (is) same.push_back(&word);
      if (begins) alike.push_back(&word);
    }
    for (const Word* word : same.empty() ? alike : same) add(*word);
    if (same.empty() && alike.empty())
      throw Error(ErrorKind::usage, "'" + printable(asked) + "' is not explained" + suggested(nearest(wanted, known)))
          .fix("halfspace help words lists the words that are");
  }
  return text;
}

bool has_word(const std::string& word) {
  return std::any_of(glossary().begin(), glossary().end(),
                     [wanted = lower(word)](const Word& one) { return is_called(one, wanted); });
}

std::string help_asked(const Command& command, std::span<const std::string> words) {
  const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (has("--json")) return dumped(help_json(command));
  return has("--help") ? help(command, help_width()) : brief_help(command, help_width());
}

std::string overview(const std::string& purpose, std::span<const Command> commands, std::size_t width) {
  const Command& first = commands.front();
  std::string text = fmt::format("{}\n\nUsage: {} COMMAND [flags] ...\n\nCommands:\n", purpose, first.program);
  for (const Command& command : commands) text += help_entry("  " + command.name, command.purpose, width);
  text += "\nFlags:\n" + help_entry("  -h,--help", "print this help; after a command, its own", width) +
          help_entry("     --version", "print the version", width);
  text += examples(first, 1) + "\nExit codes:\n";
  for (const ExitCode& exit : common_exit_codes()) text += fmt::format("  {:<3} {}\n", exit.code, exit.meaning);
  text += fmt::format("\n{} COMMAND -h describes a command in brief, --help in full.\n", first.program);
  return first.program == "halfspace" ? text + "halfspace help words explains the words of the output.\n" : text;
}

}  // namespace halfspace::cli
