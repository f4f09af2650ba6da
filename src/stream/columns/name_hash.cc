// The hash of names.
#include "stream/columns/name_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <exception>
#include <random>

namespace halfspace::stream {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

std::uint64_t random_seed() {
  try {
    std::random_device draw;
    return std::uint64_t{draw()} << 32 | draw();
  } catch (const std::exception&) {
    return golden;  // a system without random numbers: collisions cost time and nothing else
  }
}

}  // namespace

std::uint64_t seed_of_names(std::uint32_t column) {
  static const std::uint64_t seed = random_seed();
  return seed + column * golden;
}

std::uint64_t hash_of_name(std::string_view name, std::uint64_t seed) {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second, std::uint64_t seed) {
  return XXH3_avalanche(XXH3_mul128_fold64(first ^ seed, second + golden) ^ first);
}

}  // namespace halfspace::stream
