// Names while a chunk is parsed: those of the chunk that the pass does not know yet, and those of the row at hand.
//
// Names are found by a 64-bit hash, computed once while a chunk is parsed, and by their bytes. The names of a chunk are
// views of its text; those of the pass are stored in the schema's columns only (KnownNames).
//
// Thread-safety: one thread per object; constant members are safe. Cost O(1) a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace halfspace::stream {

class ChunkNames {
 public:
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
    std::uint32_t column;  // of Vowpal Wabbit text the namespace, as its chunk numbers them
  };

  static constexpr std::uint32_t none = 0xffffffff;

  void clear();
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // Returns the number of a name, or none: then insert_last assigns it the next number.
  template <class Key>
  std::uint32_t find(const Key& key) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key.hash & mask;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        free_ = at;
        return none;
      }
      if (slot >> 32 != key.hash >> 32) continue;
      const std::uint32_t number = static_cast<std::uint32_t>(slot) - 1;
      if (entries_[number].column == key.column && key.is(entries_[number].text)) return number;
    }
  }
  std::uint32_t insert_last(std::uint32_t column, std::uint64_t hash, std::string_view text);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow();
  static std::uint64_t slot_of(std::uint64_t hash, std::size_t number) { return hash >> 32 << 32 | (number + 1); }

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> slots_;  // half a hash, and 1 + a number; 0: free. A power of two, at most half full.
  std::size_t free_ = 0;              // the slot at which find gave up
};

// Finds the names that occur several times in a row.
class RowNames {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  // Begins a row.
  void clear();
  // Makes room for as many more.
  void expect(std::size_t count);
  // Returns the place of a name that is in the row; adds others there, and returns none.
  std::uint32_t find_or_insert(std::uint32_t name, std::uint32_t place);

 private:
  struct Slot {
    std::uint32_t row = 0, name = 0, place = 0;
  };
  Slot& slot_of(std::uint32_t name);

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
  std::uint32_t row_ = 0;                            // slots of other rows are free
  std::size_t used_ = 0;
};

}  // namespace halfspace::stream
