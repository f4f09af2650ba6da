// Compares files by device and inode, new files by folder and name.
#include "cli/named_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/atomic_file.h"
#include "base/line_file.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"

namespace halfspace::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view written_ending = ".json";  // of the files written to a folder

// The identity of a file. For an existing file `name` is empty; for a new one, device and inode are those of its
// folder, or 0 if the folder does not exist either, and then `name` is the whole path.
struct FileIdentity {
  ::dev_t device = 0;
  ::ino_t inode = 0;
  std::string name{};

  bool operator==(const FileIdentity&) const = default;
};

// Returns true if the file exists. Throws if the system cannot identify it: no file is overwritten unidentified.
bool is_there(const std::string& path, struct stat& status) {
  if (::stat(path.c_str(), &status) == 0) return true;
  if (errno != EIO && errno != ENOMEM) return false;
  throw Error(ErrorKind::input_output, "cannot be inspected: " + std::generic_category().message(errno))
      .at(path)
      .fix("check the disk");
}

std::string plain(const fs::path& path) {
  std::string name = fs::absolute(path).lexically_normal().string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

// Compares by name alone, for folders that do not exist yet.
bool lies_in(const std::string& file, const std::string& folder) {
  return !file.empty() && plain(fs::path(plain(file)).parent_path()) == plain(folder);
}

// Returns nothing unless the path is a regular file or does not exist yet.
std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (is_there(path, status)) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
  }
  // Opening the file reports other errors.
  if (errno != ENOENT && errno != ENOTDIR) return std::nullopt;
  const fs::path name = followed(path);
  const std::string folder = name.parent_path().empty() ? "." : name.parent_path().string();
  if (!is_there(folder, status)) return FileIdentity{.name = plain(name)};
  return FileIdentity{status.st_dev, status.st_ino, name.filename().string()};
}

std::optional<FileIdentity> identity_of_stream(int stream) {
  struct stat status {};
  if (::fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

// A file that the command reads or writes.
struct Touched {
  const NamedFile* named;  // the flag that names it; null: a standard stream
  std::string what;        // for messages, such as "what --report writes"
  std::string path;
  FileIdentity identity;
  bool written;
};

class Touches {
 public:
  explicit Touches(std::span<const NamedFile> files) {
    for (const NamedFile& file : files) add(file);
    constexpr const char* streams[] = {"standard input", "standard output", "standard error"};
    for (int stream = 0; stream <= 2; ++stream) {
      if (const auto identity = identity_of_stream(stream))
        all_.push_back({nullptr, stream == 0 ? streams[0] : std::string("what goes to ") + streams[stream], "",
                        *identity, stream != 0});
    }
  }

  void refuse_lost() const {
    for (const Touched& output : all_) {
      if (!output.written) continue;
      for (const Touched& other : all_) refuse_lost(output, other);
    }
  }

  // The names of the files written to a folder depend on the data: any *.json may be one.
  void refuse_lost_in(const NamedFile& folder) const {
    std::vector<FileIdentity> identities;
    struct stat status {};
    const bool there = is_there(folder.path, status);
    if (there && S_ISDIR(status.st_mode)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder.path)) {
        if (!entry.path().filename().string().ends_with(written_ending)) continue;
        if (const auto identity = identity_of(entry.path().string())) identities.push_back(*identity);
      }
    }
    for (const Touched& other : all_) {
      const bool is_entry = std::find(identities.begin(), identities.end(), other.identity) != identities.end();
      const bool inside = there ? other.identity.device == status.st_dev && other.identity.inode == status.st_ino
                                : lies_in(other.identity.name, folder.path);
      if (other.named == &folder || !(is_entry || (inside && other.identity.name.ends_with(written_ending)))) continue;
      throw Error(ErrorKind::usage, folder.flag + " " + printable(folder.path) + " would overwrite " + other.what +
                                        ": files called *" + std::string(written_ending) + " are written there")
          .fix("name another folder for " + folder.flag);
    }
  }

 private:
  void add(const NamedFile& file) {
    using Use = NamedFile::Use;
    const std::string what = file.written() ? "what " + file.flag + " writes" : file.flag;
    if (file.path == "-" && !file.written()) {
      if (const auto identity = identity_of_stream(STDIN_FILENO)) all_.push_back({&file, what, "", *identity, false});
      return;
    }
    if (file.path == "-") return;
    add(file, file.path, what, file.written());
    if (file.use == Use::data) {
      for (const std::string& labels : files_beside(file.path))
        add(file, labels, "labels of " + printable(file.path), false);
    }
    std::error_code none;
    if (file.use != Use::input || !fs::is_directory(file.path, none)) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.path, none))
      add(file, entry.path().string(), "a file of " + file.flag, false);
  }

  void add(const NamedFile& file, const std::string& path, const std::string& what, bool written) {
    if (const auto identity = identity_of(path)) all_.push_back({&file, what, path, *identity, written});
  }

  static void refuse_lost(const Touched& output, const Touched& other) {
    if (output.named == other.named || !(output.identity == other.identity)) return;
    // Each pair is compared in both directions. For a flag and a stream, the error names the flag.
    if (output.named == nullptr && (other.named == nullptr || other.written)) return;
    if (output.named == nullptr) {
      throw Error(ErrorKind::usage, output.what + " would overwrite " + other.what + named_otherwise(output, other))
          .fix("send it to another file");
    }
    if (other.named != nullptr && "--" + other.named->replaced_by == output.named->flag) return;
    if (other.named == nullptr && is_open_file(output.path)) return;  // /dev/stdout is the stream itself
    throw Error(ErrorKind::usage, output.named->flag + " " + printable(output.path) + " would overwrite " + other.what +
                                      named_otherwise(output, other))
        .fix("name another file for " + output.named->flag);
  }

  static std::string named_otherwise(const Touched& output, const Touched& other) {
    return other.path == output.path || other.path.empty() ? "" : ", " + printable(other.path);
  }

  std::vector<Touched> all_;
};

