// Asks the kernel for the available memory.
#include "base/available_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace halfspace {
namespace {

// Returns the number of kilobytes after a name, in bytes.
std::uint64_t kilobytes(const char* file, const std::string& name, std::uint64_t otherwise) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    std::uint64_t count = 0;
    if (word == name && lines >> count) return count * 1024;
  }
  return otherwise;
}

}  // namespace

std::uint64_t available_memory() {
  const std::uint64_t machine = kilobytes("/proc/meminfo", "MemAvailable:", UINT64_MAX);
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return machine;
  const std::uint64_t taken = kilobytes("/proc/self/status", "VmSize:", 0);
  return std::min(machine, limit.rlim_cur > taken ? limit.rlim_cur - taken : 0);
}

}  // namespace halfspace
