// The text format of Prometheus.
#include "http/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace halfspace::http {
namespace {

void add_metric(std::string& text, const char* type, const char* name, const char* help, const std::string& value) {
  text +=
      fmt::format("# HELP halfspace_{0} {1}\n# TYPE halfspace_{0} {2}\nhalfspace_{0} {3}\n", name, help, type, value);
}

}  // namespace

void add_counter(std::string& text, const char* name, const char* help, std::uint64_t value) {
  add_metric(text, "counter", name, help, fmt::format("{}", value));
}

void add_gauge(std::string& text, const char* name, const char* help, double value) {
  add_metric(text, "gauge", name, help, fmt::format("{}", value));
}

std::size_t RequestMetrics::route_of(std::string_view path) noexcept {
  if (path.starts_with('/')) path.remove_prefix(1);
  path = path.substr(0, path.find('/'));
  const auto& names = service::route_names;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), path) - names.begin());
}

void RequestMetrics::count(std::string_view path, int status, double seconds) noexcept {
  const auto code = std::min(static_cast<std::size_t>(std::max(status, 0)), statuses - 1);
  requests_[route_of(path)][code].fetch_add(1, std::memory_order_relaxed);
  const auto* const bound = std::lower_bound(bounds.begin(), bounds.end(), seconds);
  times_[static_cast<std::size_t>(bound - bounds.begin())].fetch_add(1, std::memory_order_relaxed);
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(seconds * 1e9), std::memory_order_relaxed);
}

std::string RequestMetrics::text(unsigned connections) const {
  std::string text = "# HELP halfspace_requests_total Requests answered.\n# TYPE halfspace_requests_total counter\n";
  for (std::size_t route = 0; route <= others; ++route) {
    const std::string_view name = route == others ? "other" : service::route_names[route];
    for (std::size_t status = 0; status < statuses; ++status) {
      const std::uint64_t count = requests_[route][status];
      if (count > 0)
        text += fmt::format("halfspace_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", name, status, count);
    }
  }
  const char* const times = "halfspace_request_seconds";
  text += fmt::format("# HELP {0} From the request line to the answer.\n# TYPE {0} histogram\n", times);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    count += times_[i];
    const std::string bound = i < bounds.size() ? fmt::format("{}", bounds[i]) : "+Inf";
    text += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", times, bound, count);
  }
  text += fmt::format("{0}_sum {1}\n{0}_count {2}\n", times, static_cast<double>(nanoseconds_) * 1e-9, count);
  add_gauge(text, "connections", "Open connections.", connections);
  return text;
}

}  // namespace halfspace::http
