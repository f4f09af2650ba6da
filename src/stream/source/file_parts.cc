// Opens parts of files one after the other.
#include "stream/source/file_parts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/retried.h"
#include "halfspace/base/error.h"
#include "stream/source/raw_file.h"
#include "stream/text/separators.h"

namespace halfspace::stream {
namespace {

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

Source::Part FileParts::part() const {
  return {.file = &names_[at_], .lines_before = 0, .counts_lines = true};
}

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
