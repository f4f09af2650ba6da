// The feature names of Vowpal Wabbit text: their hashes, and those that are whole numbers or products.
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

// Two namespaces, each feature of one multiplied by each of the other: the namespace `first:second`, a name that no
// other can have.
//
// A product is a pair of names: its hash is made of theirs, and its own name, `first^x*second^y`, only when it becomes
// a feature.
class VwPair {
 public:
  explicit VwPair(std::string_view name);

  // A product of two names, to be looked up; `column` is set by the caller.
  struct Key {
    const VwPair* pair;
    std::uint64_t hash;
    std::uint32_t column;
    std::string_view first, second;
    bool is(std::string_view stored) const;
    std::string name() const;
  };

  const std::string& name() const { return name_; }
  std::string_view first() const { return first_; }
  std::string_view second() const { return second_; }
  Key key(std::string_view first, std::uint64_t first_hash, std::string_view second, std::uint64_t second_hash) const;
  // Returns the hash of a product's name, which is that of its key.
  std::uint64_t hash(std::string_view product) const;

 private:
  std::string name_, first_, second_;
  std::string prefix_, separator_;  // of the names of products: before each of the two
  std::uint64_t seed_, first_seed_, second_seed_;
};

// Returns whether a column is that of a pair: not a namespace, nor another product.
bool is_vw_pair(std::string_view space);

// The hash of the names in one namespace, which may be that of a pair.
class VwNameHash {
 public:
  explicit VwNameHash(std::string_view space);
  std::uint64_t operator()(std::string_view name) const {
    return pair_ ? pair_->hash(name) : hash_of_name(name, seed_);
  }

 private:
  std::uint64_t seed_;
  std::optional<VwPair> pair_;
};

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
