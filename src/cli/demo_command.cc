// halfspace demo: the main job on the embedded sample, as one would type it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/retried.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "report/assets.h"

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

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0777) == 0) return;
  const bool exists = errno == EEXIST;
  throw Error(exists ? ErrorKind::usage : ErrorKind::input_output,
              exists ? "the folder is there already" : std::string("cannot make the folder: ") + std::strerror(errno))
      .at(folder)
      .fix("halfspace demo FOLDER takes another one");
}

// Runs this program in the folder; returns its exit code.
int run_in(const std::string& folder, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  std::string name = "halfspace";
  arguments.push_back(name.data());
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::input_output, "cannot start a process").fix("end other processes");
  if (child == 0) {
    if (::chdir(folder.c_str()) == 0) ::execv("/proc/self/exe", arguments.data());
    ::_exit(127);
  }
  int status = 0;
  retried([&] { return ::waitpid(child, &status, 0); });
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_demo(const std::string& folder) {
  make_folder(folder);
  const std::string_view text = sample();
  write_atomically(folder + "/credit.csv", {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                   &interrupted());
  for (const std::vector<std::string>& words : steps()) {
    std::string line = "halfspace";
    for (const std::string& word : words) line += " " + word;
    print_result(fmt::format("\n{}\n", bold("$ " + line)));
    const int code = run_in(folder, words);
    const bool verdict = words.front() == "certify" && code == 1;  // not separable
    if (code != 0 && !verdict) return code;
  }
  print_result(
      fmt::format("\nThe files are in {}: credit.html is the page of the run.\n"
                  "halfspace train -h describes training in brief; your own table is next: halfspace check FILE\n",
                  printable(folder)));
  return 0;
}

}  // namespace

Command demo_command() {
  auto folder = std::make_shared<std::string>("halfspace-demo");
  Command command(
      "demo", "check, learn, predict and prove on a sample, in a new folder",
      {{"halfspace demo", "writes and learns halfspace-demo/credit.csv, a synthetic table of credit decisions"},
       {"halfspace demo /tmp/credit", "the same in another folder"}});
  command.add({{"FOLDER", "", "the new folder (default: halfspace-demo)", folder.get()}});
  command.run = [folder](const Given&) { return run_demo(*folder); };
  return command;
}

}  // namespace halfspace::cli
