// The hash of names: of categories, tokens and features of Vowpal Wabbit text.
//
// It is seeded by a random number of the process, so that nobody can write names that collide; no result depends on it.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace halfspace::stream {

// Returns the seed of a column, or the process's of none.
std::uint64_t seed_of_names(std::uint32_t column = 0);

// Returns the hash of a name under the seed of its column.
std::uint64_t hash_of_name(std::string_view name, std::uint64_t seed);

// Returns the hash of a pair of names under the seed of its column.
std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second, std::uint64_t seed);

}  // namespace halfspace::stream
