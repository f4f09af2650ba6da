// A journal: a file to which records are appended, and from which they are replayed after a crash.
//
//   Journal journal(path, {.magic = 0x..., .if_it_fails = "check the disk", .if_damaged = "restore a copy"});
//   journal.open(true);
//   journal.replay(true, [&](const Frame& frame) { ... });
//   journal.append(number, record, sync);
//
// Each record is a frame, written by one system call: if the process is killed, even during the write, the next process
// finds all frames that append() returned for, and nothing of an incomplete one. The bytes after the last complete
// frame were being written when the process died; replay() cuts them off and keeps them in another file. Complete
// frames after damaged bytes were acknowledged: they are an error, and the file stays unchanged.
//
// A head, a frame without a record, distinguishes an empty journal from one that lost its frames.
//
// journal = frame*     (base/frames.h)
//
// Thread-safety: one thread; a process that opens it locks out others. All functions throw Error(input_output).
// Ownership: owns the open file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/frames.h"

namespace halfspace {

class Journal {
 public:
  // The properties of one owner's journals.
  struct Kind {
    std::uint32_t magic;
    const char* if_it_fails;  // the fix for errors of input and output
    const char* if_damaged;
  };
  // The bytes after the last complete frame, and the file that now holds them.
  struct Cut {
    std::uint64_t bytes;
    std::string kept_in;
  };
  enum class Opened : std::uint8_t { yes, missing, in_use };

  Journal(std::string path, const Kind& kind);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const noexcept { return path_; }

  // Opens and locks the file, or creates it. Throws Error(usage) if it is not a regular file.
  Opened open(bool make);
  bool empty() const;  // has no bytes

  // Calls `each` for each frame in order, including heads, then cuts off the bytes after the last complete one. Throws
  // Error(data), before it changes the file, if the required head is missing or complete frames follow damaged bytes,
  // and whatever `each` throws.
  std::optional<Cut> replay(bool must_have_head, const std::function<void(const Frame&)>& each);
  bool has_head() const noexcept { return has_head_; }

  // Empties the journal and writes its head.
  void begin(bool sync);
  // Returns when the frame is in the file; with `sync`, when it would survive a power cut. If it throws, nothing of the
  // frame remains, and it may be retried.
  void append(std::uint64_t number, std::string_view record, bool sync);
  // Removes all frames, or all but the head.
  void clear(bool keep_head);

  [[noreturn]] void damaged(const std::string& what) const;  // throws Error(data)

 private:
  std::optional<Frame> frame_at(std::string_view text, std::size_t at) const {
    return frame_at_front(kind_.magic, text.substr(at));
  }
  Cut cut_off(std::string_view text, std::size_t from);
  void cut_to(std::uint64_t size);

  std::string path_;
  Kind kind_;
  int file_ = -1;
  std::uint64_t size_ = 0;  // of the complete frames
  bool has_head_ = false;
};

}  // namespace halfspace
