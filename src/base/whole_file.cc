// Reads by descriptor: C++ streams treat a failed read as the end of the file.
#include "base/whole_file.h"

#include <unistd.h>

#include <system_error>

#include "base/waiting.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

struct CloseOnExit {
  int file;
  ~CloseOnExit() {
    if (file != STDIN_FILENO) ::close(file);
  }
};

}  // namespace

std::string whole_file(const std::string& path, const std::atomic<bool>* interrupt, std::size_t most) {
  const std::string name = path == "-" ? "<stdin>" : path;
  const auto fail = [&](ErrorKind kind, const char* what) {
    throw Error(kind, std::string(what) + ": " + std::generic_category().message(errno))
        .at(name)
        .fix(kind == ErrorKind::no_input ? "check the path and the permissions" : "check the disk");
  };
  const int file = path == "-" ? STDIN_FILENO : open_to_read(path);
  if (file < 0) fail(ErrorKind::no_input, "cannot be opened");
  const CloseOnExit closes{file};
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::string text;
  while (text.size() <= most) {
    const std::size_t at = text.size();
    text.resize(at + piece);
    const ::ssize_t got = read_or_leave(file, text.data() + at, piece, interrupt);
    if (got < 0 && errno == ECANCELED) throw Interrupted(name);
    if (got < 0) fail(errno == EISDIR ? ErrorKind::no_input : ErrorKind::input_output, "cannot be read");
    text.resize(at + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return text;
}

}  // namespace halfspace
