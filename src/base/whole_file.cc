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

void each_piece(const std::string& path, const std::atomic<bool>* interrupt,
                const std::function<bool(std::string_view)>& take) {
  const std::string name = path == "-" ? "<stdin>" : path;
  const auto fail = [&](ErrorKind kind, const char* what) {
    throw Error(kind, std::string(what) + ": " + std::generic_category().message(errno))
        .at(name)
        .fix(kind == ErrorKind::no_input ? "check the path and the permissions" : "check the disk");
  };
  const int file = path == "-" ? STDIN_FILENO : open_to_read(path);
  if (file < 0) fail(ErrorKind::no_input, "cannot be opened");
  const CloseOnExit closes{file};
  std::string piece(std::size_t{1} << 16, '\0');
  for (;;) {
    const ::ssize_t got = read_or_leave(file, piece.data(), piece.size(), interrupt);
    if (got < 0 && errno == ECANCELED) throw Interrupted(name);
    if (got < 0) fail(errno == EISDIR ? ErrorKind::no_input : ErrorKind::input_output, "cannot be read");
    if (got == 0 || !take(std::string_view(piece).substr(0, static_cast<std::size_t>(got)))) return;
  }
}

std::string whole_file(const std::string& path, const std::atomic<bool>* interrupt, std::size_t most) {
  std::string text;
  each_piece(path, interrupt, [&](std::string_view piece) {
    text += piece;
    return text.size() <= most;
  });
  return text;
}

}  // namespace halfspace
