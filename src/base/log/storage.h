// The files of one folder, as the log needs them: the seam at which tests put a disk that fails.
//
// Thread-safety: one thread. Errors: all functions throw Error(input_output) that names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::log {

class Storage {
 public:
  virtual ~Storage() = default;

  // Returns the names of the files, sorted.
  virtual std::vector<std::string> names() = 0;
  virtual std::string read(const std::string& name) = 0;
  // Adds bytes to the end of a file, which it creates. A failed append may leave some of them.
  virtual void append(const std::string& name, std::string_view bytes) = 0;
  // Returns when all that was appended to the file, and its name, would survive a power cut.
  virtual void sync(const std::string& name) = 0;
  virtual void truncate(const std::string& name, std::uint64_t bytes) = 0;
  // Replaces or creates a file: after a power cut it has its old content or the new one.
  virtual void replace(const std::string& name, std::string_view bytes) = 0;
  virtual void remove(const std::string& name) = 0;  // which may be missing
  // Returns the path of a file, or of the folder for an empty name, as errors have it.
  virtual std::string path_of(const std::string& name) const { return name; }
};

// Opens the folder, or creates it, and locks out other processes. Throws Error(usage) if another has it open, or if the
// path is no folder.
std::unique_ptr<Storage> open_folder(const std::string& path);
// Opens an existing folder to read only; another process may have it open.
std::unique_ptr<Storage> read_folder(const std::string& path);

}  // namespace halfspace::log
