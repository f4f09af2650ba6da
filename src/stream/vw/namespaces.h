// Rules about the namespaces of Vowpal Wabbit text: which are multiplied, and which are left out.
//
// A rule names one namespace, or, as `|u`, all whose names begin with u: no name contains a bar. A schema stores rules
// as columns: a product `user:item` or `|u:|i:word`, a name that no namespace can have; an ignored namespace as a dropped
// column; of those that alone are read each as a column, followed by a dropped column `|`, all others.
//
// Thread-safety: value types and pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

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
