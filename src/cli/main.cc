// The program: one command a run, errors to exit codes, a broken pipe is a quiet success.
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/convert_command.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::atomic<bool> interrupt_flag{false};

extern "C" void on_interrupt(int) {
  if (interrupt_flag.exchange(true)) _exit(130);
}

// An option of the library is a flag here.
std::string as_flag(std::string_view name, std::string_view value) {
  return fmt::format("--{}{}{}", name, value.empty() ? "" : " ", value);
}

int report(const Error& error) {
  fmt::print(stderr, "{} {}\n", red("halfspace:", false), error.what(as_flag));
  return static_cast<int>(error.kind());
}

// The words that were not understood, each with the nearest flag or command that exists.
std::string did_you_mean(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const CLI::App* used : app.get_subcommands()) command = used;
  // One thing at a time: what stands beside an unknown flag may only be its value.
  const auto is_flag = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const bool any_flag = std::any_of(words.begin(), words.end(), is_flag);
  std::string text;
  for (const std::string& word : words) {
    if (any_flag ? !is_flag(word) : !text.empty()) continue;
    std::vector<std::string> known;
    if (is_flag(word)) {
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      }
    } else if (command == &app) {
      for (const CLI::App* sub : app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); })) {
        known.push_back(sub->get_name());
      }
    }
    const std::string flag = word.substr(0, word.find('='));
    text += is_flag(word)     ? "unknown flag " + flag
            : command == &app ? "unknown command '" + word + "'"
                              : "unexpected argument '" + word + "'";
    const std::vector<std::string> near = nearest(flag, known);
    for (std::size_t i = 0; i < near.size(); ++i) text += (i == 0 ? "; did you mean " : " or ") + near[i];
    if (!near.empty()) text += "?";
    text += "\n";
  }
  return text + "  fix: halfspace " + (command == &app ? "" : command->get_name() + " ") + "--help lists what there is";
}

// Declaring the flags of every command takes longer than learning from a small file: when the first word names a
// command, that one is declared, and all of them when it does not (help, a slip of the pen).
void add_commands(CLI::App& app, Action& action, std::string_view wanted) {
  using Add = void (*)(CLI::App&, Action&);
  static constexpr std::pair<std::string_view, Add> commands[] = {
      {"train", add_train},     {"predict", add_predict},       {"evaluate", add_evaluate}, {"export", add_export},
      {"inspect", add_inspect}, {"convert", add_convert},       {"check", add_check},       {"certify", add_certify},
      {"verify", add_verify},   {"experts", add_experts},       {"bandit", add_bandit},     {"lab", add_lab},
      {"report", add_report},   {"completion", add_completion}, {"manual", add_manual},
  };
  const auto named = [&](const auto& command) { return command.first == wanted; };
  // Those two tell of all the others.
  const bool all =
      wanted == "completion" || wanted == "manual" || std::none_of(std::begin(commands), std::end(commands), named);
  for (const auto& command : commands) {
    if (all || named(command)) command.second(app, action);
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Halfspace learns linear classifiers online, from data of any size, and proves what it says.",
               "halfspace"};
  Action action;
  app.set_version_flag("--version", "halfspace " HALFSPACE_VERSION);
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  add_commands(app, action, argc > 1 ? argv[1] : "");
  app.footer("halfspace COMMAND --help tells more, with examples.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return 0;
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
    return 0;
  } catch (const CLI::ExtrasError&) {
    const std::string text = did_you_mean(app, app.remaining(true));
    fmt::print(stderr, "{} {}\n", red("halfspace:", false), text);
    return 2;
  } catch (const CLI::ParseError& error) {
    std::string command;
    for (const CLI::App* used : app.get_subcommands()) command = used->get_name() + " ";
    fmt::print(stderr, "{} {}\n  fix: halfspace {}--help lists the flags and what they take\n",
               red("halfspace:", false), error.what(), command);
    return 2;
  }
  if (!action) {
    fmt::print("{}", app.help());
    return 0;
  }
  return action();
}

}  // namespace

const std::atomic<bool>& interrupted() {
  return interrupt_flag;
}

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::input_output, "cannot write to standard output");
  }
}

}  // namespace halfspace::cli

int main(int argc, char** argv) {
  using halfspace::Error;
#ifdef M_TRIM_THRESHOLD
  // Memory that is given back is asked for again at once, page by page: on small files that took longer than learning.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  // The default action for a broken pipe would end the program at a signal; ours is a quiet success.
  struct sigaction quiet {};
  quiet.sa_handler = [](int) { _exit(0); };
  sigaction(SIGPIPE, &quiet, nullptr);
  struct sigaction interrupt {};
  interrupt.sa_handler = halfspace::cli::on_interrupt;
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &interrupt, nullptr);
  halfspace::cli::set_invocation(argc, argv);
  try {
    return halfspace::cli::run(argc, argv);
  } catch (const Error& error) {
    return halfspace::cli::report(error);
  } catch (const std::bad_alloc&) {
    return halfspace::cli::report(
        Error(halfspace::ErrorKind::input_output, "out of memory").fix("give a smaller --memory"));
  } catch (const std::exception& error) {
    return halfspace::cli::report(
        Error(halfspace::ErrorKind::internal, std::string("a bug in Halfspace: ") + error.what())
            .fix("please report it with the command line and the version (halfspace --version)"));
  }
}
