// A folder of a test's own that goes with it: the same test may run twice at once.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace halfspace::testing {

// Returns a file's bytes; none if it cannot be read.
inline std::string slurp(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "halfspace-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder: " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file in it. Returns its path.
  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream out(path(name), std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace halfspace::testing
