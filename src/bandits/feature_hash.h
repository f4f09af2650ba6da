// Features of contexts and actions, from JSON to rows of a table of 2^bits weights.
//
// A feature's name is its path. A number is a value; a text is 1 at the name joined with the text; true is 1; false and
// null are nothing; an element of an array has its position as its name, but objects in arrays share the array's name. A row
// of an action has a constant, the features of the context, those of the action, and every product of two of these (of
// the action without features: its id stands for them). Two names that meet at one weight add up there.
//
//   hash of a path = XXH3-64 of its last part, seeded by the hash of what is before it;  index = its upper bits
//   of a product = XXH3-64 of the hash of the action's feature, seeded by that of the context's
// The order of members in the JSON makes no difference.
//
// Thread-safety: one thread each. Cost: O(features + products) an action, sorted.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"

namespace simdjson::dom {
class element;
}

namespace halfspace::bandits {

struct HashedFeature {
  std::uint64_t hash;
  double value;
};
using HashedFeatures = std::vector<HashedFeature>;

// The beginnings of paths.
inline constexpr std::uint64_t of_context = 0x9e3779b97f4a7c15, of_action = 0xd1b54a32d192ed03;

std::uint64_t extend(std::uint64_t hash, std::string_view part);

// Adds the features of a JSON value at this path, and leaves out members whose names begin with '_', but for `_text`, whose
// words are features. Throws Error(data) for a number beyond 1e15, which no table of weights can use.
void add_features(const simdjson::dom::element& json, std::uint64_t path, HashedFeatures& features);

class ActionRows {
 public:
  explicit ActionRows(unsigned bits, bool products = true) : bits_(bits), products_(products) {}

  void begin(const HashedFeatures& context);
  void add(const HashedFeatures& action);
  // Valid until the next begin().
  Block finish();

 private:
  std::uint32_t index_of(std::uint64_t hash) const;

  unsigned bits_;
  bool products_;
  const HashedFeatures* context_ = nullptr;
  std::vector<std::pair<std::uint32_t, double>> row_;
  BlockBuffer rows_;
};

}  // namespace halfspace::bandits
