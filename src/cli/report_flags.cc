// The flags of reports, and writing the files of a report.
#include "cli/report_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "report/pages/page.h"

namespace halfspace::cli {
namespace {

std::string& noted_invocation() {
  static std::string line;
  return line;
}

// Returns a word with bytes that no terminal shows as $'...', which bash and zsh read.
std::string escaped_for_shell(const std::string& word) {
  std::string text = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
  }
  return text + "'";
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  if (printable(word) != word) return escaped_for_shell(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<Row> report_rows(ReportFlags& flags) {
  return {{"--report", "FILE.html", "write a page of figures here: one HTML file that loads nothing else", &flags.path,
           output_file()},
          {"--save-run", "FILE.json",
           "also write the run's JSON here, with the data of its figures, for halfspace report to draw later",
           &flags.run_path, output_file()},
          needs("json", needs("report", needs("save-run", {"--figures", "",
                                                           "with --json: also print the data of a report's figures; "
                                                           "the files of --report and --save-run have them",
                                                           &flags.figures})))};
}

void set_invocation(int argc, char** argv) {
  std::string line = "halfspace";
  for (int i = 1; i < argc; ++i) line += " " + shell_quoted(argv[i]);
  noted_invocation() = report::utf8(line);
}

const std::string& invocation() { return noted_invocation(); }

report::Json run_json(const char* command, const ReportFlags& flags) {
  report::Json j = {{"command", command}, {"version", kVersion}};
  if (flags.wanted()) j["invocation"] = invocation();
  return j;
}

void write_report(const ReportFlags& flags, const report::Json& run) {
  const auto write = [](const std::string& path, const std::string& text) {
    write_atomically(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, &interrupted());
  };
  if (!flags.path.empty()) write(flags.path, report::page(run, as_flag));
  if (!flags.run_path.empty()) write(flags.run_path, dumped(run));
}

void finish(bool as_json, const ReportFlags& flags, const std::function<report::Json()>& json,
            const std::function<std::string()>& text) {
  if (as_json || flags.wanted()) {
    const report::Json run = json();
    write_report(flags, run);
    if (as_json) print_result(dumped(run));
  }
  if (!as_json) print_result(text());
}

std::string dumped(const report::Json& json) {
  return json.dump(2, ' ', false, report::Json::error_handler_t::replace) + "\n";
}

}  // namespace halfspace::cli
