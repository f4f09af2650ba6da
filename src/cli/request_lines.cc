// Cuts what is read into lines.
#include "cli/request_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "base/waiting.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t request_bytes = std::size_t{1} << 16;  // of a read

}  // namespace

void serve_request_lines(const std::string& path, std::size_t longest, const RequestLines& lines) {
  const bool standard = path == "-";
  const int file = standard ? STDIN_FILENO : open_to_read(path);
  if (file < 0)
    throw Error(ErrorKind::no_input, "cannot open: " + std::generic_category().message(errno))
        .at(path)
        .fix("check the path and the permissions");
  std::string input;
  std::vector<char> chunk(request_bytes);
  bool skipping = false;  // the rest of a line that is too long
  for (::ssize_t count = 1; count > 0;) {
    count = read_or_leave(file, chunk.data(), chunk.size(), &interrupted());
    if (count < 0 && errno == ECANCELED) break;
    if (count < 0) {
      const std::string reason = std::generic_category().message(errno);
      throw Error(ErrorKind::input_output, "cannot read: " + reason).at(standard ? "standard input" : path);
    }
    input.append(chunk.data(), static_cast<std::size_t>(count));
    if (count == 0 && !input.empty()) input += '\n';  // the last line may lack its end
    std::size_t at = 0;
    for (std::size_t end; (end = input.find('\n', at)) != std::string::npos; at = end + 1) {
      if (!std::exchange(skipping, false)) lines.take(std::string_view(input).substr(at, end - at));
    }
    input.erase(0, at);
    if (!skipping && input.size() > longest) {
      lines.take(input);
      skipping = true;
    }
    if (skipping) input.clear();
    print_result(lines.answers());
  }
  if (!standard) ::close(file);
}

void report_cut(const std::string& path, const std::optional<log::EventLog::Cut>& cut) {
  if (!cut) return;
  print_message(fmt::format(
      "{} {}: the log ended in {} of an incomplete event, as after a kill during a write. Unless the file is damaged, "
      "nothing in them was acknowledged. They are kept in {}\n",
      bold("note:", false), printable(path), counted(cut->bytes, "byte"), printable(cut->kept_in)));
}

}  // namespace halfspace::cli
