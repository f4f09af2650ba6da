// Makes the checksums of a cache right again after its bytes were changed, so that what stands behind them is reached.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/cache/cache.h"

namespace halfspace::testing {

inline void put(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
inline std::uint64_t get(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The checksum in the trailer, as far as the trailer points into the file.
inline void mend_trailer(std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t head = 64, trailer = 32;
  if (bytes.size() < head + trailer) return;
  const std::size_t end = bytes.size() - trailer;
  const std::uint64_t at = get(bytes, end), size = get(bytes, end + 8);
  if (at > end || size > end - at) return;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, bytes.data(), head);
  XXH3_128bits_update(&state, bytes.data() + at, size);
  XXH3_128bits_update(&state, bytes.data() + end, 16);
  const XXH128_hash_t sum = XXH3_128bits_digest(&state);
  put(bytes, end + 16, sum.low64);
  put(bytes, end + 24, sum.high64);
}

// Those of the blocks too. `open` makes a Cache of the bytes. Returns whether the index could be read.
template <class Open>
bool mend_all(std::vector<std::uint8_t>& bytes, const Open& open) {
  mend_trailer(bytes);
  try {
    const auto cache = open(bytes);
    const std::size_t index = get(bytes, bytes.size() - 32);
    for (std::size_t b = 0; b < cache->blocks(); ++b) {
      const stream::CachedBlock& entry = cache->entry(b);
      const std::uint64_t sum = XXH3_64bits(bytes.data() + entry.at, stream::bytes_of(entry));
      for (std::size_t at = index; at + 8 <= bytes.size() - 32; ++at) {
        if (get(bytes, at) == entry.checksum) put(bytes, at, sum);
      }
    }
  } catch (const Error&) {
    return false;
  }
  mend_trailer(bytes);
  return true;
}

}  // namespace halfspace::testing
