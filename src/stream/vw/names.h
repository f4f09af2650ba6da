// The feature names of Vowpal Wabbit text: their hashes, and those that are whole numbers.
//
// Thread-safety: one thread per object, except for SpaceColumns; constant members are safe. Cost O(1) a name.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/schema.h"
#include "stream/columns/known_names.h"
#include "stream/columns/name_hash.h"

namespace halfspace::stream {

// Returns the seed of the hashes of a namespace's names.
std::uint64_t seed_of_space(std::string_view space);

// The columns of namespaces, for all threads.
class SpaceColumns {
 public:
  // Returns the namespace's column, or Column::no_feature.
  std::uint32_t find(std::string_view space) const;
  void insert(std::string_view space, std::uint32_t column);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> columns_;
};

// The features of names in one column that are canonical whole numbers, in a table by number. It may lack numbers that
// are large for how many there are.
class IntegerNames {
 public:
  // Returns the number that a name of at most 8 digits is.
  static std::optional<std::uint32_t> integer(std::string_view name);

  // Returns features by number: no_feature if the table lacks it.
  std::span<const std::uint32_t> features() const { return features_; }
  // Adds the column's names since the last call.
  void take(const Column& column);

 private:
  std::vector<std::uint32_t> features_;  // by number
  std::size_t taken_ = 0;                // names of the column
  std::size_t integers_ = 0;             // among them
  std::uint32_t greatest_ = 0;
};

// Adds the names of all columns of a schema, which are namespaces.
void know_vw_names(const Schema& schema, KnownNames& known);

}  // namespace halfspace::stream
