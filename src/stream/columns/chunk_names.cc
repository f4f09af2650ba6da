// Names while a chunk is parsed.
#include "stream/columns/chunk_names.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_chunk_slots = 1024;

}  // namespace

void ChunkNames::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint32_t ChunkNames::insert_last(std::uint32_t column, std::uint64_t hash, std::string_view text) {
  slots_[free_] = slot_of(hash, entries_.size());
  entries_.push_back({hash, text, column});
  return static_cast<std::uint32_t>(entries_.size()) - 1;
}

void ChunkNames::grow() {
  slots_.assign(std::max(fewest_chunk_slots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = slot_of(entries_[i].hash, i);
  }
}

void RowNames::clear() {
  used_ = 0;
  if (++row_ != 0) return;
  std::fill(slots_.begin(), slots_.end(), Slot());
  row_ = 1;
}

void RowNames::expect(std::size_t count) {
  if (2 * (used_ + count) <= slots_.size()) return;
  std::vector<Slot> before(std::bit_ceil(2 * (used_ + count)));
  std::swap(before, slots_);
  for (const Slot& slot : before) {
    if (slot.row == row_) slot_of(slot.name) = slot;
  }
}

RowNames::Slot& RowNames::slot_of(std::uint32_t name) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = (name * 0x9e3779b1U >> 7) & mask;; at = (at + 1) & mask) {
    if (slots_[at].row != row_ || slots_[at].name == name) return slots_[at];
  }
}

std::uint32_t RowNames::find_or_insert(std::uint32_t name, std::uint32_t place) {
  Slot& slot = slot_of(name);
  if (slot.row == row_) return slot.place;
  slot = {row_, name, place};
  ++used_;
  return none;
}

}  // namespace halfspace::stream
