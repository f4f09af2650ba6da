// Names while a chunk is parsed: those of the chunk that the pass does not know yet, and those of the row at hand.
//
// Names are found by a 64-bit hash, computed once while a chunk is parsed, and by their bytes. The names of a chunk are
// views of its text; those of the pass are stored in the schema's columns only (KnownNames).
//
// Thread-safety: one thread per object; constant members are safe. Cost O(1) a name.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
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

// Finds the names that occur several times in a row, by number or by hash. Cost O(1) a name.
template <class Name>
class RowNamesBy {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  // Begins a row.
  void clear() {
    used_ = 0;
    if (++row_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    row_ = 1;
  }
  // Makes room for as many more.
  void expect(std::size_t count) {
    if (2 * (used_ + count) <= slots_.size()) return;
    std::vector<Slot> before(std::bit_ceil(2 * (used_ + count)));
    std::swap(before, slots_);
    for (const Slot& slot : before) {
      if (slot.row == row_) slot_of(slot.name) = slot;
    }
  }
  // Returns the place of a name that is in the row; adds others there, and returns none.
  std::uint32_t find_or_insert(Name name, std::uint32_t place) {
    Slot& slot = slot_of(name);
    if (slot.row == row_) return slot.place;
    slot = {name, row_, place};
    ++used_;
    return none;
  }

 private:
  struct Slot {
    Name name = 0;
    std::uint32_t row = 0, place = 0;
  };
  Slot& slot_of(Name name) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (static_cast<std::uint32_t>(name) * 0x9e3779b1U >> 7) & mask;; at = (at + 1) & mask) {
      if (slots_[at].row != row_ || slots_[at].name == name) return slots_[at];
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
  std::uint32_t row_ = 0;                            // slots of other rows are free
  std::size_t used_ = 0;
};

using RowNames = RowNamesBy<std::uint32_t>;

}  // namespace halfspace::stream
