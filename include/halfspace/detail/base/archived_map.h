// A map as part of a state.
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace halfspace {

// Describes a map to an archive (base/fields/archive.h) as the list of its entries, in their order: each(entry, number)
// describes one, of at least so many bytes. `check`: of their count.
template <class Archive, class Map, class Check, class Each>
void describe_map(Archive& archive, const char* name, Map& map, std::uint64_t least_bytes, const Check& check,
                  const Each& each) {
  std::vector<std::pair<typename Map::key_type, typename Map::mapped_type>> entries(map.begin(), map.end());
  if constexpr (Archive::reads) {
    archive.list(name, entries, least_bytes, check, each);
    map = Map(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
  } else {
    archive.list(name, std::as_const(entries), least_bytes, check, each);
  }
}

}  // namespace halfspace
