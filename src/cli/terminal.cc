// Formats colour, progress, numbers and tables.
#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

bool colour(bool to_stdout) {
  static const bool refused = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  }();
  return !refused && (to_stdout ? stdout_is_terminal() : stderr_is_terminal());
}

}  // namespace

bool stdout_is_terminal() {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  return terminal;
}
bool stderr_is_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}
std::size_t terminal_width() {
  winsize size{};
  if (!stdout_is_terminal() || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<std::size_t>(size.ws_col, 40, 120);
}

TextStyle style_of(bool to_stdout) { return {.terminal = colour(to_stdout), .options = as_flag}; }
std::string bold(std::string_view text, bool to_stdout) { return style_of(to_stdout).bold(text); }
std::string dim(std::string_view text, bool to_stdout) { return style_of(to_stdout).dim(text); }
std::string red(std::string_view text, bool to_stdout) { return style_of(to_stdout).red(text); }

// Quotes a value that a shell would split or expand, so that the advice can be pasted.
std::string as_flag(std::string_view name, std::string_view value) {
  if (value.find_first_of(" \t\n\"'`$&|;<>()[]{}*?!\\#~") == std::string_view::npos && printable(value) == value)
    return fmt::format("--{}{}{}", name, value.empty() ? "" : " ", value);
  return fmt::format("--{} {}", name, shell_quoted(std::string(value)));
}

std::string with_flags(std::string_view text) { return render_options(text, as_flag); }

std::string unknown_features_note(std::uint64_t values) {
  return counted(values, "value belongs", "values belong") + " to features unknown to the model, which ignores " +
         (values == 1 ? "it" : "them");
}

Progress::Progress(bool wanted) : wanted_(wanted && stderr_is_terminal()), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

bool Progress::due() { return wanted_ && std::chrono::steady_clock::now() - last_ > std::chrono::milliseconds(100); }

void Progress::show(const std::string& line) {
  if (!wanted_) return;
  last_ = std::chrono::steady_clock::now();
  shown_ = true;
  print_message("\r\x1b[K" + line);
}

void Progress::clear() {
  if (!shown_) return;
  print_message("\r\x1b[K");
  shown_ = false;
}

std::string time_left(double share, double seconds) {
  if (!(share > 0.01) || share >= 1 || seconds < 0.3) return "";
  return duration(seconds * (1 - share) / share) + " left";
}

}  // namespace halfspace::cli
