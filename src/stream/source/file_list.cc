// Opens files one after the other, and starts each after its header.
#include "stream/source/file_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/source/raw_file.h"
#include "stream/text/separators.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t header_step = std::size_t{16} << 10, most_header_bytes = std::size_t{256} << 20;

// "2 files are empty, and were skipped; the first: a.csv"
std::string told(std::size_t count, const char* of_one, const char* of_many, const std::string& first) {
  return std::to_string(count) +
         (count == 1 ? std::string(" file ") + of_one + ": " : std::string(" files ") + of_many + "; the first: ") +
         first;
}

}  // namespace

FileList::FileList(const std::vector<std::string>& paths, const std::function<void(const ReadNote&)>& on_note,
                   const std::atomic<bool>* interrupt)
    : interrupt_(interrupt) {
  for (const std::string& path : paths) look_at(path);
  note_what_is_odd(on_note);
  if (files_.empty()) look_at(paths.front());
  for (;;) {
    open(first_);
    if (!current_->peek().empty() || first_ + 1 == files_.size()) break;
    ++first_;
  }
  at_ = first_;
}

// Does not open a named pipe yet: that could block forever.
void FileList::look_at(const std::string& path) {
  File file{.path = path, .shown = shown_name(path)};
  struct stat status {};
  const bool named = path != "-";
  if (named ? ::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0 : ::fstat(0, &status) != 0) {
    const int error = errno;
    throw Error(ErrorKind::no_input, "cannot open: " + std::generic_category().message(error))
        .at(file.shown)
        .fix(error == ENOENT ? "check the path" : "check the permissions of the file and its folders");
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::no_input, "is a folder, not a file")
        .at(file.shown)
        .fix("name the files in it: " + path + "/*");
  }
  file.regular = named && S_ISREG(status.st_mode);
  file.device = static_cast<std::uint64_t>(status.st_dev);
  file.inode = static_cast<std::uint64_t>(status.st_ino);
  file.size = static_cast<std::uint64_t>(status.st_size);
  files_.push_back(std::move(file));
}

void FileList::note_what_is_odd(const std::function<void(const ReadNote&)>& on_note) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  std::string twice;
  std::size_t again = 0;
  for (const File& file : files_) {
    regular_ = regular_ && file.regular;
    total_ += file.regular ? file.size : 0;
    if (seen.emplace(file.device, file.inode).second) continue;
    if (!file.regular) {
      throw Error(ErrorKind::usage, "is named twice, but is a pipe and can be read only once")
          .at(file.shown)
          .fix("name it once, or save it to a file first");
    }
    if (again++ == 0) twice = file.shown;
  }
  if (!regular_) total_ = 0;
  const auto empty = [](const File& file) { return file.regular && file.size == 0; };
  const auto first_empty = std::find_if(files_.begin(), files_.end(), empty);
  const std::string first_empty_name = first_empty == files_.end() ? "" : first_empty->shown;
  const std::size_t empties = std::erase_if(files_, empty);
  if (!on_note) return;
  if (again != 0) {
    on_note({told(again, "is named twice, and its rows count twice",
                  "are named more than once, and their rows count as often", twice),
             "name each once"});
  }
  if (empties != 0 && !files_.empty()) {
    on_note({told(empties, "is empty, and was skipped", "are empty, and were skipped", first_empty_name),
             "leave them out, or check why they are empty"});
  }
}

// A file that grows during its first pass is read as far as it goes; after that it must not change.
void FileList::refuse_changed(File& file) {
  struct stat status {};
  if (::stat(file.path.c_str(), &status) != 0) return;  // opening it reports why
  const bool first = !file.changed;
  const bool same = status.st_dev == file.device && status.st_ino == file.inode &&
                    static_cast<std::uint64_t>(status.st_size) == file.size &&
                    file.changed.value_or(status.st_mtim).tv_sec == status.st_mtim.tv_sec &&
                    file.changed.value_or(status.st_mtim).tv_nsec == status.st_mtim.tv_nsec;
  if (!first && !same) {
    throw Error(ErrorKind::data, "has changed since the first pass, and must be read again")
        .at(file.shown)
        .fix("start again when nothing writes to it");
  }
  file.device = status.st_dev;
  file.inode = status.st_ino;
  file.size = static_cast<std::uint64_t>(status.st_size);
  file.changed = status.st_mtim;
}

