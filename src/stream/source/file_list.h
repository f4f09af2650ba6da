// Several files as one text: each behind its own header, and each but the last with a line end at its end.
//
// One file is open at a time. What can be known of a file without opening it is looked at beforehand: one that is missing
// is refused before the first is read, one of 0 bytes is passed over with a note. In a later pass the files are opened
// again, and must be what they were.
//
// Thread-safety: as of any source.
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "stream/source/source.h"

namespace halfspace::stream {

class FileList final : public Source {
 public:
  // Looks at the beginning of a further file (`whole`: at all of it). Returns how many bytes of it are no rows; nothing:
  // more text is needed. Throws Error(data) for a file that does not fit the first.
  using Accept = std::function<std::optional<std::size_t>(std::string_view text, bool whole, const std::string& file)>;

  // `paths`: at least one. Throws Error: no_input, data; usage for a pipe that is named twice; Interrupted.
  FileList(const std::vector<std::string>& paths, const std::function<void(const ReadNote&)>& on_note,
           const std::atomic<bool>* interrupt);

  // Says what further files must be like; until then there is the first alone.
  void join(Accept accept) { accept_ = std::move(accept); }

  // The first file that has any text.
  const std::string& first() const { return files_[first_].path; }
  // Where a line of the text, from 1, stands: the file's name and its own number of the line. `lines_before`: of the
  // first file's, before its rows.
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
    std::optional<timespec> changed{};               // when last, as the first pass found it
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
  std::string ahead_;  // text of the current file that was looked at
  std::size_t position_ = 0;
  bool line_open_ = false;    // the text given ends within a line
  std::uint64_t lines_ = 0;   // line ends given
  std::uint64_t before_ = 0;  // bytes of the files before the current one
  std::atomic<std::uint64_t> done_{0};
  std::optional<std::string> compression_;  // of the files so far
};

}  // namespace halfspace::stream
