// Any bytes given for a cache: refused with Error(data), or blocks that keep their rules (example.h).
//
// The first byte is the mode. Odd: the checksums of the rest are made right, so that what stands behind them is
// reached; even: as it is.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/cache/cache.h"
#include "support/mend_cache.h"

namespace {

using namespace halfspace;

void demand(bool kept) {
  if (!kept) std::abort();
}

void check(const Block& block, std::size_t classes) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    demand(block.label[i] >= 0 && static_cast<std::size_t>(block.label[i]) < classes);
    demand(block.weight == nullptr || (block.weight[i] >= 0 && std::isfinite(block.weight[i])));
    block.with_example(i, [&](const auto& x) {
      std::vector<std::uint32_t> seen(x.index, x.index + x.size);
      std::sort(seen.begin(), seen.end());
      demand(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
      demand(seen.empty() || seen.back() < block.features);
      if constexpr (!std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
        for (std::uint32_t k = 0; k < x.size; ++k) demand(std::isfinite(x.value[k]));
      }
    });
  }
}

// A file in memory, under a name for as long as it is open.
class MemoryFile {
 public:
  explicit MemoryFile(const std::vector<std::uint8_t>& bytes) : file_(::memfd_create("cache", MFD_CLOEXEC)) {
    demand(file_ >= 0);
    demand(::write(file_, bytes.data(), bytes.size()) == static_cast<::ssize_t>(bytes.size()));
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::vector<std::uint8_t> bytes(data + 1, data + size);
  const auto open = [](const std::vector<std::uint8_t>& file) {
    return std::make_unique<stream::Cache>(MemoryFile(file).path());
  };
  if (data[0] % 2 == 1) testing::mend_all(bytes, open);
  try {
    const auto cache = open(bytes);
    const std::size_t classes = std::max<std::size_t>(2, cache->schema().labels.names.size());
    SourceBuffer buffer;
    for (std::size_t i = 0; i < cache->blocks(); ++i) check(cache->block(i, buffer), classes);
  } catch (const Error& error) {
    demand(error.kind() == ErrorKind::data);
  }
  return 0;
}