void FileList::open(std::size_t next) {
  File& file = files_[next];
  if (file.regular) refuse_changed(file);
  current_.reset();  // one descriptor at a time
  current_ = open_source(file.path, interrupt_);
  at_ = next;
  ahead_.clear();
  position_ = 0;
  file.header_lines = 0;
  file.first_line = lines_;
  if (current_->peek().empty()) return;
  const std::string compression = current_->compression();
  compression_ = compression_.value_or(compression) == compression ? compression : "mixed";
}

std::size_t FileList::count(const char* text, std::size_t size) {
  if (size == 0) return 0;
  lines_ += count_line_ends({text, size});
  line_open_ = text[size - 1] != '\n';
  return size;
}

std::size_t FileList::read(char* to, std::size_t capacity) {
  if (position_ < ahead_.size()) {
    const std::size_t size = std::min(capacity, ahead_.size() - position_);
    std::memcpy(to, ahead_.data() + position_, size);
    position_ += size;
    done_.store(before_ + current_->done(), std::memory_order_relaxed);
    return count(to, size);
  }
  if (const std::size_t got = current_->read(to, capacity); got != 0) {
    done_.store(before_ + current_->done(), std::memory_order_relaxed);
    return count(to, got);
  }
  if (!line_open_ || at_ + 1 == files_.size()) return 0;
  *to = '\n';
  return count(to, 1);
}

Source::Next FileList::next() {
  if (at_ + 1 == files_.size()) return Next::none;
  if (!accept_) return Next::held;
  while (at_ + 1 < files_.size()) {
    before_ += current_->done();
    open(at_ + 1);
    pass_over_header();
    if (position_ < ahead_.size()) return Next::begun;
  }
  return Next::none;
}

// Reads the file's header, and a byte after it if there is one.
void FileList::pass_over_header() {
  File& file = files_[at_];
  bool whole = false, accepted = false;
  std::size_t mark = 0;
  for (std::size_t target = header_step;; target *= 2) {
    for (std::size_t size = ahead_.size(); !whole && size < target;) {
      ahead_.resize(target);
      const std::size_t got = current_->read(ahead_.data() + size, target - size);
      size += got;
      whole = got == 0;
      ahead_.resize(size);
    }
    if (accepted || ahead_.empty()) return;
    mark = ahead_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    const std::optional<std::size_t> header =
        accept_(std::string_view(ahead_).substr(mark), whole || target > most_header_bytes, file.shown);
    if (!header) continue;
    position_ = mark + *header;
    file.header_lines = count_line_ends(std::string_view(ahead_).substr(0, position_));
    if (position_ < ahead_.size() || whole) return;
    accepted = true;
  }
}

void FileList::rewind() {
  lines_ = before_ = 0;
  line_open_ = false;
  compression_.reset();
  done_.store(0, std::memory_order_relaxed);
  open(first_);
}

std::vector<std::string> FileList::paths() const {
  std::vector<std::string> paths;
  for (std::size_t i = first_; i < files_.size(); ++i) paths.push_back(files_[i].path);
  return paths;
}

std::pair<std::string, std::uint64_t> FileList::place(std::uint64_t line) const {
  std::size_t file = first_;
  while (file + 1 <= at_ && files_[file + 1].first_line < line) ++file;
  const File& found = files_[file];
  return {found.shown, line - found.first_line + found.header_lines};
}

std::string FileList::compression() const {
  return compression_.value_or("none");
}

bool FileList::same_file(const std::string& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return std::any_of(files_.begin(), files_.end(), [&](const File& file) {
    return file.device == static_cast<std::uint64_t>(status.st_dev) &&
           file.inode == static_cast<std::uint64_t>(status.st_ino);
  });
}

}  // namespace halfspace::stream