// Checks that the folder is writable, or can be created in its nearest existing ancestor.
void prove_folder(const std::string& path) {
  std::error_code none;
  fs::path above = plain(path);
  while (!fs::exists(above, none) && above.has_relative_path()) above = above.parent_path();
  if (!fs::is_directory(above, none)) {
    throw Error(ErrorKind::input_output, "cannot make this folder: " + printable(above.string()) + " is a file")
        .at(path)
        .fix("name another folder");
  }
  AtomicFile::prove((above / "halfspace").string());
}

}  // namespace

void refuse_lost_files(std::span<const NamedFile> files) {
  for (const NamedFile& output : files) {
    if (!output.written() || output.path != "-" || output.stdout_too) continue;
    throw Error(ErrorKind::usage, output.flag + " does not take - for standard output")
        .fix("name a file; /dev/stdout is standard output, ./- a file of that name");
  }
  const Touches touches(files);
  touches.refuse_lost();
  for (const NamedFile& file : files) {
    if (file.use == NamedFile::Use::folder) touches.refuse_lost_in(file);
  }
}

void prove_writable(std::span<const NamedFile> files) {
  using Use = NamedFile::Use;
  std::error_code none;
  const auto in_folder_to_be_made = [&](const NamedFile& file) {
    return std::any_of(files.begin(), files.end(), [&](const NamedFile& folder) {
      return folder.use == Use::folder && !fs::exists(folder.path, none) && lies_in(file.path, folder.path);
    });
  };
  for (const NamedFile& file : files) {
    if (file.path == "-" || in_folder_to_be_made(file)) continue;
    if (file.use == Use::growing) LineFile::prove(file.path);
    if (file.use == Use::folder) prove_folder(file.path);
    if (file.use == Use::output) AtomicFile::prove(file.path);
  }
}

}  // namespace halfspace::cli
