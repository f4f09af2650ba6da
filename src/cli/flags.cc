// Parses the words of a command line into values, each checked by its row.
#include "cli/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "cli/foreign_flags.h"
#include "cli/named_files.h"
#include "cli/patterns.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "train/settings/given_option.h"

namespace halfspace::cli {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

bool is_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
}

std::vector<std::string> names_of(const std::vector<FlagChoice>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const FlagChoice& choice : choices) names.push_back(choice.name);
  return names;
}

// Returns what a wrong choice may mean: what it is elsewhere, a similar name, a name whose help has the word, or the
// choice of another flag.
std::vector<std::string> meant(const Command& command, const Row& row, const std::string& text) {
  if (const std::string_view own = value_meant(row, text); !own.empty()) return {std::string(own)};
  std::vector<std::string> near = nearest(text, names_of(row.takes.choices));
  if (!near.empty()) return near;
  for (const FlagChoice& choice : row.takes.choices) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < choice.help.size();) {
      const std::size_t end = std::min(choice.help.find_first_of(" ,:;'()", at), choice.help.size());
      if (end - at > 4) words.push_back(choice.help.substr(at, end - at));
      at = end + 1;
    }
    if (near.size() < 2 && !nearest(text, words).empty()) near.push_back(choice.name);
  }
  // Adds another flag that takes this word, exact or misspelled; short words are too alike for the latter.
  for (const Row& other : command.rows) {
    const std::vector<std::string> others = nearest(text, names_of(other.takes.choices));
    const bool slip = !others.empty() && (others.front() == text || (text.size() > 6 && others.front()[0] == text[0]));
    if (slip) near.push_back(flag_name(other) + " " + others.front());
  }
  return near;
}

class Parser {
 public:
  Parser(const Command& command, std::span<const std::string> words) : command_(command), words_(words) {}

  Given run() {
    while (at_ < words_.size() && !given_("help")) take(words_[at_++]);
    if (given_("help")) return given_;
    if (!unknown_.empty()) refuse(unknown_, corrected());
    assign_positionals();
    for (const auto& [row, text] : values_) set(*row, text);
    for (const Row& row : command_.rows) {
      if (row.required && !given_(row.name) && !given_by_flag(row))
        refuse(fmt::format("{} is missing: {}", flag_name(row), row.help), help_fix("lists the flags"));
    }
    refuse_useless(values_);
    for (const auto& [row, text] : values_) {
      const bool word = !row->takes.word.empty() && text == row->takes.word;
      if (row->takes_file() && !word) given_.add(named(*row, text));
    }
    refuse_lost_files(given_.files());
    return given_;
  }

 private:
  std::string help_fix(std::string_view what) const {
    return fmt::format("{} {} --help {}", command_.program, command_.name, what);
  }

  // Returns the command line with this program's names for flags, if all unknown ones have one.
  std::string corrected() const {
    std::string line = command_.program + " " + command_.name;
    bool flags = true;
    for (const std::string& word : words_) {
      flags = flags && word != "--";
      const bool is_long = word.starts_with("--");
      const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
      const bool known =
          !flags || !is_flag(word) ||
          (is_long ? command_.flag(std::string_view(name).substr(2)) : command_.flag(name[1])) != nullptr;
      const Row* row = known ? nullptr : renamed(command_, name);
      if (!known && row == nullptr && is_long) row = synonym(command_, name.substr(2));
      if (!known && row == nullptr) return help_fix("lists the flags");
      const std::string rest = word.substr(std::min(name.size(), word.size()));
      line += " " + shell_quoted(known ? word : flag_name(*row) + (is_long || rest.empty() ? "" : "=") + rest);
    }
    return line;
  }

  void take(const std::string& word) {
    if (only_positionals_ || !is_flag(word)) {
      positionals_.push_back(word);
    } else if (word == "--") {
      only_positionals_ = true;
    } else if (word[1] == '-') {
      take_long(word);
    } else {
      take_letters(word);
    }
  }

