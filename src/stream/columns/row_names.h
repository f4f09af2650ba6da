// The names that occur several times in a row.
//
// Thread-safety: one thread per object.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace halfspace::stream {

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
