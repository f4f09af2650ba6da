// A folder of the file system.
#include "base/log/storage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/retried.h"
#include "base/whole_file.h"
#include "halfspace/base/error.h"

namespace halfspace::log {
namespace {

// Rows may be about persons: whoever runs the service decides who else reads them.
constexpr ::mode_t folder_mode = 0700, file_mode = 0600;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_output, what + ": " + std::generic_category().message(errno))
      .at(path)
      .fix("check the disk and the permissions");
}

// An open file or folder.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const std::string& path, int flags)
      : number_(retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, file_mode); })) {
    if (number_ < 0) fail(path, "cannot open");
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const noexcept { return number_; }

 private:
  int number_ = -1;
};

class Folder final : public Storage {
 public:
  Folder(std::string path, bool write) : path_(std::move(path)) {
    if (write && ::mkdir(path_.c_str(), folder_mode) != 0 && errno != EEXIST) fail(path_, "cannot make the folder");
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) fail(path_, "cannot be inspected");
    if (!S_ISDIR(status.st_mode)) throw Error(ErrorKind::usage, "is not a folder").at(path_).fix("name a folder");
    folder_ = Descriptor(path_, O_RDONLY | O_DIRECTORY);
    if (!write) return;
    if (retried([&] { return ::flock(folder_.number(), LOCK_EX | LOCK_NB); }) == 0) return;
    if (errno != EWOULDBLOCK) fail(path_, "cannot lock");
    throw Error(ErrorKind::usage, "another process uses the folder").at(path_).fix("stop it, or name another folder");
  }

  std::vector<std::string> names() override {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(path_.c_str()), ::closedir);
    if (!entries) fail(path_, "cannot list the folder");
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* const entry = ::readdir(entries.get())) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    if (errno != 0) fail(path_, "cannot list the folder");
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string read(const std::string& name) override { return whole_file(path_of(name), nullptr); }

  void append(const std::string& name, std::string_view bytes) override {
    open_to_append(name);
    while (!bytes.empty()) {
      const ::ssize_t count = retried([&] { return ::write(open_.number(), bytes.data(), bytes.size()); });
      if (count <= 0) fail(path_of(name), "cannot write");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void sync(const std::string& name) override {
    open_to_append(name);
    if (retried([&] { return ::fdatasync(open_.number()); }) != 0) fail(path_of(name), "cannot sync");
    if (!named_) sync_folder();
    named_ = true;
  }

  void truncate(const std::string& name, std::uint64_t bytes) override {
    if (retried([&] { return ::truncate(path_of(name).c_str(), static_cast<::off_t>(bytes)); }) != 0)
      fail(path_of(name), "cannot cut");
  }

  void replace(const std::string& name, std::string_view bytes) override {
    AtomicFile file(path_of(name), nullptr, file_mode);
    file.write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    file.commit();
  }

  void remove(const std::string& name) override {
    if (name == open_name_) {
      open_ = Descriptor();
      open_name_.clear();
    }
    if (::unlink(path_of(name).c_str()) != 0 && errno != ENOENT) fail(path_of(name), "cannot remove");
    sync_folder();
  }

  std::string path_of(const std::string& name) const override { return name.empty() ? path_ : path_ + "/" + name; }

 private:
  void open_to_append(const std::string& name) {
    if (name == open_name_) return;
    std::string next = name;  // before the file is open: open_name_ is always that of open_
    open_ = Descriptor(path_of(name), O_WRONLY | O_APPEND | O_CREAT);
    open_name_ = std::move(next);
    named_ = false;
  }

  void sync_folder() {
    if (retried([&] { return ::fsync(folder_.number()); }) != 0) fail(path_, "cannot sync the folder");
  }

  std::string path_;
  Descriptor folder_, open_;
  std::string open_name_;  // of the file that was appended to last
  bool named_ = false;     // its name would survive a power cut
};

}  // namespace

std::unique_ptr<Storage> open_folder(const std::string& path) { return std::make_unique<Folder>(path, true); }
std::unique_ptr<Storage> read_folder(const std::string& path) { return std::make_unique<Folder>(path, false); }

}  // namespace halfspace::log
