// --report and --figures: what a run leaves for people to look at.
//
// The page is a function of the run's JSON (report/page.h). What figures need beyond the numbers that --json always has
// is recorded only when one of the two flags asks for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "report/json.h"

namespace halfspace::cli {

struct ReportFlags {
  std::string path{};    // of the page; empty: none
  bool figures = false;  // into --json

  bool wanted() const noexcept { return figures || !path.empty(); }
};
std::vector<Row> report_rows(ReportFlags& flags);

// Notes how the program was called, as a line for the shell. Called once, by main.
void set_invocation(int argc, char** argv);
const std::string& invocation();

// Begins a run's JSON with what it is: command, version and, when figures are wanted, the invocation.
report::Json run_json(const char* command, const ReportFlags& flags);

// Writes the page of this run where --report says, atomically; nothing without it.
void write_report(const ReportFlags& flags, const report::Json& run);

// Ends a command that has a result: the page where --report says, then JSON or text on stdout.
void finish(bool as_json, const ReportFlags& flags, const std::function<report::Json()>& json,
            const std::function<std::string()>& text);

// Returns a run's JSON as --json prints it.
std::string dumped(const report::Json& json);

}  // namespace halfspace::cli
