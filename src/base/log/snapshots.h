// The snapshots of a log: files "snapshot-00000000000000001000", each a frame that holds the state after so many
// events.
//
// The log has what a snapshot holds: one that is damaged, or of another kind, is passed over.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/storage.h"

namespace halfspace::log {

class Snapshots {
 public:
  // `magic`: of the kind of state.
  Snapshots(Storage& storage, std::uint32_t magic) : storage_(storage), magic_(magic) {}

  static std::string name(std::uint64_t events);

  std::vector<std::uint64_t> all() const;  // the events that they cover, ascending
  // Returns the state after so many events; none if its snapshot is damaged.
  std::optional<std::string> read(std::uint64_t events) const;
  void write(std::uint64_t events, std::string_view state);
  void remove(std::uint64_t events) { storage_.remove(name(events)); }
  // Removes snapshots whose neighbours are nearer to one another than to the present: about log2(events) remain.
  void thin_out(std::uint64_t events);
  // Removes all but the last ones. Returns the events in the first that remains; 0: there are fewer.
  std::uint64_t keep(std::size_t count);

 private:
  Storage& storage_;
  std::uint32_t magic_;
};

}  // namespace halfspace::log
