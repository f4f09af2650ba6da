// The features of one action of a choice.
#pragma once

#include <cstdint>
#include <vector>

namespace halfspace {

struct ActionRow {
  std::vector<std::uint32_t> index;  // distinct
  std::vector<double> value;
  bool operator==(const ActionRow&) const = default;
};

}  // namespace halfspace
