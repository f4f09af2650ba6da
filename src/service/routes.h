// The requests that the service has: what may be asked of which path, and by which names in the query.
//
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "service/answers.h"

namespace halfspace::service {

// The first folders of the paths.
inline constexpr std::array<std::string_view, 10> route_names{"predict", "learn",  "truth",   "row",    "model",
                                                              "ledger",  "schema", "healthz", "readyz", "metrics"};

// Returns the answer to a request that the service does not have: 404 for an unknown path, 405 for another method, 400
// for a name in the query that means nothing there, which could be a misspelled id; nothing for others.
std::optional<Answer> refuse_target(const Request& request);

}  // namespace halfspace::service
