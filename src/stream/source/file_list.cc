// Opens files one after the other, and starts each after its header.
#include "stream/source/file_list.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

#include "base/retried.h"
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

constexpr std::size_t search_step = std::size_t{64} << 10;

[[noreturn]] void refuse_part(ErrorKind kind, const std::string& what, const std::string& path) {
  throw Error(kind, what + ": " + std::generic_category().message(errno))
      .at(path)
      .fix("check that the file is still there, and complete");
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), file_(retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); })) {
    if (file_ < 0) refuse_part(ErrorKind::no_input, "cannot open", path);
  }
  ~Descriptor() { ::close(file_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  std::size_t read(char* to, std::size_t capacity, std::uint64_t at) const {
    const auto got = retried([&] { return ::pread(file_, to, capacity, static_cast<::off_t>(at)); });
    if (got < 0) refuse_part(ErrorKind::input_output, "cannot read at byte " + std::to_string(at), path_);
    return static_cast<std::size_t>(got);
  }

 private:
  std::string path_;
  int file_;
};

// Returns where the first line begins that begins at `at` or later.
std::uint64_t next_line(const Descriptor& file, std::uint64_t at) {
  if (at == 0) return 0;
  std::array<char, 4096> text;
  for (std::uint64_t from = at - 1;;) {
    const std::size_t got = file.read(text.data(), text.size(), from);
    if (got == 0) return from;
    const void* const end = std::memchr(text.data(), '\n', got);
    if (end != nullptr) return from + static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1;
    from += got;
  }
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

std::string FileList::compression() const { return compression_.value_or("none"); }

bool FileList::same_file(const std::string& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return std::any_of(files_.begin(), files_.end(), [&](const File& file) {
    return file.device == static_cast<std::uint64_t>(status.st_dev) &&
           file.inode == static_cast<std::uint64_t>(status.st_ino);
  });
}

// An open part: whole lines of a plain file, or the text of a compressed one behind its header.
struct FileParts::Open {
  Open(const FilePart& part, const std::atomic<bool>* interrupt) : file(part.path), begin(next_line(file, part.begin)) {
    std::unique_ptr<Source> whole = open_source(part.path, interrupt);
    if (whole->compression() == "none") {
      at = begin;
      end = next_line(file, part.end);
      return;
    }
    text = std::move(whole);
    std::array<char, 4096> header;
    for (std::uint64_t left = part.begin; left > 0;) {
      const std::size_t got = text->read(header.data(), std::min<std::uint64_t>(left, header.size()));
      if (got == 0) break;
      left -= got;
    }
  }

  std::size_t read(char* to, std::size_t capacity) {
    if (text) return text->read(to, capacity);
    const std::size_t got = file.read(to, std::min<std::uint64_t>(capacity, end - at), at);
    at += got;
    return got;
  }

  Descriptor file;
  std::uint64_t begin, at = 0, end = 0;
  std::unique_ptr<Source> text;  // of a compressed file
};

FileParts::FileParts(const std::vector<FilePart>& parts, std::string before, const std::atomic<bool>* interrupt)
    : parts_(parts), before_(std::move(before)), interrupt_(interrupt) {
  for (const FilePart& part : parts_) {
    names_.push_back(shown_name(part.path));
    total_ += part.end - part.begin;
  }
  open(0);
}

FileParts::~FileParts() = default;

void FileParts::open(std::size_t part) {
  open_.reset();  // one descriptor at a time
  open_ = std::make_unique<Open>(parts_[part], interrupt_);
  at_ = part;
  ahead_.clear();
  ahead_read_ = 0;
  if (open_->text) compression_ = open_->text->compression();
}

std::size_t FileParts::read(char* to, std::size_t capacity) {
  if (at_ == 0 && header_read_ < before_.size()) {
    const std::size_t size = std::min(capacity, before_.size() - header_read_);
    std::memcpy(to, before_.data() + header_read_, size);
    header_read_ += size;
    return size;
  }
  if (ahead_read_ < ahead_.size()) {
    const std::size_t size = std::min(capacity, ahead_.size() - ahead_read_);
    std::memcpy(to, ahead_.data() + ahead_read_, size);
    ahead_read_ += size;
    return size;
  }
  const std::size_t got = open_->read(to, capacity);
  done_.fetch_add(got, std::memory_order_relaxed);
  return got;
}

std::string_view FileParts::peek() {
  if (!before_.empty()) return before_;
  while (ahead_.size() < 16) {
    std::array<char, 16> more;
    const std::size_t got = open_->read(more.data(), more.size());
    if (got == 0) break;
    ahead_.append(more.data(), got);
  }
  return ahead_;
}

Source::Next FileParts::next() {
  if (at_ + 1 == parts_.size()) return Next::none;
  open(at_ + 1);
  return Next::begun;
}

void FileParts::rewind() {
  header_read_ = 0;
  done_.store(0, std::memory_order_relaxed);
  open(0);
}

Source::Part FileParts::part() const { return {.file = &names_[at_], .lines_before = 0, .counts_lines = true}; }

std::uint64_t FileParts::lines_before(const Part& part) const {
  const auto is_part = [&](const std::string& name) { return &name == part.file; };
  const auto at = static_cast<std::size_t>(std::find_if(names_.begin(), names_.end(), is_part) - names_.begin());
  const Open opened(parts_[at], interrupt_);
  std::vector<char> text(search_step);
  std::uint64_t lines = 0;
  if (opened.text) {  // the lines of its header
    const std::unique_ptr<Source> whole = open_source(parts_[at].path, interrupt_);
    for (std::uint64_t left = parts_[at].begin; left > 0;) {
      const std::size_t got = whole->read(text.data(), std::min<std::uint64_t>(left, text.size()));
      if (got == 0) break;
      lines += count_line_ends({text.data(), got});
      left -= got;
    }
    return lines;
  }
  for (std::uint64_t from = 0; from < opened.begin;) {
    const std::size_t got =
        opened.file.read(text.data(), std::min<std::uint64_t>(text.size(), opened.begin - from), from);
    if (got == 0) break;
    lines += count_line_ends({text.data(), got});
    from += got;
  }
  return lines;
}

bool FileParts::same_file(const std::string& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return std::any_of(parts_.begin(), parts_.end(), [&](const FilePart& part) {
    struct stat of_part {};
    return ::stat(part.path.c_str(), &of_part) == 0 && of_part.st_dev == status.st_dev &&
           of_part.st_ino == status.st_ino;
  });
}

}  // namespace halfspace::stream
