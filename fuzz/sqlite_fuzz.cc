// Any bytes that begin as a database of SQLite: soundly read, or refused in words. The first byte chooses the options.
#include <cstdio>
#include <fstream>
#include <string_view>

#include "reads_alike.h"
#include "stream/sqlite/database.h"

namespace halfspace::fuzzing {
namespace {

// SQLite opens a file by its name.
class NamedInput {
 public:
  explicit NamedInput(std::string_view bytes)
      : path_((std::filesystem::temp_directory_path() / ("halfspace-fuzz-" + std::to_string(::getpid()))).string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~NamedInput() { std::remove(path_.c_str()); }
  NamedInput(const NamedInput&) = delete;
  NamedInput& operator=(const NamedInput&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace
}  // namespace halfspace::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfspace;
  using namespace halfspace::fuzzing;
  if (size < 101) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (!stream::recognise_sqlite(bytes)) return 0;
  const NamedInput input(bytes);
  ReadOptions options = options_of(data[0], DataFormat::automatic);
  options.path = input.path();
  try {
    for (const bool small : {false, true}) {
      options.block_bytes = small ? 1 + data[0] % 29 : 1 << 16;
      Reader reader(options);
      std::uint64_t rows = 0;
      reader.read([&](const Block& block) {
        rows += block.rows;
        return rows < 100'000;
      });
    }
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::internal && !std::string_view(error.what()).empty());
  }
  return 0;
}
