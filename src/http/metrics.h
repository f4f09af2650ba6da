// Counts of requests and their times, as Prometheus reads them.
//
// Thread-safety: any thread may count and print.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "service/routes.h"

namespace halfspace::http {

// Append a figure to the text of /metrics.
void add_counter(std::string& text, const char* name, const char* help, std::uint64_t value);
void add_gauge(std::string& text, const char* name, const char* help, double value);

class RequestMetrics {
 public:
  // `path`: of the request; its first folder is the route, if it is one of service::route_names.
  void count(std::string_view path, int status, double seconds) noexcept;
  // Returns the text of /metrics (format version 0.0.4) about requests.
  std::string text(unsigned connections) const;

 private:
  static constexpr std::size_t others = service::route_names.size();  // the number of what is none of these
  static constexpr std::array<double, 12> bounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                                 0.01,   0.025,   0.05,   0.1,   0.5,    2.5};
  static constexpr std::size_t statuses = 600;

  static std::size_t route_of(std::string_view path) noexcept;

  std::array<std::array<std::atomic<std::uint64_t>, statuses>, others + 1> requests_{};
  std::array<std::atomic<std::uint64_t>, bounds.size() + 1> times_{};  // by the least bound that is not exceeded
  std::atomic<std::uint64_t> nanoseconds_{0};
};

}  // namespace halfspace::http
