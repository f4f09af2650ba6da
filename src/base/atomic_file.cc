// Temporary files and their names.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/retried.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(error))
      .at(path)
      .fix(error == ENOSPC || error == EDQUOT ? "make room on the disk"
           : error == ENOENT                  ? "make the folder first"
                                              : "check the path and the permissions of its folder");
}

// What lies behind any other error may be a link, or a file of somebody's: it is not replaced unseen.
bool is_not_there(int error) {
  return error == ENOENT || error == ENOTDIR;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// Where the path leads when links are followed; its last link need not lead anywhere yet. A link in /proc (/dev/stdout
// leads to one) is an open file, not a name: `open_file` is set.
std::string follow_links(std::string path, bool& open_file) {
  constexpr int most = 40;
  std::string given = path;
  for (int i = 0; i < most; ++i) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      if (!is_not_there(errno)) fail(given, "cannot look at it", errno);
      return path;
    }
    if (!S_ISLNK(status.st_mode)) return path;
    if (path.starts_with("/proc/") || path.starts_with("/dev/fd/")) {
      open_file = true;
      return given;
    }
    std::string target(4096, '\0');
    const ::ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) fail(given, "cannot follow the link", errno);
    target.resize(static_cast<std::size_t>(length));
    path = target.front() == '/' ? target : folder_of(path) + "/" + target;
  }
  fail(given, "cannot follow the link", ELOOP);
}

int open_temporary(const std::string& folder, ::mode_t mode, std::string& name) {
  static std::atomic<std::uint64_t> number{0};
  while (true) {
    name = folder + "/.halfspace-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".tmp";
    const int file =
        retried([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode); });
    if (file >= 0 || errno != EEXIST) return file;
  }
}

void sync_folder(const std::string& folder, const std::string& path) {
  Descriptor descriptor(retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (descriptor.number() < 0) {
    if (errno == EACCES) return;  // a folder that may be written and not read cannot be synced
    fail(path, "written, but its folder cannot be opened to sync it", errno);
  }
  if (retried([&] { return ::fsync(descriptor.number()); }) != 0 &&
      errno != EINVAL) {  // EINVAL: this file system has nothing to sync
    fail(path, "written, but its folder cannot be synced", errno);
  }
}

}  // namespace

std::string followed(const std::string& path) {
  bool open_file = false;
  return follow_links(path, open_file);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && !is_not_there(errno) && errno != ELOOP) fail(path_, "cannot look at it", errno);
  if (exists && S_ISDIR(status.st_mode)) fail(path_, "cannot write", EISDIR);
  bool open_file = exists && !S_ISREG(status.st_mode);
  target_ = open_file ? path_ : follow_links(path_, open_file);
  if (open_file) {
    target_.clear();
    file_ = retried([&] { return ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC); });
    if (file_ < 0) fail(path_, "cannot open for writing", errno);
    return;
  }
  // A file that is there keeps its permissions; a new one gets what the umask leaves.
  const ::mode_t mode = exists ? status.st_mode & 0777 : 0666;
  file_ = open_temporary(folder_of(target_), mode, temporary_);
  if (file_ < 0) {
    temporary_.clear();
    fail(path_, "cannot make a temporary file beside it", errno);
  }
  if (exists) static_cast<void>(::fchmod(file_, mode));  // where it cannot be done, the umask has only taken away
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = retried([&] { return ::write(file_, bytes.data(), bytes.size()); });
    if (written <= 0) fail(path_, "cannot write", written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty() && retried([&] { return ::fsync(file_); }) != 0 && errno != EINVAL)
    fail(path_, "cannot sync", errno);
  // Interrupted, it is closed all the same, and what it held was synced.
  if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) fail(path_, "cannot write", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "cannot rename the temporary file to it", errno);
  temporary_.clear();
  sync_folder(folder_of(target_), path_);
}

}  // namespace halfspace
