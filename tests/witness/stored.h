// The stored files of 0.1.0.
//
// Until it is released, a change of a format writes them anew:
//   HALFSPACE_WRITE_WITNESS=1 build/release/tests/witness_tests
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace halfspace::testing {

inline bool writes() { return std::getenv("HALFSPACE_WRITE_WITNESS") != nullptr; }

inline std::string path_of(const std::string& name) {
  return (std::filesystem::path(HALFSPACE_SOURCE_DIR) / "tests/witness/0.1.0" / name).string();
}
inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
// Returns the bytes of a stored file.
inline std::vector<std::uint8_t> bytes_in(const std::string& name) {
  const std::string text = content(path_of(name));
  return {text.begin(), text.end()};
}
inline void store(const std::string& name, const std::vector<std::uint8_t>& bytes) {
  std::ofstream(path_of(name), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace halfspace::testing
