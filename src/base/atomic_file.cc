// Manages unnamed files, temporary names, and the leftovers of killed processes.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/retried.h"
#include "base/waiting.h"
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
  if (error == ECANCELED) throw Interrupted(path);
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(error))
      .at(path)
      .fix(error == ENOSPC || error == EDQUOT ? "free space on the disk"
           : error == ENOENT                  ? "create the folder first"
           : error == EISDIR                  ? "name a file in this folder"
                                              : "check the path and the permissions of its folder");
}

// Returns true if the file does not exist. After any other error the path may be a link or another's file: not
// replaced.
bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// Returns the target of the path with links followed; its last link may point to a missing file. A link in /proc (such
// as /dev/stdout's) is an open file, not a name: sets `open_file`.
std::string follow_links(std::string path, bool& open_file) {
  constexpr int most = 40;
  std::string given = path;
  for (int i = 0; i < most; ++i) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      if (!is_missing(errno)) fail(given, "cannot be inspected", errno);
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

// The file to write, before writing.
struct Target {
  std::string path;  // links followed; empty: written to directly
  bool exists = false;
  struct stat status {};  // if it exists

  explicit Target(const std::string& given) {
    exists = ::stat(given.c_str(), &status) == 0;
    if (!exists && !is_missing(errno) && errno != ELOOP) fail(given, "cannot be inspected", errno);
    if (exists && S_ISDIR(status.st_mode)) fail(given, "cannot write", EISDIR);
    if (!exists && given.ends_with('/')) fail(given, "cannot write", EISDIR);
    bool open_file = exists && !S_ISREG(status.st_mode);
    if (!open_file) path = follow_links(given, open_file);
    if (open_file) path.clear();
  }
  bool direct() const noexcept { return path.empty(); }
};

// Rejects a file that cannot be replaced: another user's in a folder such as /tmp, an immutable one, a mount point.
void refuse_irreplaceable(const std::string& path, const Target& target) {
  struct stat folder {};
  const ::uid_t user = ::geteuid();
  if (::stat(folder_of(target.path).c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 && user != 0 &&
      folder.st_uid != user && target.status.st_uid != user)
    fail(path, "cannot replace another user's file in this folder", EPERM);
  const Descriptor file(::open(target.path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0 && errno == EPERM) fail(path, "cannot replace it", EPERM);
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx more {};
  if (::statx(AT_FDCWD, target.path.c_str(), 0, STATX_BASIC_STATS, &more) == 0 &&
      (more.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    fail(path, "cannot replace a mount point", EBUSY);
#endif
}

bool leads_to(const std::string& name, int file) {
  struct stat named {
  }, open{};
  return ::lstat(name.c_str(), &named) == 0 && ::fstat(file, &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

// Removes the leftover of a killed process. Returns false if the file remains: a running process writes it, or another
// user owns it.
bool remove_leftover(const std::string& name) {
  const Descriptor left(retried([&] { return ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); }));
  if (left.number() < 0) return errno == ENOENT;
  struct stat status {};
  if (::fstat(left.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return false;
  if (retried([&] { return ::flock(left.number(), LOCK_EX | LOCK_NB); }) != 0) return false;
  return !leads_to(name, left.number()) || ::unlink(name.c_str()) == 0;
}

// The temporary names of a target: .halfspace-HASH-0.tmp, .halfspace-HASH-1.tmp ...
class TemporaryNames {
 public:
  explicit TemporaryNames(const std::string& target) {
    const std::string name = target.substr(target.rfind('/') + 1);  // 0 after npos
    const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
    beginning_ = folder_of(target) + "/.halfspace-";
    for (int shift = 60; shift >= 0; shift -= 4) beginning_ += "0123456789abcdef"[hash >> shift & 15];
  }

  // Takes the first free name; `take` returns a negative number and sets errno, to EEXIST if the name is in use.
  template <class Take>
  int take(std::string& name, const Take& take) const {
    for (int number = 0;;) {
      name = beginning_ + "-" + std::to_string(number) + ".tmp";
      const int taken = take(name);
      if (taken >= 0 || errno != EEXIST) return taken;
      if (!remove_leftover(name)) ++number;
    }
  }

 private:
  std::string beginning_;
};

void sync_folder(const std::string& folder, const std::string& path) {
  Descriptor descriptor(retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (descriptor.number() < 0) {
    if (errno == EACCES) return;  // a writable but unreadable folder cannot be synced
    fail(path, "written, but its folder cannot be opened to sync it", errno);
  }
  if (retried([&] { return ::fsync(descriptor.number()); }) != 0 &&
      errno != EINVAL) {  // EINVAL: this file system has nothing to sync
    fail(path, "written, but its folder cannot be synced", errno);
  }
}

std::string name_of_open(int file) { return "/proc/self/fd/" + std::to_string(file); }

}  // namespace

std::string followed(const std::string& path) {
  bool open_file = false;
  return follow_links(path, open_file);
}

bool is_open_file(const std::string& path) {
  bool open_file = false;
  follow_links(path, open_file);
  return open_file;
}

AtomicFile::AtomicFile(std::string path, const std::atomic<bool>* interrupt, ::mode_t new_mode)
    : path_(std::move(path)), interrupt_(interrupt) {
  const Target target(path_);
  if (target.direct()) {
    file_ = open_to_write(path_, O_APPEND, interrupt_);
    if (file_ < 0) fail(path_, "cannot open for writing", errno);
    return;
  }
  target_ = target.path;
  // Keeps the permissions of an existing file; a new one gets what the umask leaves.
  const ::mode_t mode = target.exists ? target.status.st_mode & 0777 : new_mode;
  open_aside(mode);
  if (target.exists) static_cast<void>(::fchmod(file_, mode));  // on failure, the umask only removed permissions
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void AtomicFile::prove(const std::string& path) {
  const Target target(path);
  if (target.direct()) {
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail(path, "cannot open for writing", errno);
    return;
  }
  const AtomicFile file(path, nullptr);
  if (target.exists) refuse_irreplaceable(path, target);
}

// Opens an unnamed file if the system can link it later, else a named one.
void AtomicFile::open_aside(::mode_t mode) {
  const std::string folder = folder_of(target_);
  file_ = retried([&] { return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode); });
  if (file_ >= 0) {
    struct stat named {};
    // Locked before it has a name, the file is never taken for a leftover.
    if (::stat(name_of_open(file_).c_str(), &named) == 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(std::exchange(file_, -1));
  }
  std::string name;
  file_ = TemporaryNames(target_).take(name, [&](const std::string& free) {
    const int made =
        retried([&] { return ::open(free.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode); });
    // Until it is locked, another process may remove it as a leftover. Without support for locks, none does.
    if (made < 0 || (::flock(made, LOCK_EX | LOCK_NB) == 0 ? leads_to(free, made) : errno != EWOULDBLOCK)) return made;
    ::close(made);
    errno = EEXIST;
    return -1;
  });
  if (file_ < 0) fail(path_, "cannot write into its folder", errno);
  aside_ = std::move(name);  // does not allocate: a failure would leave the file
}

void AtomicFile::give_name() {
  const std::string open = name_of_open(file_);
  std::string name;
  const int named = TemporaryNames(target_).take(name, [&](const std::string& free) {
    return ::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, free.c_str(), AT_SYMLINK_FOLLOW);
  });
  if (named < 0) fail(path_, "cannot link the file to a temporary name", errno);
  aside_ = std::move(name);  // does not allocate: a failure would leave the file
}

void AtomicFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = target_.empty() ? write_or_leave(file_, bytes.data(), bytes.size(), interrupt_)
                                              : retried([&] { return ::write(file_, bytes.data(), bytes.size()); });
    if (written <= 0) fail(path_, "cannot write", written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (!target_.empty() && retried([&] { return ::fsync(file_); }) != 0 && errno != EINVAL)
    fail(path_, "cannot sync", errno);
  if (!target_.empty() && aside_.empty()) give_name();
  // Keeps the lock until the rename.
  const Descriptor lock(target_.empty() ? -1 : ::fcntl(file_, F_DUPFD_CLOEXEC, 0));
  // An interrupted close() still closes, and the data are synced.
  if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) fail(path_, "cannot write", errno);
  if (target_.empty()) return;
  if (::rename(aside_.c_str(), target_.c_str()) != 0) fail(path_, "cannot rename the temporary file to it", errno);
  aside_.clear();
  sync_folder(folder_of(target_), path_);
}

}  // namespace halfspace
