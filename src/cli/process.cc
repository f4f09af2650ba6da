// Handles signals, the folder for temporary files, and the standard streams.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/waiting.h"
#include "cli/commands.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::atomic<bool> interrupt_flag{false};
volatile sig_atomic_t first_signal = 0;
bool goes_on_without_reader = false, reader_left = false, signal_ends_well = false;

extern "C" void on_interrupt(int signal) {
  if (interrupt_flag.exchange(true)) _exit(128 + signal);
  first_signal = signal;
}

}  // namespace

void hold_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    // Opens it in the wrong mode, so that any use of it fails.
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
  }
}

void catch_signals() {
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, nullptr);
  sigaction(SIGXFSZ, &ignored, nullptr);  // a file above the limit is an error of writing
  struct sigaction interrupt {};
  interrupt.sa_handler = on_interrupt;
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &interrupt, nullptr);
  // Keeps SIGHUP ignored under nohup.
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &interrupt, nullptr);
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

int exit_code(int otherwise) { return interrupt_flag && !signal_ends_well ? 128 + first_signal : otherwise; }

void count_signal_as_end() { signal_ends_well = true; }

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void go_on_without_reader(bool wanted) { goes_on_without_reader = wanted; }

void print_result(const std::string& text) {
  if (reader_left) return;
  std::string_view rest = text;
  ::ssize_t written = 0;
  // A signal during a wait for a slow reader ends the run, not the line. A reader that stops reading counts as gone.
  while (!rest.empty() && (written = write_or_leave(STDOUT_FILENO, rest.data(), rest.size(), &interrupt_flag)) > 0)
    rest.remove_prefix(static_cast<std::size_t>(written));
  if (rest.empty()) return;
  if (written == 0) errno = ENOSPC;
  if (errno == ECANCELED) {
    reader_left = true;
    if (goes_on_without_reader) return;
    throw Interrupted("standard output");
  }
  if (errno == EPIPE) {
    if (!goes_on_without_reader) _exit(0);
    reader_left = true;
    return;
  }
  throw Error(ErrorKind::input_output,
              errno == EBADF ? std::string("cannot write to standard output: it is closed")
                             : "cannot write to standard output: " + std::generic_category().message(errno))
      .fix("redirect it to a file or a pipe; >/dev/null discards it");
}

void print_message(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

}  // namespace halfspace::cli
