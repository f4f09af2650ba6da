// Sockets, tokens and limits of services.
#include "cli/service_flags.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/printable.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "http/front.h"
#include "http/server.h"
#include "http/service_manager.h"

namespace halfspace::cli {
namespace {

constexpr int inherited_descriptor = 3;     // the first that systemd passes
constexpr unsigned other_descriptors = 64;  // of files, and of the HTTP server itself
constexpr double patience = 5;              // seconds for clients to take the last answers
constexpr double check_seconds = 5;         // for an answer of the service to itself
constexpr std::size_t least_token = 16, most_token = 512;

std::string environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::optional<std::uint64_t> number_in(const char* name) {
  const std::string text = environment(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string token_in(const std::string& path) {
  if (path.empty()) return {};
  std::string token = whole_file(path, &interrupted(), most_token + 2);
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  const bool printable_text =
      std::all_of(token.begin(), token.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
  if (token.size() < least_token || token.size() > most_token || !printable_text)
    throw Error(ErrorKind::usage, fmt::format("a token is one line of {} to {} printable ASCII characters, no blanks",
                                              least_token, most_token))
        .at(path)
        .fix("make one: head -c 32 /dev/urandom | base64 > " + printable(path));
  return token;
}

http::ListeningSocket listening_socket(const ServiceFlags& flags, const Given& given) {
  if (number_in("LISTEN_PID") == static_cast<std::uint64_t>(::getpid())) {
    if (number_in("LISTEN_FDS") != 1)
      throw Error(ErrorKind::usage, "the service listens on one socket").fix("give the socket unit one ListenStream=");
    if (given("socket") || given("port") || given("address"))
      throw Error(ErrorKind::usage, "systemd has opened the socket already")
          .fix("leave out --address, --port and --socket");
    return http::ListeningSocket::inherited(inherited_descriptor);
  }
  if (!flags.socket.empty()) return http::ListeningSocket::at_path(flags.socket, flags.socket_group);
  return http::ListeningSocket::tcp(flags.address, static_cast<std::uint16_t>(flags.port), flags.any_address);
}

// Raises the limit on open files to what the connections need, as far as the system lets it.
void allow_connections(std::uint64_t connections) {
  rlimit limit{};
  const ::rlim_t needed = connections + other_descriptors;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  limit.rlim_cur = std::min(needed, limit.rlim_max);
  if (limit.rlim_cur < needed || ::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    throw Error(ErrorKind::usage, fmt::format("{} connections need {} open files, and {} are allowed", connections,
                                              needed, limit.rlim_max))
        .fix("lower --connections, or raise the limit (ulimit -n, LimitNOFILE=)");
}

}  // namespace

std::vector<Row> address_rows(ServiceFlags& flags) {
  return {
      usually("8080",
              {"--port", "N", "the TCP port; 0: a free one (default 8080)", &flags.port, takes::between(0, 65535)}),
      usually("127.0.0.1",
              {"--address", "ADDRESS", "the address in digits: 127.0.0.1 (default), ::1 or another", &flags.address}),
      needs("address", {"--any-address", "", "allow an address that other machines reach; needs --token-file",
                        &flags.any_address}),
      idle_with("port", idle_with("address",
                                  {"--socket", "PATH", "listen on a Unix socket, removed at the end", &flags.socket})),
      needs("socket",
            {"--socket-group", "", "let the members of the process's group use the socket, too", &flags.socket_group}),
      idle_with("any-host", {"--host", "NAME,...",
                             "names by which clients may call the service, besides its address and localhost; others: "
                             "status 421",
                             &flags.hosts, commas()}),
      {"--any-host", "", "let clients call it by any name, also pages of other sites in a browser", &flags.any_host},
      {"--token-file", "FILE", "changes of the model need the token in this file: Authorization: Bearer TOKEN",
       &flags.token_file, input_file()},
      needs("token-file", usually("changes", {"--token-for", "WHAT", "what the token is needed for", &flags.token_for,
                                              one_of({{"changes", "what changes the model (default)"},
                                                      {"all", "everything but /healthz, /readyz and /metrics"}})})),
      {"--access-log", "FILE", "append a line of JSON for each request; - is standard error", &flags.access_log,
       growing_file_or("-")},
  };
}

std::vector<Row> service_limit_rows(ServiceFlags& flags) {
  return {
      {"--threads", "N", "threads that parse and predict; one more learns (default 1)", &flags.threads,
       takes::between(1, 64)},
      {"--connections", "N", "open connections; later ones wait (default 1000)", &flags.connections,
       takes::between(1, 100'000)},
      {"--idle", "SECONDS",
       "close a connection without traffic, or whose request has no whole head, for so long (default 30)", &flags.idle,
       takes::between(1, 86'400)},
      {"--body", "SIZE", "the longest body of a request; longer: status 413 (default 16M)", &flags.body, size()},
      {"--bodies", "SIZE", "all bodies in memory; more: status 503 (default 256M)", &flags.bodies, size()},
      {"--waiting", "N", "requests that may wait for the learner; more: status 429 (default 1000)", &flags.waiting,
       takes::between(1, 1'000'000)},
      {"--snapshot", "N", "events between two snapshots of the state (default 1000000)", &flags.snapshot,
       takes::between(1, 1e15)},
  };
}

Service::Service(const ServiceFlags& flags, const Given& given)
    : flags_(flags), manager_(environment("NOTIFY_SOCKET")), token_(token_in(flags.token_file)) {
  if (flags_.any_address && token_.empty())
    throw Error(ErrorKind::usage, "--any-address lets every machine that reaches this one change the model")
        .fix("add --token-file FILE");
  allow_connections(flags_.connections);
  socket_.emplace(listening_socket(flags_, given));
}

void Service::warn(std::string_view text) const {
  print_message(fmt::format("{} {}: {}\n", bold("warning:", false), printable(flags_.log), text));
}

void Service::run(http::Application& application, const std::string& hint, const std::string& read_only) {
  const std::string address = socket_->address();
  // No browser reaches a Unix socket.
  http::Front front(application,
                    {.token = token_,
                     .token_for_all = flags_.token_for == "all",
                     .hosts = address.empty() || flags_.any_host ? http::Hosts() : http::Hosts(address, flags_.hosts),
                     .access_log = flags_.access_log});
  http::HttpServer server({.threads = flags_.threads,
                           .most_connections = flags_.connections,
                           .most_body = flags_.body,
                           .most_bodies = flags_.bodies,
                           .idle_seconds = flags_.idle,
                           .most_of_address = flags_.any_address ? std::max(flags_.connections / 2, 1U) : 0},
                          *socket_, front);
  print_message(fmt::format("listening on {}, {}\n", socket_->name(), hint));
  http::tell_manager(manager_, "READY=1");
  const double every = static_cast<double>(number_in("WATCHDOG_USEC").value_or(0)) * 1e-6 / 3;
  bool was_writable = true, had_snapshots = true;
  for (Clock::time_point last = Clock::now(); !interrupted();) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    front.set_connections(server.connections());
    if (std::exchange(was_writable, application.writable()) && !was_writable)
      warn("the disk failed, and may not have what was sent to it: " + read_only);
    if (std::exchange(had_snapshots, !application.snapshot_failed()) && !had_snapshots)
      warn(
          "a snapshot could not be written: the log has everything, and is read from the one before at the next "
          "start. The next commit tries again");
    if (every <= 0 || seconds_since(last) < every) continue;
    // A service with as many clients as it may have cannot take its own.
    if (server.full() || socket_->answers(std::min(check_seconds, every))) http::tell_manager(manager_, "WATCHDOG=1");
    last = Clock::now();
  }
  http::tell_manager(manager_, "STOPPING=1");
  front.stop();
  server.refuse_connections();
  socket_.reset();
  application.finish();
  server.stop(patience);
}

}  // namespace halfspace::cli
