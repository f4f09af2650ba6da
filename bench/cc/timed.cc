// Runs a command and says on standard error what it took, as one JSON line: wall and processor seconds, peak memory.
//
//   timed [--core N] COMMAND [ARGUMENT ...]
//
// A program of its own because a process's peak memory counts from its parent's at the fork: whoever measures must be
// small. --core pins the command to one core.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int count, char** words) {
  int first = 1;
  if (count > 2 && std::strcmp(words[1], "--core") == 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(std::atoi(words[2])), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) return std::perror("timed: --core"), 125;
    first = 3;
  }
  if (first >= count) return std::fputs("usage: timed [--core N] COMMAND [ARGUMENT ...]\n", stderr), 125;
  const int report = ::fcntl(2, F_DUPFD_CLOEXEC, 3);  // where the command's own errors go is the command's affair
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child < 0) return std::perror("timed: fork"), 125;
  if (child == 0) {
    ::execvp(words[first], words + first);
    std::perror(words[first]);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto since = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  ::dprintf(report, "\n{\"seconds\": %.6f, \"processor\": %.6f, \"peak_kb\": %ld, \"status\": %d}\n", seconds,
            since(usage.ru_utime) + since(usage.ru_stime), usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
