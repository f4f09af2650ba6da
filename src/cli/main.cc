// The program: runs one command, and turns errors and signals into exit codes.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/named_files.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

int report(const Error& error) {
  print_message(fmt::format("{} {}\n", red("halfspace:", false), error.what(as_flag)));
  // An interrupt that ended the run cleanly is not an error.
  const int code = static_cast<int>(error.kind());
  return error.kind() == ErrorKind::input_output ? exit_code(code) : code;
}

int print_help(const std::string& text) {
  print_result(text);
  return 0;
}

[[noreturn]] void refuse_first_word(const std::string& word) {
  const bool flag = word.size() > 1 && word[0] == '-';
  std::vector<std::string> known{"--help", "--version"};
  if (!flag) known.clear();
  for (const CommandEntry& entry : command_entries()) {
    if (!flag) known.emplace_back(entry.name);
  }
  throw Error(ErrorKind::usage, (flag ? "unknown flag " + word : "unknown command '" + printable(word) + "'") +
                                    suggested(nearest(word, known)))
      .fix("halfspace --help lists the commands");
}

// Returns the words of a command line: "help margin" means "help words margin", and "help new rows" one word of two,
// unless a command has the name.
std::vector<std::string> spelled_out(std::vector<std::string> words) {
  if (words.size() < 2 || words[0] != "help" || words[1] == "words") return words;
  const auto entries = command_entries();
  const bool command =
      std::any_of(entries.begin(), entries.end(), [&](const CommandEntry& e) { return e.name == words[1]; });
  const bool topic = std::any_of(topics().begin(), topics().end(), [&](const Topic& t) { return t.name == words[1]; });
  if (command || topic) return words;
  std::string whole = words[1];
  for (std::size_t i = 2; i < words.size(); ++i) whole += " " + words[i];
  if (has_word(whole)) return {"help", "words", whole};
  if (has_word(words[1])) words.insert(words.begin() + 1, "words");
  return words;
}

// Describes only the command that the first word names: describing all takes longer than training on a small file.
int run(const std::vector<std::string>& given_words) {
  const std::vector<std::string> words = spelled_out(given_words);
  if (words.empty() || words[0] == "--help" || words[0] == "-h")
    return print_help(overview(kPurpose, every_command(), help_width()));
  if (words[0] == "--version") return print_help("halfspace " HALFSPACE_VERSION "\n");
  for (const CommandEntry& entry : command_entries()) {
    if (entry.name != words[0]) continue;
    const Command command = entry.describe();
    const Given given = parse(command, std::span(words).subspan(1));
    if (!given("help")) {
      print_notes(given);
      prove_writable(given.files());
      go_on_without_reader(given.writes_files());
      const int code = command.run(given);
      return code == 0 ? exit_code(code) : code;  // keeps the code of a verdict or "undecided" after an interrupt
    }
    return print_help(help_asked(command, words));
  }
  refuse_first_word(words[0]);
}

}  // namespace

}  // namespace halfspace::cli

namespace {

// Handles the end of memory without allocating.
int report_out_of_memory() {
  halfspace::cli::print_message(
      "halfspace: out of memory\n  fix: free some memory, or lower --memory if the command has it\n");
  return halfspace::cli::exit_code(static_cast<int>(halfspace::ErrorKind::input_output));
}

int run_and_report(int argc, char** argv) {
  using halfspace::Error;
  try {
    halfspace::cli::set_invocation(argc, argv);
    return halfspace::cli::run({argv + std::min(argc, 1), argv + argc});
  } catch (const Error& error) {
    return halfspace::cli::report(error);
  } catch (const std::bad_alloc&) {
    return report_out_of_memory();
  } catch (const std::system_error& error) {  // of a folder
    return halfspace::cli::report(Error(halfspace::ErrorKind::input_output, halfspace::cli::printable(error.what()))
                                      .fix("check the disk, the permissions and the system's limits"));
  } catch (const std::exception& error) {
    return halfspace::cli::report(
        Error(halfspace::ErrorKind::internal, std::string("a bug in Halfspace: ") + error.what())
            .fix("please report it with the command line and the version (halfspace --version)"));
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef M_TRIM_THRESHOLD
  // Keeps freed memory: returning it and faulting it in again took longer than training on small files.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  halfspace::cli::hold_standard_streams();
  halfspace::cli::catch_signals();
  try {
    return run_and_report(argc, argv);
  } catch (const std::bad_alloc&) {  // while formatting another error
    return report_out_of_memory();
  }
}
