// Several files as one text: each without its header, all but the last ending with a line end.
//
// One file is open at a time. What can be checked without opening files is checked in advance: a missing file is
// rejected before the first is read, an empty one is skipped with a note. A later pass opens the files again, and they
// must not have changed.
//
// Thread-safety: as of any source.
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/reader.h"
#include "stream/source/source.h"

namespace halfspace::stream {

class FileList final : public Source {
 public:
  // Examines the beginning of a further file (`whole`: all of it). Returns the size of its header, or nothing if more
  // text is needed. Throws Error(data) for a file that does not match the first.
  using Accept = std::function<std::optional<std::size_t>(std::string_view text, bool whole, const std::string& file)>;

  // `paths`: at least one. Throws Error: no_input, data; usage for a pipe that is named twice; Interrupted.
  FileList(const std::vector<std::string>& paths, const std::function<void(const ReadNote&)>& on_note,
           const std::atomic<bool>* interrupt);

  // Sets the check of further files; until then only the first is read.
  void join(Accept accept) { accept_ = std::move(accept); }

  // Returns the files that are not known to be empty.
  std::vector<std::string> paths() const;
  // Returns the first nonempty file.
  const std::string& first() const { return files_[first_].path; }
  // Returns the file and line of a line of the text, counted from 1. `lines_before`: lines before the rows of the first
  // file.
  std::pair<std::string, std::uint64_t> place(std::uint64_t line) const;

  std::size_t read(char* to, std::size_t capacity) override;
  std::string_view peek() override { return current_->peek(); }
  void rewind() override;
  bool rewindable() const override { return regular_; }
  Next next() override;
  Part part() const override { return {&files_[at_].shown, files_[at_].header_lines}; }
  std::uint64_t done() const override { return done_.load(std::memory_order_relaxed); }
  std::uint64_t total() const override { return total_; }
  std::string compression() const override;
  bool same_file(const std::string& path) const override;

 private:
  struct File {
    std::string path, shown;
    bool regular = false;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::optional<timespec> changed{};               // modification time, as of the first pass
    std::uint64_t header_lines = 0, first_line = 0;  // of this pass: before the rows; of the whole text, before them
  };

  void look_at(const std::string& path);
  void note_what_is_odd(const std::function<void(const ReadNote&)>& on_note);
  void open(std::size_t file);
  static void refuse_changed(File& file);
  void pass_over_header();
  std::size_t count(const char* text, std::size_t size);

  const std::atomic<bool>* interrupt_;
  std::vector<File> files_;
  bool regular_ = true;      // all of them
  std::uint64_t total_ = 0;  // bytes; 0: not known
  Accept accept_;
  std::size_t first_ = 0, at_ = 0;
  std::unique_ptr<Source> current_;
  std::string ahead_;  // text of the current file that was read ahead
  std::size_t position_ = 0;
  bool line_open_ = false;    // the returned text ends within a line
  std::uint64_t lines_ = 0;   // line ends returned
  std::uint64_t before_ = 0;  // bytes of the files before the current one
  std::atomic<std::uint64_t> done_{0};
  std::optional<std::string> compression_;  // of the files so far
};

// Parts of files as one text: the whole lines that begin in each, behind a header that the first part shares.
//
// One file is open at a time. A part of a compressed file is the whole file.
//
// Thread-safety: as of any source.
class FileParts final : public Source {
 public:
  // `parts`: at least one. `before`: text that precedes the first. Throws Error: no_input, input_output.
  FileParts(const std::vector<FilePart>& parts, std::string before, const std::atomic<bool>* interrupt);
  ~FileParts() override;

  std::size_t read(char* to, std::size_t capacity) override;
  std::string_view peek() override;
  void rewind() override;
  bool rewindable() const override { return true; }
  Next next() override;
  Part part() const override;
  std::uint64_t lines_before(const Part& part) const override;
  std::uint64_t done() const override { return done_.load(std::memory_order_relaxed); }
  std::uint64_t total() const override { return total_; }
  std::string compression() const override { return compression_; }
  bool same_file(const std::string& path) const override;

 private:
  struct Open;

  void open(std::size_t part);

  std::vector<FilePart> parts_;
  std::deque<std::string> names_;  // of each part, as errors show it; where each is tells parts apart
  std::string before_;
  const std::atomic<bool>* interrupt_;
  std::uint64_t total_ = 0;
  std::size_t at_ = 0;           // the current part
  std::size_t header_read_ = 0;  // bytes of before_ returned
  std::string ahead_;            // text of the current part that was peeked at
  std::size_t ahead_read_ = 0;
  std::unique_ptr<Open> open_;
  std::string compression_ = "none";
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace halfspace::stream
