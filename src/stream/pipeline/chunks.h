// Splits the text of a source into chunks of whole records, and computes its fingerprint.
//
// Records longer than `line_limit` do not make memory grow: the first line_limit + 3 bytes of such a record form a
// chunk, which the format rejects, and the rest of its line is dropped.
//
// No chunk spans two files: an error at the end of one file does not affect the next.
//
// Thread-safety: one thread. Ownership: uses the source and the format, owns neither.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "stream/formats/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

// Bytes that grow without initialization. `margin` bytes after them are readable, with arbitrary content.
class TextBuffer {
 public:
  static constexpr std::size_t margin = 64;

  void clear() noexcept { size_ = 0; }
  void reserve(std::size_t capacity);
  void append(std::string_view text);
  char* end() noexcept { return data_.get() + size_; }
  void grow_by(std::size_t count) noexcept { size_ += count; }
  void cut(std::size_t size) noexcept { size_ = size; }
  std::size_t size() const noexcept { return size_; }
  std::size_t room() const noexcept { return capacity_ - size_; }
  std::string_view view() const noexcept { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

class Chunks {
 public:
  // `text`: drops a UTF-8 byte order mark at the beginning.
  Chunks(Source& source, std::size_t block_bytes, std::size_t line_limit, bool text);
  ~Chunks();
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;

  // Reads ahead, at the beginning of a pass, until `lines` lines or all or `most` bytes are available, and returns them
  // without consuming them. `whole`: that is all, or all that the source has for now.
  std::string_view head(std::uint64_t lines, std::size_t most, bool& whole);
  // Drops the first bytes of the head.
  void skip(std::size_t count);

  // Reads the next chunk of whole records; returns false at the end. Throws a failure of the source after the complete
  // records before it.
  bool next(const Format& format, TextBuffer& chunk);

  // Returns the file of the last chunk; before that the first file.
  const Source::Part& part() const noexcept { return part_; }

  void rewind();
  // Returns whether the next chunk is known to be the end.
  bool exhausted() const noexcept { return ended_ && !failure_ && pending_begin_ >= pending_.size(); }

  std::uint64_t bytes() const noexcept { return bytes_; }  // of text read
  std::string fingerprint() const;                         // XXH3-128 of it, as 32 hex digits

 private:
  void begin();
  std::size_t read(TextBuffer& to, std::size_t count);
  void fill(TextBuffer& to, std::size_t target);
  void give_back(std::string_view rest);
  void discard_line(TextBuffer& chunk, std::size_t kept);
  void go_on();
  std::uint64_t cut() const noexcept { return bytes_ - (pending_.size() - pending_begin_); }

  Source& source_;
  std::size_t block_bytes_, line_limit_;
  bool text_;
  TextBuffer pending_;  // read but not yet split
  std::size_t pending_begin_ = 0;
  bool ended_ = false;  // of the source
  bool held_ = false;   // the source has no more for now
  // Offsets where further parts begin, in the whole text, of parts that are read and not yet split.
  struct Beginning {
    std::uint64_t at;
    Source::Part part;
  };
  std::deque<Beginning> beginnings_;
  Source::Part part_;
  std::exception_ptr failure_;
  std::uint64_t bytes_ = 0;
  struct Digest;
  std::unique_ptr<Digest> digest_;
};

}  // namespace halfspace::stream
