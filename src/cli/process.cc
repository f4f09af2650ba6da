// The commands' dealings with the system: interrupts, the folder for temporary files, standard output.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::atomic<bool> interrupt_flag{false};

extern "C" void on_interrupt(int) {
  if (interrupt_flag.exchange(true)) _exit(130);
}

}  // namespace

void catch_interrupts() {
  struct sigaction interrupt {};
  interrupt.sa_handler = on_interrupt;
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &interrupt, nullptr);
}

const std::atomic<bool>& interrupted() {
  return interrupt_flag;
}

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::input_output, "cannot write to standard output");
  }
}

}  // namespace halfspace::cli