  void take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Row* row = command_.flag(std::string_view(name).substr(2));
    if (row == nullptr) row = by_synonym(name);
    if (row == nullptr) return note_unknown(name);
    if (equals == std::string::npos) return add(*row, row->takes_value() ? next(*row) : "");
    if (!row->takes_value()) refuse(name + " takes no value, and " + word + " gives it one", "write " + name);
    add(*row, word.substr(equals + 1));
  }

  const Row* by_synonym(const std::string& name) {
    const Row* const row = synonym(command_, name.substr(2));
    if (row != nullptr) given_.add_note(name + " is " + flag_name(*row) + " here");
    return row;
  }

  // -q, -qo FILE, -oFILE.
  void take_letters(const std::string& word) {
    if (take_quadratic(word)) return;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Row* row = command_.flag(word[i]);
      if (row == nullptr) return note_unknown(i == 1 ? word : std::string{'-', word[i]});
      if (!row->takes_value()) {
        add(*row, "");
        continue;
      }
      return add(*row, i + 1 < word.size() ? word.substr(i + 1) : next(*row));
    }
  }

  // Takes Vowpal Wabbit's -q ab as --quadratic ab; other words after -q are as without it.
  bool take_quadratic(const std::string& word) {
    const Row* const row = command_.flag("quadratic");
    if (word != "-q" || row == nullptr || at_ == words_.size() || !names_vw_pair(words_[at_])) return false;
    add(*row, words_[at_++]);
    return true;
  }

  // Takes the value after a flag. Another flag of this command is not a value: the value was forgotten.
  std::string next(const Row& row) {
    const bool ended = at_ == words_.size();
    std::string word = ended ? "" : words_[at_];
    const bool forgotten = ended || (word.starts_with("--") && command_.flag(std::string_view(word).substr(2)));
    if (!forgotten) {
      ++at_;
      return word;
    }
    const std::string what = row.takes_words();
    refuse(fmt::format("{} needs a value{}{}", flag_name(row), what.empty() ? "" : ": ", what),
           fmt::format("{} {}", flag_name(row), row.placeholder));
  }

  void add(const Row& row, std::string text) {
    if (row.takes_value() && !row.repeats() && given_(row.name))
      refuse(flag_name(row) + " is given twice", "give it once");
    given_.add(row, spelled_out(row, text));
    values_.emplace_back(&row, std::move(text));
  }

  // Returns the name of a choice that can be spelled in another way.
  static const std::string& spelled_out(const Row& row, const std::string& text) {
    for (const FlagChoice& choice : row.takes.choices) {
      if (!choice.spelling.empty() && choice.spelling == text) return choice.name;
    }
    return text;
  }

  void set(const Row& row, const std::string& given) const {
    const std::vector<std::string> known = names_of(row.takes.choices);
    const std::string& text = spelled_out(row, given);
    const std::string choice = row.choice_in(text);
    if (!known.empty() && std::find(known.begin(), known.end(), choice) == known.end()) {
      refuse(fmt::format("no {} is called '{}'{}", flag_name(row), printable(choice),
                         suggested(meant(command_, row, choice))),
             command_.name == "train" && row.name == "keep"
                 ? fmt::format("--keep takes {}; to read some namespaces alone, write --only", row.takes_words())
                 : fmt::format("{} takes {}", flag_name(row), row.takes_words()));
    }
    row.set(text);
  }

  // Returns whether a flag, or this value of a flag (FLAG=VALUE), was given.
  bool is_given(const std::string& flag) const {
    const std::size_t equals = flag.find('=');
    if (equals == std::string::npos) return given_(flag);
    return std::any_of(values_.begin(), values_.end(), [&](const auto& value) {
      return value.first->name == flag.substr(0, equals) && value.second == flag.substr(equals + 1);
    });
  }

  NamedFile named(const Row& row, const std::string& text) const {
    using Use = NamedFile::Use;
    const Takes& takes = row.takes;
    const bool folder = takes.folder || std::any_of(takes.folder_with.begin(), takes.folder_with.end(),
                                                    [this](const std::string& flag) { return is_given(flag); });
    const Use use = takes.form == Takes::Form::input ? takes.data ? Use::data : Use::input
                    : folder                         ? Use::folder
                    : takes.grows                    ? Use::growing
                                                     : Use::output;
    return {flag_name(row), text, use, takes.replaced_by, takes.stdout_too};
  }

  void note_unknown(const std::string& flag) {
    std::vector<std::string> known;
    for (const Row& row : command_.rows) {
      if (!row.positional()) known.push_back(flag_name(row));
    }
    const std::string instead = instead_of(command_, flag);
    unknown_ += (unknown_.empty() ? "" : " · ") + ("unknown flag " + flag) +
                (instead.empty() ? suggested(nearest(flag, known)) : ": " + instead);
  }

  bool given_by_flag(const Row& row) const { return !row.instead.empty() && given_(row.instead); }
  bool has_words(const Row& row) const { return row.positional() && !given_by_flag(row); }

  // Keeps words for the rows after one that takes several.
  void assign_positionals() {
    auto word = positionals_.begin();
    auto reserved =
        std::count_if(command_.rows.begin(), command_.rows.end(), [this](const Row& r) { return has_words(r); });
    for (const Row& row : command_.rows) {
      if (!has_words(row)) continue;
      --reserved;
      for (bool first = true; positionals_.end() - word > (first ? 0 : reserved) && (first || row.repeats());
           first = false, ++word) {
        if (!row.takes.patterns) {
          add(row, *word);
        } else {
          for (std::string& name : expanded(*word, !row.required)) add(row, std::move(name));
        }
      }
    }
    if (word != positionals_.end())
      refuse("unexpected argument '" + printable(*word) + "'", help_fix("lists the arguments"));
  }

  const Command& command_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  bool only_positionals_ = false;
  Given given_;
  std::string unknown_;
  std::vector<std::string> positionals_;
  std::vector<std::pair<const Row*, std::string>> values_;
};

}  // namespace

