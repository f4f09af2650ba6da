// Maps names to features by open addressing.
#include "stream/columns/known_names.h"

#include <algorithm>
#include <utility>

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_known_slots = 1024;

}  // namespace

std::uint32_t KnownNames::find(const Schema& schema, std::uint32_t column, std::uint64_t hash,
                               std::string_view text) const {
  if (slots_.empty()) return Column::no_feature;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].column != Column::no_feature; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash != hash || slot.column != column) continue;
    const Column& names = schema.columns[column];
    if (names.categories[slot.place] == text) return names.features[slot.place];
  }
  return Column::no_feature;
}

void KnownNames::insert(std::uint32_t column, std::uint32_t place, std::uint64_t hash) {
  if (2 * (used_ + 1) > slots_.size()) {
    std::vector<Slot> before(std::max(fewest_known_slots, slots_.size() * 2), {0, Column::no_feature, 0});
    std::swap(before, slots_);
    for (const Slot& slot : before) {
      if (slot.column != Column::no_feature) put(slot);
    }
  }
  put({hash, column, place});
  ++used_;
}

void KnownNames::put(const Slot& slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = slot.hash & mask;
  while (slots_[at].column != Column::no_feature) at = (at + 1) & mask;
  slots_[at] = slot;
}

}  // namespace halfspace::stream
