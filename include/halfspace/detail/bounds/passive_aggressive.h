// The bounds of passive-aggressive learning, which several rules share: theorems in rules/passive_aggressive.h.
#pragma once

#include <cstdint>
#include <string>

#include "halfspace/detail/bounds/bound_search.h"

namespace halfspace {

enum class Aggression : std::uint8_t { full = 0, capped = 1, softened = 2 };  // PA, PA-I, PA-II

// Offers the theorem of the variant with aggressiveness C. `norm_factor`: 2 for two vectors moved at once (Kesler);
// `suffix`: of the theorem's name.
void offer_passive_aggressive(BoundSearch& search, Aggression variant, double aggressiveness, double norm_factor = 1,
                              const std::string& suffix = "");

}  // namespace halfspace
