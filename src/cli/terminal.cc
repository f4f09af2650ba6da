// Formats colour, progress, numbers and tables.
#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
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

std::string styled(const char* code, std::string_view text, bool to_stdout) {
  return colour(to_stdout) ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

// Returns the columns that a UTF-8 text takes: its code points. Sufficient for what this program prints.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\x1b') escape = true;
    if (!escape && (static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
    if (escape && c == 'm') escape = false;
  }
  return count;
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

std::string bold(std::string_view text, bool to_stdout) {
  return styled("1", text, to_stdout);
}
std::string dim(std::string_view text, bool to_stdout) {
  return styled("2", text, to_stdout);
}
std::string red(std::string_view text, bool to_stdout) {
  return styled("31", text, to_stdout);
}

// Quotes a value that a shell would split or expand, so that the advice can be pasted.
std::string as_flag(std::string_view name, std::string_view value) {
  if (value.find_first_of(" \t\n\"'`$&|;<>()[]{}*?!\\#~") == std::string_view::npos)
    return fmt::format("--{}{}{}", name, value.empty() ? "" : " ", value);
  std::string quoted;
  for (const char c : value) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("--{} '{}'", name, quoted);
}

std::string with_flags(std::string_view text) {
  return render_options(text, as_flag);
}

std::string shortened(std::string_view text, std::size_t width) {
  std::string shown = printable(text);
  if (columns(shown) <= width) return shown;
  const auto begins = [&](std::size_t at) { return (static_cast<unsigned char>(shown[at]) & 0xc0) != 0x80; };
  const std::size_t half = (width - 1) / 2;
  std::size_t left = 0, right = shown.size();
  for (std::size_t kept = 0; kept < half; ++kept) {
    while (!begins(++left)) {
    }
    while (!begins(--right)) {
    }
  }
  return shown.substr(0, left) + "…" + shown.substr(right);
}

std::string unknown_features_note(std::uint64_t values) {
  return counted(values, "value belongs", "values belong") + " to features unknown to the model, which ignores " +
         (values == 1 ? "it" : "them");
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> width(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], columns(row[c]));
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string padding(width[c] - columns(row[c]), ' ');
      line += left_[c] ? row[c] + padding : padding + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

Progress::Progress(bool wanted) : wanted_(wanted && stderr_is_terminal()), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  clear();
}

bool Progress::due() {
  return wanted_ && std::chrono::steady_clock::now() - last_ > std::chrono::milliseconds(100);
}

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
