// Names while a chunk is parsed.
#include "stream/columns/chunk_names.h"

#include <algorithm>

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

}  // namespace halfspace::stream
