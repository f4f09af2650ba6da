// The sums that deviations of features come from, as fields of an archive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/fields/checks.h"
#include "halfspace/detail/train/feature_spread.h"

namespace halfspace::fields {

// `known`: the features of the data.
template <class A, class S>
void describe_spread(A& archive, S& spread, std::uint32_t known) {
  archive.value("rows", spread.rows, anything);
  archive.value("weight", spread.weight, sum_of_positives);
  archive.list("features", spread.features, 32,
               at_most(std::min(known, FeatureSpread::most_features), "the features known here"),
               [&](auto& sums, std::uint64_t) {
                 archive.value("first", sums.first, finite);
                 archive.value("weight", sums.weight, not_negative);
                 archive.value("values", sums.values, finite);
                 archive.value("squares", sums.squares, not_negative);
               });
}

}  // namespace halfspace::fields
