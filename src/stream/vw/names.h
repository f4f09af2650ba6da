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

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"
#include "stream/names/known_names.h"

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
void know_vw_names(const Schema& schema, KnownNames& known, bool grow);

// Rules about the namespaces of Vowpal Wabbit text: which are multiplied, and which are left out.
//
// A rule names one namespace, or, as `|u`, all whose names begin with u: no name contains a bar. A schema stores rules
// as columns: a product `user:item` or `|u:|i:word`, a name that no namespace can have; an ignored namespace as a dropped
// column; of those that alone are read each as a column, followed by a dropped column `|`, all others.
//
// Thread-safety: value types and pure functions.

// Returns whether a rule applies to a namespace.
bool is_of_namespaces(std::string_view rule, std::string_view space);

// Two or three factors: each feature of the first multiplied by each of the second, and so on.
struct VwProduct {
  std::string name;
  std::vector<std::string> factors;

  // Returns whether it multiplies two namespaces by name, so that each of their features is at most one factor's.
  bool of_two_names() const;
  bool operator==(const VwProduct&) const = default;
};

struct VwNamespaces {
  std::vector<VwProduct> products;
  std::vector<std::string> ignored;
  std::vector<std::string> only;
  bool only_these = false;  // namespaces outside `only` are left out

  bool leave_out(std::string_view space) const;

  bool operator==(const VwNamespaces&) const = default;
};

// Returns the rules that a schema stores.
VwNamespaces namespaces_of(const Schema& schema);

// Adds the rules of the options to a new schema. Throws Error(usage) for a rule that is malformed or contradicts another.
void declare_namespaces(const ReadOptions& options, Schema& schema);

// Throws Error(usage) for rules of the options that a model lacks.
void check_namespaces(const ReadOptions& options, const VwNamespaces& model);

// Returns rules as text: 'user', 'item' and 'word'.
std::string list_of_namespaces(const std::vector<std::string>& rules);

}  // namespace halfspace::stream
