// halfspace report: writes a page of figures from the JSON of a run.
#include <memory>

#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "halfspace/base/error.h"
#include "report/pages/page.h"

namespace halfspace::cli {
namespace {

// Far above the size of any run's JSON.
constexpr std::size_t largest_run = 256'000'000;

struct PageFlags {
  std::string run, output;
};

std::string text_of(const std::string& path) {
  std::string text = whole_file(path, &interrupted(), largest_run);
  if (text.size() <= largest_run) return text;
  throw Error(ErrorKind::data, "larger than any run's JSON")
      .at(path)
      .fix("give the JSON as a command wrote it with --save-run or --json");
}

int write_page(const PageFlags& flags) {
  const std::string text = text_of(flags.run);
  try {
    write_report({.path = flags.output}, report::parse_run(text, flags.run));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || !error.file().empty()) throw;
    throw Error(error).at(flags.run);
  }
  return 0;
}

}  // namespace

Command report_command() {
  auto flags = std::make_shared<PageFlags>();
  Command command(
      "report", "write a page of figures from a saved run",
      {{"halfspace train credit.csv --save-run run.json", "saves a run with the data of its figures"},
       {"halfspace report run.json -o run.html", "the page that --report would have written, byte for byte"}});
  command.add(
      {required({"RUN", "",
                 "JSON of --save-run or --json of train, evaluate, certify, compare, experts, bandit or lab; - is "
                 "standard input",
                 &flags->run, input_file()}),
       required({"-o,--output", "FILE.html", "write the page here, atomically", &flags->output, output_file()})});
  command.run = [flags](const Given&) { return write_page(*flags); };
  return command;
}

}  // namespace halfspace::cli