bool Given::operator()(std::string_view name) const {
  return std::any_of(flags_.begin(), flags_.end(), [&](const Flag& flag) { return flag.name == name; });
}

bool Given::any_of_group(std::string_view group) const {
  return std::any_of(flags_.begin(), flags_.end(), [&](const Flag& flag) { return flag.group == group; });
}

std::vector<std::pair<std::string, std::string>> Given::options(const std::vector<Option>& among) const {
  std::vector<std::pair<std::string, std::string>> named;
  for (const Flag& flag : flags_) {
    const Option* const option = find_option(among, flag.name);
    if (option != nullptr && !option->positional()) named.emplace_back(flag.name, flag.text);
  }
  return named;
}

Command::Command(std::string its_name, std::string its_purpose, std::vector<WorkedExample> its_examples)
    : name(std::move(its_name)), purpose(std::move(its_purpose)), examples(std::move(its_examples)) {
  add({{"-h,--help", "", "print this help", std::monostate{}}});
}

void Command::add(const std::string& group, std::vector<Row> more) {
  for (Row& row : more) {
    if (!group.empty()) row.group = group;
    row.help = with_flags(row.help);
    rows.push_back(std::move(row));
  }
}

const Row* Command::flag(std::string_view wanted) const {
  for (const Row& row : rows) {
    if (!row.positional() && row.name == wanted) return &row;
  }
  return nullptr;
}

const Row* Command::flag(char letter) const {
  for (const Row& row : rows) {
    if (row.letter == letter) return &row;
  }
  return nullptr;
}

Given parse(const Command& command, std::span<const std::string> words) { return Parser(command, words).run(); }

std::string suggested(std::span<const std::string> near) {
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) text += (i == 0 ? "; did you mean " : " or ") + near[i];
  return text.empty() ? "" : text + "?";
}

}  // namespace halfspace::cli
