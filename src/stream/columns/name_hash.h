// The hash of names: of categories, tokens and features of Vowpal Wabbit text.
//
// It is seeded by a random number of the process, so that nobody can write names that collide; no result depends on it.
//
// The features of hashed names (HashedNames) come from hashes with a fixed seed instead.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace halfspace::stream {

// Returns the seed of a column, or the process's of none.
std::uint64_t seed_of_names(std::uint32_t column = 0);

// Returns the hash of a name under the seed of its column.
std::uint64_t hash_of_name(std::string_view name, std::uint64_t seed);

// Returns the hash of a pair of names under the seed of its column.
std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second, std::uint64_t seed);

// Returns the seed of a column whose names are hashed to features: XXH3-64 of the column's name with the seed 1. It is
// part of the meaning of models (docs/formats/model.md) and never changes; nor does hash_of_name under it.
std::uint64_t seed_of_hashed(std::string_view column);

// Returns the hash of a product of hashed names: XXH3-64 of their hashes, 8 bytes each, the least significant first.
// At most three.
std::uint64_t hash_of_hashes(std::span<const std::uint64_t> hashes, std::uint64_t seed);

}  // namespace halfspace::stream
