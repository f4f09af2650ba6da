// The result of a mixed run as JSON, for every interface.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "base/json.h"
#include "halfspace/mixing/mixing.h"

namespace halfspace::mixing {

// Returns shards, epochs, the ledger by epoch and shard, training errors and the bound.
Json result_json(const ShardPlan& plan, const MixState& state, const Model& model,
                 const std::vector<ShardMargins>& margins, const std::optional<MixBound>& bound);

}  // namespace halfspace::mixing
