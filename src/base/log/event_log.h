// A log of events: what a learner's or a bandit's state is made of. An event is durable once commit() has returned.
//
// The log is a sequence of segments, files named after the number of their first event, "00000000000000000001.log".
// Events are frames (base/frames.h) whose number is the event's, from 1 on, without gaps. commit() writes the events
// since the last one by one append and syncs it, however many there are: a group is as cheap as one. Without `sync` an
// event survives the death of the process, and a power cut after sync().
//
// open() checks every frame that it reads. Bytes after the last complete frame of the last segment were being written
// when the process died: they are cut off, and kept in a file of their own. Anything else that is wrong (a frame that
// is damaged before complete ones, a gap between numbers, a missing segment) is an error that says where it is.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log/storage.h"

namespace halfspace::log {

class EventLog {
 public:
  static constexpr std::uint64_t default_segment = std::uint64_t{64} << 20;
  using Each = std::function<void(std::uint64_t number, std::string_view record)>;

  explicit EventLog(Storage& storage, std::uint64_t segment_bytes = default_segment, bool sync = true);

  // The bytes that a dying process left incomplete, and the file that now has them.
  struct Cut {
    std::uint64_t bytes;
    std::string kept_in;
  };
  // Finds the segments and passes the events from number `from` on to `each`. Call it once, before any other function.
  // Throws Error(data) for damage, and what `each` throws.
  std::optional<Cut> open(std::uint64_t from, const Each& each);

  // Passes committed events from number `from` on to `each`, until it returns false. Throws Error(data) for damage, and
  // if the log begins later.
  void read(std::uint64_t from, const std::function<bool(std::uint64_t, std::string_view)>& each) const;

  std::uint64_t next() const noexcept { return next_; }            // the number of the next event
  std::uint64_t committed() const noexcept { return committed_; }  // events that are durable

  // Adds an event, durable after commit(). Returns its number. If it throws, none was added.
  std::uint64_t append(std::string_view record);
  // Takes back the events since the last commit.
  void take_back() noexcept;
  // Writes and syncs. If it throws, whatever it throws, none of the events since the last commit is in the log;
  // writable() says whether a later one may be.
  void commit();
  // Makes all that was committed survive a power cut.
  void sync();
  // Removes the segments that have no event from this number on.
  void remove_before(std::uint64_t event);
  // Throws if the disk cannot take so many more bytes. Leaves nothing behind.
  void try_to_write(std::size_t bytes);
  // Returns whether the storage has a log that begins with this file. Throws Error(data) for a log without it.
  static bool begun(Storage& storage, std::string_view begin_name);
  // Passes the complete events of a segment's text on, the first of which has this number. Returns where they end, and
  // the number after the last. Throws Error(data) for a gap; `name`: of the segment.
  static std::pair<std::size_t, std::uint64_t> each_event(const std::string& name, std::uint64_t first,
                                                          std::string_view text, const Each& each);
  // Returns the number in the name of a segment; none: the file is something else.
  static std::optional<std::uint64_t> first_event(const std::string& name);
  // Passes the events of a segment on, up to the last complete one. Returns its number. Throws Error(data) for damage; for
  // bytes after it, too, if `whole`.
  static std::uint64_t read_segment(Storage& storage, const std::string& name, bool whole, const Each& each);

  // Returns false after an error that leaves open what the disk has: no event may be added until it is opened anew.
  bool writable() const noexcept { return writable_; }
  // Takes no more events, as after such an error.
  void stop() noexcept { writable_ = false; }

 private:
  struct Segment {
    std::uint64_t first;
    std::string name;
  };

  void list_segments() noexcept;
  void write(const std::string& name, bool begins);
  void undo(const std::string& name, bool begins);
  Cut cut_off(const Segment& segment, std::string_view text, std::size_t from);

  Storage& storage_;
  std::uint64_t segment_bytes_;
  bool sync_;
  std::vector<Segment> segments_;
  std::uint64_t last_bytes_ = 0;  // of the last segment
  std::uint64_t next_ = 1, committed_ = 0;
  std::string pending_;
  bool writable_ = true;
  std::string list_;  // as the file has it
};

}  // namespace halfspace::log
