// The tables of requests.
#include "service/routes.h"

#include <algorithm>
#include <string>
#include <vector>

namespace halfspace::service {
namespace {

bool is_at(const Route& route, std::string_view path) {
  if (const std::size_t star = route.path.find('*'); star != std::string_view::npos) {
    const std::string_view before = route.path.substr(0, star), after = route.path.substr(star + 1);
    return path.size() > before.size() + after.size() && path.starts_with(before) && path.ends_with(after);
  }
  if (route.path == "/" || !route.path.ends_with('/')) return path == route.path;
  return path.starts_with(route.path) && path.size() > route.path.size();
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::optional<Answer> refuse_query(const Route& route, const Request& request) {
  for (const auto& [name, value] : request.query) {
    if (std::find(route.names.begin(), route.names.end(), name) == route.names.end())
      return refusal(
          400, "the query has the unknown name " + name,
          route.names.empty() ? "send the request without a query" : "the names in a query are " + listed(route.names));
  }
  if (const auto id = request.query.find("id"); id != request.query.end() && id->second.empty())
    return refusal(400, "the id is empty", "give each row an id of its own");
  const bool numbered = request.query.contains("sequence") || request.query.contains("source");
  if (route.path == "/predict" && numbered && !request.query.contains("id"))
    return refusal(400, "a prediction without an id has no sequence", "leave the sequence out, or give the row an id");
  return std::nullopt;
}

// Returns what there is besides the pages of every service.
std::string shown(std::span<const Route> routes) {
  std::string text;
  for (const Route& route : routes) {
    if (route.path == "/healthz") break;
    text.append(text.empty() ? "" : ", ").append(route.method).append(" ").append(route.path);
  }
  return text;
}

}  // namespace

std::span<const Route> learner_routes() {
  static const std::vector<Route> table{
      {"/predict", "POST", {"id", "sequence", "source", "reasons"}},
      {"/learn", "POST", {"id", "sequence", "source"}},
      {"/truth", "POST", {"id", "sequence", "source"}},
      {"/row/", "DELETE", {}},
      {"/model", "GET", {}},
      {"/model", "PUT", {}},
      {"/ledger", "GET", {}},
      {"/schema", "GET", {}},
      {"/", "GET", {}},
      {"/healthz", "GET", {}},
      {"/readyz", "GET", {}},
      {"/metrics", "GET", {}},
  };
  return table;
}

std::span<const Route> chooser_routes() {
  static const std::vector<Route> table{
      {"/rank", "POST", {}},
      {"/events/*/reward", "POST", {}},
      {"/events/*/activate", "POST", {}},
      {"/run", "PUT", {}},
      {"/policies", "GET", {}},
      {"/ledger", "GET", {}},
      {"/settings", "GET", {}},
      {"/", "GET", {}},
      {"/healthz", "GET", {}},
      {"/readyz", "GET", {}},
      {"/metrics", "GET", {}},
  };
  return table;
}

std::optional<Answer> refuse_target(const Request& request, std::span<const Route> routes) {
  std::string allowed;
  for (const Route& route : routes) {
    if (!is_at(route, request.path)) continue;
    if (route.method == request.method) return refuse_query(route, request);
    allowed.append(allowed.empty() ? "" : ", ").append(route.method == "GET" ? "GET, HEAD" : route.method);
  }
  if (allowed.empty()) return refusal(404, "there is nothing at " + request.path, "there are " + shown(routes));
  Answer answer = refusal(405, "nothing is there to " + request.method, "send " + allowed);
  answer.allow = std::move(allowed);
  return answer;
}

}  // namespace halfspace::service
