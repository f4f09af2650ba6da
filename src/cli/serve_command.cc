// halfspace serve: a model that predicts and learns over HTTP.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log/log_rows.h"
#include "base/log/storage.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/request_lines.h"
#include "cli/serve_begin.h"
#include "cli/serve_lines.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "http/front.h"
#include "http/learner_thread.h"
#include "http/listening_socket.h"
#include "http/server.h"
#include "http/service_manager.h"
#include "service/live_learner.h"

namespace halfspace::cli {
namespace {

struct ServeFlags {
  std::string model, log, ingest, address = "127.0.0.1", socket, token_file, token_for = "changes", access_log;
  std::vector<std::string> hosts;
  std::uint32_t port = 8080, threads = 1, connections = 1000, idle = 30;
  std::uint64_t body = std::uint64_t{16} << 20, bodies = std::uint64_t{256} << 20, waiting = 1000, publish = 100;
  std::uint64_t ids = 1'000'000, snapshot = 1'000'000;
  std::uint64_t state_memory = std::uint64_t{128} << 20, ids_memory = std::uint64_t{256} << 20;
  bool any_address = false, any_host = false, socket_group = false;
  BeginFlags begin;
  SequenceFields fields;
};

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

http::ListeningSocket listening_socket(const ServeFlags& flags, const Given& given) {
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

class ServeCommand {
 public:
  ServeCommand(const ServeFlags& flags, const Given& given)
      : flags_(flags), manager_(environment("NOTIFY_SOCKET")), token_(token_in(flags.token_file)) {
    if (flags_.any_address && token_.empty())
      throw Error(ErrorKind::usage, "--any-address lets every machine that reaches this one change the model")
          .fix("add --token-file FILE");
    if (!flags_.ingest.empty()) return;
    allow_connections(flags_.connections);
    // Before the log is opened: a wrong address is noticed at once.
    socket_.emplace(listening_socket(flags_, given));
  }

  int run() {
    std::optional<Model> model;
    if (!flags_.model.empty()) model = load_model(flags_.model, &interrupted());
    if (!flags_.begin.like.empty()) model = untrained_model(flags_.begin);
    if (!model && !log::is_log(flags_.log))
      throw Error(ErrorKind::usage, "there is no log yet")
          .at(flags_.log)
          .fix("name the model that it begins with, or --like FILE");
    const std::unique_ptr<log::Storage> storage = log::open_folder(flags_.log);
    service::LiveLearner learner(*storage, model ? &*model : nullptr,
                                 {.snapshot_events = flags_.snapshot,
                                  .most_waiting = flags_.ids,
                                  .most_waiting_bytes = flags_.ids_memory,
                                  .most_state_bytes = flags_.state_memory});
    model.reset();
    report_cut(flags_.log, learner.cut());
    report_set_aside(learner);
    report_decisions(learner);
    if (!learner.damage().empty()) warn(learner.damage() + ". Restore the file from a copy of the folder");
    if (flags_.ingest.empty())
      serve(learner);
    else
      serve_lines(flags_.ingest, learner, flags_.fields, flags_.body);
    if (flags_.ingest.empty()) count_signal_as_end();
    if (learner.writable()) learner.snapshot();
    return 0;
  }

 private:
  // What does not change with the weights.
  void report_decisions(const service::LiveLearner& learner) const {
    const Model model = learner.model();
    std::vector<std::string> kept;
    if (model.threshold) kept.push_back(fmt::format("the threshold of {}", *model.threshold));
    if (model.calibration.fitted()) kept.emplace_back("the curve of its probabilities");
    if (kept.empty()) return;
    const bool one = kept.size() == 1;
    print_message(fmt::format("{} {}{} {} while rows are learned; PUT /model renews {}\n", bold("note:", false),
                              kept[0], one ? "" : " and " + kept[1], one ? "stays" : "stay", one ? "it" : "them"));
  }

  void report_set_aside(const service::LiveLearner& learner) const {
    if (const std::uint64_t rows = learner.counts().set_aside)
      warn(counted(rows, "row") + " cannot be learned any more, since others were forgotten");
  }

  void warn(std::string_view text) const {
    print_message(fmt::format("{} {}: {}\n", bold("warning:", false), printable(flags_.log), text));
  }

  void serve(service::LiveLearner& learner) {
    http::LearnerThread thread(
        learner, {.most_waiting = flags_.waiting, .publish_seconds = static_cast<double>(flags_.publish) / 1000});
    const std::string address = socket_->address();
    // No browser reaches a Unix socket.
    http::Front front(thread,
                      {.token = token_,
                       .token_for_all = flags_.token_for == "all",
                       .hosts = address.empty() || flags_.any_host ? http::Hosts() : http::Hosts(address, flags_.hosts),
                       .access_log = flags_.access_log,
                       .prediction_threads = flags_.threads});
    http::HttpServer server({.threads = flags_.threads,
                             .most_connections = flags_.connections,
                             .most_body = flags_.body,
                             .most_bodies = flags_.bodies,
                             .idle_seconds = flags_.idle,
                             .most_of_address = flags_.any_address ? std::max(flags_.connections / 2, 1U) : 0},
                            *socket_, front);
    print_message(fmt::format("listening on {}, model version {}; POST /predict, /learn, /truth\n", socket_->name(),
                              thread.figures().version.load()));
    http::tell_manager(manager_, "READY=1");
    wait(server, front, thread.figures());
    http::tell_manager(manager_, "STOPPING=1");
    front.stop();
    server.refuse_connections();
    socket_.reset();
    thread.finish();
    server.stop(patience);
  }

  // Waits for a signal, and tells systemd's watchdog that the service answers.
  void wait(const http::HttpServer& server, http::Front& front, const http::LearnerFigures& figures) const {
    bool was_writable = true, had_snapshots = true;
    const double every = static_cast<double>(number_in("WATCHDOG_USEC").value_or(0)) * 1e-6 / 3;
    Clock::time_point last = Clock::now();
    while (!interrupted()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      front.set_connections(server.connections());
      if (std::exchange(was_writable, figures.writable) && !was_writable)
        warn(
            "the disk failed, and may not have what was sent to it: predictions go on, changes are answered 503. "
            "Restart the service to learn on");
      if (std::exchange(had_snapshots, !figures.snapshot_failed) && !had_snapshots)
        warn(
            "a snapshot could not be written: the log has everything, and is read from the one before at the next "
            "start. The next commit tries again");
      if (every <= 0 || seconds_since(last) < every) continue;
      // A service with as many clients as it may have cannot take its own.
      if (server.full() || socket_->answers(std::min(check_seconds, every))) http::tell_manager(manager_, "WATCHDOG=1");
      last = Clock::now();
    }
  }

  const ServeFlags& flags_;
  std::string manager_, token_;
  std::optional<http::ListeningSocket> socket_;
};

std::vector<Row> address_rows(ServeFlags& flags) {
  std::vector<Row> rows{
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
  for (Row& row : rows) row = idle_with("ingest", std::move(row));
  return rows;
}

std::vector<Row> limit_rows(ServeFlags& flags) {
  constexpr auto most = static_cast<double>(std::numeric_limits<std::uint32_t>::max());
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
      {"--ids", "N", "rows that may wait for their label; the oldest gives way (default 1000000)", &flags.ids,
       takes::between(1, most)},
      {"--ids-memory", "SIZE", "their ids and rows in memory; the oldest give way (default 256M)", &flags.ids_memory,
       size()},
      {"--state-memory", "SIZE",
       "memory of what is learned; rows that need more, and more than four times what the model takes at the start, "
       "are refused (default 128M)",
       &flags.state_memory, size()},
      {"--publish", "MS",
       "milliseconds between two models that predictions are made with, while rows come (default 100)", &flags.publish,
       takes::between(0, 3'600'000)},
      {"--snapshot", "N", "events between two snapshots of the state (default 1000000)", &flags.snapshot,
       takes::between(1, 1e15)},
  };
}

}  // namespace

Command serve_command() {
  auto flags = std::make_shared<ServeFlags>();
  Command command(
      "serve", "a model over HTTP: predicts, learns, forgets; survives crashes",
      {{"halfspace serve credit.model --log credit.log", "http://127.0.0.1:8080, its state in the folder credit.log"},
       {"halfspace serve --log credit.log", "the same later: the model and all it learned are in the log"},
       {"curl -d '1 3:0.5 7:1' localhost:8080/learn", "a row with its label, in the format that the model knows"},
       {"curl -d '3:0.5 7:1' 'localhost:8080/predict?id=17'", "a row whose label comes later"},
       {"curl -d 1 'localhost:8080/truth?id=17'", "the label; curl -X DELETE localhost:8080/row/17 forgets the row"},
       {"halfspace serve --like rows.csv --preset arow --log credit.log",
        "begins untrained: rows.csv only shows the columns and classes of the rows to come"},
       {"echo '{\"learn\": \"1 3:0.5 7:1\"}' | halfspace serve --log credit.log --ingest -",
        "the same requests as lines: learn, predict, truth with \"id\", forget, ledger"},
       {"halfspace serve --log credit.log --socket /run/halfspace.sock --token-file token",
        "on a Unix socket, behind a server that encrypts; changes need the token"}});
  command.common = {"help", "log", "like", "ingest", "port", "socket", "token-file"};
  command.add(
      {idle_with("like", {"MODEL", "", "the model that a new log begins with", &flags->model, input_file()}),
       required({"--log", "FOLDER", "the state: every event that was acknowledged", &flags->log}),
       {"--ingest", "FILE", "instead of HTTP: requests as JSON Lines, answers on standard output; - is standard input",
        &flags->ingest, input_file()},
       needs("ingest", {"--sequence", "FIELD",
                        "the member that numbers the lines, such as an offset: what the log has is not learned again",
                        &flags->fields.sequence}),
       needs("sequence", {"--source", "FIELD", "the member that names the source of a line, such as a partition",
                          &flags->fields.source})});
  command.add("Address", address_rows(*flags));
  command.add("Limits", limit_rows(*flags));
  add_begin_rows(command, flags->begin);
  command.run = [flags](const Given& given) { return ServeCommand(*flags, given).run(); };
  return command;
}

}  // namespace halfspace::cli
