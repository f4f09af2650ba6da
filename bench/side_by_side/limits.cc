// What the machine itself allows, for the table to stand beside: one JSON line.
//
//   limits memory       bytes a second that one core reads from memory
//   limits file FILE    bytes a second that one core reads of a file in the page cache, by read()
//
// Limits are what was ever reached: the best of several runs, and of several sizes of the buffer for read().
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr int runs = 7;

double best_rate(double bytes, const std::function<void()>& run) {
  double best = 0;
  for (int i = 0; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, bytes / seconds);
  }
  return best;
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#endif
std::uint64_t
sum(const std::uint64_t* values, std::size_t count) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += values[i];
  return total;
}

double memory() {
  const std::vector<std::uint64_t> values(std::size_t{1} << 27, 1);  // 1 GiB
  volatile std::uint64_t sink = 0;
  return best_rate(8.0 * static_cast<double>(values.size()), [&] { sink = sum(values.data(), values.size()); });
}

double file(const char* path) {
  const int source = ::open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0) return 0;
  const off_t size = ::lseek(source, 0, SEEK_END);
  double best = 0;
  for (std::size_t length = std::size_t{1} << 16; length <= std::size_t{1} << 20; length *= 2) {
    std::vector<char> buffer(length);
    best = std::max(best, best_rate(static_cast<double>(size), [&] {
                      ::lseek(source, 0, SEEK_SET);
                      while (::read(source, buffer.data(), buffer.size()) > 0) {
                      }
                    }));
  }
  ::close(source);
  return best;
}

}  // namespace

int main(int count, char** words) {
  double rate = 0;
  if (count == 2 && std::strcmp(words[1], "memory") == 0) rate = memory();
  if (count == 3 && std::strcmp(words[1], "file") == 0) rate = file(words[2]);
  if (rate == 0) return std::fputs("usage: limits memory, or limits file FILE\n", stderr), 2;
  std::printf("{\"bytes_per_second\": %.0f}\n", rate);
}
