// The hash of names.
#include "stream/columns/name_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
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

std::uint64_t seed_of_hashed(std::string_view column) {
  return hash_of_name(column, 1);
}

std::uint64_t hash_of_hashes(std::span<const std::uint64_t> hashes, std::uint64_t seed) {
  std::array<unsigned char, 24> bytes;
  std::size_t size = 0;
  for (const std::uint64_t hash : hashes) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes[size++] = static_cast<unsigned char>(hash >> shift);
  }
  return XXH3_64bits_withSeed(bytes.data(), size, seed);
}

}  // namespace halfspace::stream
