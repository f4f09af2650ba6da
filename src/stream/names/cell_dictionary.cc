// Maps the categories of one column within a chunk to provisional numbers.
#include "stream/names/cell_dictionary.h"

#include <algorithm>

#include "base/utf8.h"
#include "stream/names/known_names.h"
#include "stream/text/text.h"

namespace halfspace::stream {

void CellDictionary::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint64_t CellDictionary::hash(std::uint32_t column, std::string_view text) {
  return hash_of_name(text, seed_of_names(column));
}

CellDictionary::Found CellDictionary::find_or_insert(std::uint32_t column, std::string_view text) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = CellDictionary::hash(column, text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint64_t taken = slots_[slot];
    if (taken == 0) {
      const auto number = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({hash, column, text, valid_utf8(text)});
      slots_[slot] = hash >> 32 << 32 | (number + 1);
      return {number, true};
    }
    if (taken >> 32 != hash >> 32) continue;
    const auto number = static_cast<std::uint32_t>(taken) - 1;
    const Entry& entry = entries_[number];
    if (entry.column == column && entry.text == text) return {number, false};
  }
}

void CellDictionary::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = entries_[i].hash >> 32 << 32 | (i + 1);
  }
}

}  // namespace halfspace::stream
