// Text from a file or standard input, decompressed according to its magic.
//
// Decompression runs on a thread of its own, a bounded distance ahead, so that it overlaps parsing. Thread-safety: one
// thread reads; `done` may be called from any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace halfspace {
class TableText;
struct ReadOptions;
}  // namespace halfspace

namespace halfspace::stream {

class Source {
 public:
  virtual ~Source() = default;

  // Returns up to `capacity` > 0 bytes of text; 0 at the end. Throws Error: data (damaged compression), input_output;
  // Interrupted.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
  // Returns the first bytes of the text (at least 4 unless there are fewer), without consuming them. Only before the
  // first read.
  virtual std::string_view peek() = 0;
  // Rewinds to the beginning. Only if rewindable.
  virtual void rewind() = 0;
  virtual bool rewindable() const = 0;

  // Several files are parts of one text: read returns 0 at the end of each.
  struct Part {
    const std::string* file = nullptr;  // its name, as long as the source lives; null: there is one alone
    std::uint64_t lines_before = 0;     // of the file, before the text that is given
    bool counts_lines = false;          // they are lines_before(part) instead, which reads the file
  };
  enum class Next : std::uint8_t { none, held, begun };
  // Moves on to the next part; `held`: what all parts share is not known yet. Throws Error as read does, and
  // Error(data) for a file that does not match those before.
  virtual Next next() { return Next::none; }
  virtual Part part() const { return {}; }
  virtual std::uint64_t lines_before(const Part& part) const { return part.lines_before; }

  // Bytes of the file, compressed as it may be: read so far, and in all (0: not known).
  virtual std::uint64_t done() const = 0;
  virtual std::uint64_t total() const = 0;
  virtual std::string compression() const = 0;  // "none", "gzip", "zstd", "xz", "bzip2"; of several files "mixed", too
  virtual bool same_file(const std::string& path) const = 0;
};

// Throws Error: no_input, data, input_output; Interrupted if the flag is set during a wait.
std::unique_ptr<Source> open_source(const std::string& path, const std::atomic<bool>* interrupt);
// Opens `text`, which must outlive the source.
std::unique_ptr<Source> open_memory(std::string_view text);
// Opens the rows of a learner's log (base/log/log_rows.h) as text. Options that are not given become those that the log's
// rows were written with.
std::unique_ptr<Source> open_log(const std::string& path, ReadOptions& options);
// Opens a table as text; it must outlive the source.
std::unique_ptr<Source> open_table(const TableText& table);

}  // namespace halfspace::stream
