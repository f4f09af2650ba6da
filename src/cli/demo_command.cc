// halfspace demo: the main job on the embedded sample, as one would type it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/retried.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "report/pages/assets.h"

namespace halfspace::cli {
namespace {

const std::vector<std::vector<std::string>>& steps() {
  static const std::vector<std::vector<std::string>> lines = {
      {"check", "credit.csv", "--id", "applicant"},
      {"train", "credit.csv", "--id", "applicant", "-o", "credit.model", "--report", "credit.html"},
      {"predict", "credit.model", "credit.csv", "--as", "csv", "--id", "applicant", "--probability", "-o",
       "predicted.csv"},
      {"certify", "credit.csv", "--id", "applicant", "-o", "credit.proof"},
      {"verify", "credit.proof", "credit.csv"},
  };
  return lines;
}

std::string_view sample() {
  const auto assets = report::assets();
  return std::find_if(assets.begin(), assets.end(), [](const report::Asset& a) { return a.name == "credit.csv"; })
      ->text;
}

// Makes the folder, which must be new: nothing of the user's is ever overwritten.
void make_folder(const std::string& folder) {
  const std::filesystem::path above = std::filesystem::path(folder).parent_path();
  std::error_code failure;
  if (!above.empty()) std::filesystem::create_directories(above, failure);
  if (!failure && ::mkdir(folder.c_str(), 0777) == 0) return;
  if (!failure && errno == EEXIST)
    throw Error(ErrorKind::usage, "this folder exists already").at(folder).fix(option("output") + " names a new one");
  throw Error(ErrorKind::input_output,
              "cannot make this folder: " + (failure ? failure.message() : std::string(std::strerror(errno))))
      .at(folder)
      .fix(option("output") + " names another, such as one in /tmp");
}

// Runs this program in the folder; returns its exit code.
int run_in(const std::string& folder, const std::vector<std::string>& words) {
  constexpr int not_started = 127;  // as of a shell
  std::vector<char*> arguments;
  std::string name = "halfspace";
  arguments.push_back(name.data());
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::input_output, "cannot start a process").fix("end other processes");
  if (child == 0) {
    if (::chdir(folder.c_str()) == 0) ::execv("/proc/self/exe", arguments.data());
    ::_exit(not_started);
  }
  int status = 0;
  retried([&] { return ::waitpid(child, &status, 0); });
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_started)
    throw Error(ErrorKind::input_output, "cannot start /proc/self/exe").fix("mount /proc: mount -t proc proc /proc");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_demo(const std::string& folder) {
  make_folder(folder);
  const std::string_view text = sample();
  write_atomically(folder + "/credit.csv", {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                   &interrupted());
  print_result(fmt::format("{}\n", bold("$ cd " + printable(folder))));
  for (const std::vector<std::string>& words : steps()) {
    std::string line = "halfspace";
    for (const std::string& word : words) line += " " + word;
    print_result(fmt::format("\n{}\n", bold("$ " + line)));
    const int code = run_in(folder, words);
    const bool verdict = words.front() == "certify" && code == 1;  // not separable
    if (code != 0 && !verdict) return code;
    if (interrupted()) return exit_code(0);  // a signal that came between two of them
  }
  print_result(
      fmt::format("\nWhat to look at next:\n"
                  "  {0}/credit.html: the page of the run, for a browser\n"
                  "  {0}/predicted.csv: for each applicant a label, and the probability of 'declined'\n"
                  "  {1} check FILE: checks a table of your own\n"
                  "  {1} help: lists the commands\n",
                  printable(folder), printable(program_invocation_name)));
  return 0;
}

}  // namespace

Command demo_command() {
  auto folder = std::make_shared<std::string>("halfspace-demo");
  Command command(
      "demo", "check, learn, predict and prove on a sample, in a new folder",
      {{"halfspace demo", "writes and learns halfspace-demo/credit.csv, a synthetic table of credit decisions"},
       {"halfspace demo -o /tmp/credit", "the same in another folder"}});
  command.add({{"-o,--output", "FOLDER", "the new folder to write to (default: halfspace-demo)", folder.get(),
                output_folder()}});
  command.run = [folder](const Given&) { return run_demo(*folder); };
  return command;
}

}  // namespace halfspace::cli
