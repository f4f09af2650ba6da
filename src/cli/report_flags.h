// --report, --save-run and --figures: a page of figures, the run's JSON as a file, and the figures' data in --json.
//
// The page is a function of the run's JSON (report/pages/page.h). The data of figures beyond the numbers that --json always
// has are recorded only if one of these flags asks for them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "report/results/json.h"

namespace halfspace::cli {

struct ReportFlags {
  std::string path{};      // of the page; empty: none
  std::string run_path{};  // of the run's JSON; empty: none
  bool figures = false;    // into --json

  bool wanted() const noexcept { return figures || !path.empty() || !run_path.empty(); }
};
std::vector<Row> report_rows(ReportFlags& flags);

// Returns the word as a shell takes it, in quotes where it needs them.
std::string shell_quoted(const std::string& word);
// Stores the command line as a line for the shell. Called once, by main.
void set_invocation(int argc, char** argv);
const std::string& invocation();

// Begins a run's JSON: command, version and, for figures, the invocation.
report::Json run_json(const char* command, const ReportFlags& flags);

// Writes the page of this run to --report's file and its JSON to --save-run's, each atomically; does nothing without
// these flags.
void write_report(const ReportFlags& flags, const report::Json& run);

// Ends a command that has a result: writes the files, then JSON or text to stdout.
void finish(bool as_json, const ReportFlags& flags, const std::function<report::Json()>& json,
            const std::function<std::string()>& text);

// Returns a run's JSON as --json prints it.
std::string dumped(const report::Json& json);

}  // namespace halfspace::cli
