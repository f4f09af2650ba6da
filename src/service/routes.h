// The requests that services have: what may be asked of which path, and by which names in the query.
//
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "service/answers.h"

namespace halfspace::service {

// The first folders of the paths.
inline constexpr std::array<std::string_view, 16> route_names{
    "predict", "learn",   "truth", "row",    "model",    "ledger", "schema",   "healthz",
    "readyz",  "metrics", "rank",  "events", "policies", "run",    "settings", "personalizer"};

struct Route {
  std::string_view path;  // ending in '/': an id follows, but for the root; with '*' in the middle: an id is there
  std::string_view method;
  std::vector<std::string_view> names;  // in the query
};
std::span<const Route> learner_routes();
std::span<const Route> chooser_routes();

// Returns the answer to a request that the service does not have: 404 for an unknown path, 405 for another method, 400
// for a name in the query that means nothing there, which could be a misspelled id; nothing for others.
std::optional<Answer> refuse_target(const Request& request, std::span<const Route> routes);

}  // namespace halfspace::service
