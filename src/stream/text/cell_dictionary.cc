// Maps the categories of one column within a chunk to provisional numbers.
#include "stream/text/cell_dictionary.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/utf8.h"
#include "stream/text/text.h"

namespace halfspace::stream {

void CellDictionary::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint64_t CellDictionary::hash(std::uint32_t column, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), column);
}

CellDictionary::Found CellDictionary::find_or_insert(std::uint32_t column, std::string_view text) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = CellDictionary::hash(column, text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      const auto number = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({hash, column, text, valid_utf8(text)});
      slots_[slot] = number + 1;
      return {number, true};
    }
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && entry.column == column && entry.text == text) return {slots_[slot] - 1, false};
  }
}

void CellDictionary::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace halfspace::stream
