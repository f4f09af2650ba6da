// What the commands that serve over HTTP have in common: addresses, tokens and limits, and the service's life from its
// socket to its last answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "http/application.h"
#include "http/listening_socket.h"

namespace halfspace::cli {

struct ServiceFlags {
  std::string log, address = "127.0.0.1", socket, token_file, token_for = "changes", access_log;
  std::vector<std::string> hosts;
  std::uint32_t port = 8080, threads = 1, connections = 1000, idle = 30;
  std::uint64_t body = std::uint64_t{16} << 20, bodies = std::uint64_t{256} << 20, waiting = 1000;
  std::uint64_t snapshot = 1'000'000;
  bool any_address = false, any_host = false, socket_group = false;
};

std::vector<Row> address_rows(ServiceFlags& flags);
std::vector<Row> service_limit_rows(ServiceFlags& flags);

class Service {
 public:
  // Opens the socket: before the log, so that a wrong address is noticed at once. Throws Error(usage).
  Service(const ServiceFlags& flags, const Given& given);

  // Serves until a signal. `hint`: what may be asked. `read_only`: what to print if the disk fails: what goes on.
  void run(http::Application& application, const std::string& hint, const std::string& read_only);
  // Prints a warning about the log.
  void warn(std::string_view text) const;

 private:
  const ServiceFlags& flags_;
  std::string manager_, token_;
  std::optional<http::ListeningSocket> socket_;
};

}  // namespace halfspace::cli
