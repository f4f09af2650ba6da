// Requests as libmicrohttpd delivers them: it calls back with the target, the head, pieces of the body, the end of the
// body, and once the answer was sent. A request that is answered later is suspended meanwhile; once resumed, it comes
// back as at the end of its body.
#include "http/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "http/microhttpd.h"
#include "http/target.h"

namespace halfspace::http {
namespace {

using service::Answer;

constexpr std::chrono::milliseconds sweep_every{200};
constexpr double slowest_reader = 16 << 10;  // bytes a second

bool same_name(const char* a, std::string_view b) {
  return std::string_view(a).size() == b.size() && ::strncasecmp(a, b.data(), b.size()) == 0;
}

// The fields of a head that matter here.
struct Fields {
  unsigned lengths = 0, encodings = 0, hosts = 0;
  bool chunked = false, expects = false, has_origin = false, well_formed = true, encoded = false, is_json = false;
  std::uint64_t length = 0;
  std::string authorization, host;
};

MHD_Result take_field(void* to, MHD_ValueKind, const char* name, const char* value) {
  auto& fields = *static_cast<Fields*>(to);
  const std::string_view text = value == nullptr ? "" : value;
  fields.well_formed = fields.well_formed && is_token(name);
  if (same_name(name, "content-length")) {
    ++fields.lengths;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fields.length);
    fields.well_formed = fields.well_formed && error == std::errc() && end == text.data() + text.size();
  } else if (same_name(name, "transfer-encoding")) {
    ++fields.encodings;
    fields.chunked = same_name(value == nullptr ? "" : value, "chunked");
  } else if (same_name(name, "host")) {
    ++fields.hosts;
    fields.host = text;
  } else if (same_name(name, "content-encoding")) {
    fields.encoded = fields.encoded || !same_name(value == nullptr ? "" : value, "identity");
  } else if (same_name(name, "content-type")) {
    constexpr std::string_view json = "application/json";
    const std::string_view rest = text.substr(std::min(json.size(), text.size()));
    fields.is_json = ::strncasecmp(text.data(), json.data(), json.size()) == 0 &&
                     (rest.empty() || rest.front() == ';' || rest.front() == ' ');
  } else if (same_name(name, "expect")) {
    fields.expects = true;
  } else if (same_name(name, "origin")) {
    fields.has_origin = true;
  } else if (same_name(name, "authorization")) {
    // Two of them match no token.
    fields.authorization += fields.authorization.empty() ? std::string(text) : "," + std::string(text);
  }
  return MHD_YES;
}

// Returns whether everybody who reads this head finds the same body.
bool unambiguous(const Fields& fields, const char* version) {
  const bool is_current = same_name(version, "HTTP/1.1");
  if (!fields.well_formed || fields.hosts > 1 || (is_current && fields.hosts == 0) || fields.lengths > 1) return false;
  if (fields.encodings == 0) return true;
  return fields.encodings == 1 && fields.chunked && fields.lengths == 0 && is_current;
}

Answer too_large(std::size_t most) {
  return service::refusal(413, "the body is longer than " + std::to_string(most) + " bytes",
                          "send the rows in several requests");
}

// Returns the address of a client without its port.
std::string client_of(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address != nullptr && address->sa_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, address, sizeof four);
    ::inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
    return text;
  }
  if (address != nullptr && address->sa_family == AF_INET6) {
    sockaddr_in6 six;
    std::memcpy(&six, address, sizeof six);
    ::inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
    return text;
  }
  return "unix";
}

// An open connection: ended if its client has not done by the deadline what it is expected to do.
struct Connection {
  int socket;
  std::string client;
  std::atomic<Clock::time_point> deadline;
  void expect_within(double seconds) {
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void expect_nothing() { deadline = Clock::time_point::max(); }
};

// Ends connections whose deadline has passed: libmicrohttpd then reads the end of what their clients send.
class Sweeper {
 public:
  Sweeper() : thread_([this] { run(); }) {}
  ~Sweeper() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  void add(Connection* connection) {
    const std::lock_guard lock(mutex_);
    open_.insert(connection);
  }
  // The socket is open until this has returned.
  void remove(Connection* connection) {
    const std::lock_guard lock(mutex_);
    open_.erase(connection);
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, sweep_every, [this] { return ending_; })) {
      const Clock::time_point now = Clock::now();
      for (const Connection* const each : open_) {
        if (each->deadline.load() < now) ::shutdown(each->socket, SHUT_RDWR);
      }
    }
  }

  std::mutex mutex_;  // of the next two
  std::unordered_set<Connection*> open_;
  bool ending_ = false;
  std::condition_variable wake_;
  std::thread thread_;
};

// Threads that begin meanwhile take no signals: the library forgets an answer if one interrupts its wait.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const HttpOptions& options, const ListeningSocket& socket, Handler& handler)
      : options_(options), mhd_(microhttpd()), handler_(handler) {
    const int descriptor = ::dup(socket.descriptor());  // which libmicrohttpd closes
    if (descriptor < 0)
      throw Error(ErrorKind::input_output, "too many files are open").fix("raise the limit (ulimit -n)");
    // Not epoll: version 0.9.75 may wait once more with a full batch of events in hand, and answers nobody meanwhile.
    const unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    const WithoutSignals none;
    daemon_ = mhd_.start_daemon(
        flags, 0, nullptr, nullptr, &Impl::on_request, this, MHD_OPTION_EXTERNAL_LOGGER, &Impl::on_log, this,
        MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_URI_LOG_CALLBACK, &Impl::on_target, this,
        MHD_OPTION_NOTIFY_COMPLETED, &Impl::on_completed, this, MHD_OPTION_NOTIFY_CONNECTION, &Impl::on_connection,
        this, MHD_OPTION_PER_IP_CONNECTION_LIMIT, options.most_of_address, MHD_OPTION_CONNECTION_LIMIT,
        options.most_connections, MHD_OPTION_CONNECTION_TIMEOUT, options.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.most_head, MHD_OPTION_STRICT_FOR_CLIENT, 0,
        options.threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, options.threads, MHD_OPTION_END);
    if (daemon_ != nullptr) return;
    ::close(descriptor);
    throw Error(ErrorKind::input_output, "the HTTP server cannot start").fix("check the system's limits");
  }

  ~Impl() { stop(0); }

  unsigned connections() const {
    if (daemon_ == nullptr) return 0;
    const MHD_DaemonInfo* const info = mhd_.get_daemon_info(daemon_, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info == nullptr ? 0 : info->num_connections;
  }
  bool full() const { return connections() >= options_.most_connections; }

  void refuse_connections() {
    if (daemon_ == nullptr || std::exchange(quiet_, true)) return;
    const MHD_socket descriptor = mhd_.quiesce_daemon(daemon_);
    if (descriptor != MHD_INVALID_SOCKET) ::close(descriptor);
  }

  void stop(double seconds) {
    if (daemon_ == nullptr) return;
    refuse_connections();
    const Clock::time_point begin = Clock::now();
    // A suspended connection must be resumed before its daemon ends.
    while (suspended_ > 0 || (unanswered_ > 0 && seconds_since(begin) < seconds))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    mhd_.stop_daemon(std::exchange(daemon_, nullptr));
  }

 private:
  // A request, from its first line to the end of its answer.
  struct Exchange {
    Impl& server;
    MHD_Connection* connection;
    Connection& of;
    Clock::time_point begin = Clock::now();
    std::optional<Target> target;
    service::Request request{};
    bool has_head = false, complete = false;
    std::uint64_t body_bytes = 0, kept_bytes = 0;
    std::optional<Answer> answer{};
  };

  class SuspendedReply final : public Reply {
   public:
    // Suspends the connection, which the reply resumes.
    explicit SuspendedReply(Exchange& exchange) : exchange_(&exchange) {
      ++exchange.server.suspended_;
      exchange.server.mhd_.suspend_connection(exchange.connection);
    }
    ~SuspendedReply() override {
      if (exchange_ != nullptr) finish(service::memory_refusal(true));
    }
    void give(Answer answer) override { finish(std::move(answer)); }

   private:
    void finish(Answer answer) {
      Exchange& exchange = *std::exchange(exchange_, nullptr);
      exchange.answer = std::move(answer);
      Impl& server = exchange.server;
      server.mhd_.resume_connection(exchange.connection);  // the exchange may be gone from here on
      --server.suspended_;
    }

    Exchange* exchange_;
  };

  static void on_log(void*, const char*, va_list) {}

  static void* on_target(void* self, const char* raw, MHD_Connection* connection) {
    auto& server = *static_cast<Impl*>(self);
    try {
      const MHD_ConnectionInfo* const info =
          server.mhd_.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
      if (info == nullptr || info->socket_context == nullptr) return nullptr;
      return new Exchange{server, connection, *static_cast<Connection*>(info->socket_context), Clock::now(),
                          decoded_target(raw)};
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  // Requests on a connection without a context are given up.
  static void on_connection(void* self, MHD_Connection* connection, void** context,
                            MHD_ConnectionNotificationCode code) {
    auto& server = *static_cast<Impl*>(self);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
      const std::unique_ptr<Connection> closed(static_cast<Connection*>(std::exchange(*context, nullptr)));
      if (closed) server.sweeper_.remove(closed.get());
      return;
    }
    try {
      auto opened = std::make_unique<Connection>();
      // An answer of libmicrohttpd 1.0 lies where the next one will.
      const MHD_ConnectionInfo* told = server.mhd_.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
      if (told == nullptr) return;
      opened->socket = told->connect_fd;
      told = server.mhd_.get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
      opened->client = client_of(told == nullptr ? nullptr : told->client_addr);
      opened->expect_within(server.options_.idle_seconds);
      server.sweeper_.add(opened.get());
      *context = opened.release();
    } catch (const std::exception&) {  // out of memory
    }
  }

  static void on_completed(void* self, MHD_Connection*, void** request, MHD_RequestTerminationCode) {
    auto& server = *static_cast<Impl*>(self);
    const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(std::exchange(*request, nullptr)));
    if (!exchange) return;
    exchange->of.expect_within(server.options_.idle_seconds);
    server.body_bytes_ -= exchange->kept_bytes;
    if (exchange->complete) --server.unanswered_;
  }

  static MHD_Result on_request(void* self, MHD_Connection*, const char*, const char* method, const char* version,
                               const char* body, std::size_t* size, void** request) {
    auto* const exchange = static_cast<Exchange*>(*request);
    if (exchange == nullptr) return MHD_NO;
    auto& server = *static_cast<Impl*>(self);
    try {
      if (!std::exchange(exchange->has_head, true)) return server.on_head(*exchange, method, version);
      if (*size > 0) return server.on_body(*exchange, {body, std::exchange(*size, 0)});
      return server.on_end(*exchange);
    } catch (const std::exception&) {  // out of memory
      return MHD_NO;
    }
  }

  MHD_Result on_head(Exchange& exchange, const char* method, const char* version) {
    Fields fields;
    exchange.of.expect_within(options_.request_seconds);
    mhd_.get_connection_values(exchange.connection, MHD_HEADER_KIND, &take_field, &fields);
    exchange.request.method = same_name(method, "HEAD") ? "GET" : method;
    if (!unambiguous(fields, version)) {
      exchange.answer = service::refusal(400, "the head of the request is ambiguous",
                                         "send one Content-Length, or Transfer-Encoding: chunked, and one Host");
      return send(exchange, true);
    }
    if (!exchange.target) {
      exchange.answer = service::refusal(400, "the target of the request is malformed",
                                         "send a path in UTF-8, with percent escapes, and each name once");
    } else {
      exchange.request.path = std::move(exchange.target->path);
      exchange.request.query = std::move(exchange.target->query);
      exchange.request.is_json = fields.is_json;
      exchange.answer = handler_.refuse(
          {exchange.request, std::move(fields.authorization), std::move(fields.host), fields.has_origin});
    }
    if (!exchange.answer && fields.encoded)
      exchange.answer = service::refusal(415, "the body is encoded", "send it as it is, without Content-Encoding");
    if (!exchange.answer && fields.length > options_.most_body) exchange.answer = too_large(options_.most_body);
    // A refused body is read and dropped, since closing the connection could lose the answer; not if the client waits
    // for a word, or has far more to send.
    if (exchange.answer && (fields.expects || fields.length > 4 * options_.most_body)) return send(exchange, true);
    return MHD_YES;
  }

  MHD_Result on_body(Exchange& exchange, std::string_view piece) {
    exchange.body_bytes += piece.size();
    if (seconds_since(exchange.begin) > options_.request_seconds) return MHD_NO;
    if (exchange.answer) return exchange.body_bytes > 4 * options_.most_body ? MHD_NO : MHD_YES;
    if (exchange.body_bytes > options_.most_body) {
      exchange.answer = too_large(options_.most_body);
    } else if ((body_bytes_ += piece.size()) > options_.most_bodies) {
      body_bytes_ -= piece.size();
      exchange.answer = service::refusal(503, "too many bodies are in memory", "send the request again later");
    } else {
      exchange.kept_bytes += piece.size();
      exchange.request.body += piece;
    }
    if (exchange.answer) release_body(exchange);
    return MHD_YES;
  }

  void release_body(Exchange& exchange) {
    exchange.request.body = {};
    body_bytes_ -= std::exchange(exchange.kept_bytes, 0);
  }

  MHD_Result on_end(Exchange& exchange) {
    exchange.of.expect_nothing();
    if (!std::exchange(exchange.complete, true)) ++unanswered_;
    if (!exchange.answer) exchange.answer = answer_now([&] { return handler_.answer(exchange.request); });
    if (exchange.answer) return send(exchange, false);
    // The reply may be given, and the exchange gone, before this returns. on_completed() needs no text of the request.
    service::Request request{exchange.request.method, exchange.request.path, {}, {}, exchange.request.is_json};
    auto reply = std::make_unique<SuspendedReply>(exchange);
    std::swap(request.query, exchange.request.query);
    std::swap(request.body, exchange.request.body);
    try {
      handler_.answer_later(std::move(request), std::move(reply));
    } catch (const std::exception&) {  // the reply was destroyed, and has answered
    }
    return MHD_YES;
  }

  MHD_Result send(Exchange& exchange, bool close) {
    Answer& answer = *exchange.answer;
    const std::size_t bytes = answer.text().size();
    exchange.of.expect_within(options_.request_seconds + static_cast<double>(bytes) / slowest_reader);
    handler_.answered({exchange.request, exchange.of.client, answer.status, seconds_since(exchange.begin), bytes});
    release_body(exchange);  // before the answer leaves: whoever has it may send the next body at once
    // The exchange outlives the response.
    void* const body = const_cast<char*>(answer.text().data());
    MHD_Response* const response = mhd_.create_response_from_buffer(answer.text().size(), body, MHD_RESPMEM_PERSISTENT);
    if (response == nullptr) return MHD_NO;
    const auto field = [&](const char* name, const char* value) { mhd_.add_response_header(response, name, value); };
    field("Content-Type", answer.type.data());
    if (close) field("Connection", "close");
    if (answer.status == 429 || answer.status == 503) field("Retry-After", "1");
    if (answer.status == 401) field("WWW-Authenticate", "Bearer");
    if (answer.status == 415) field("Accept-Encoding", "identity");
    if (!answer.allow.empty()) field("Allow", answer.allow.c_str());
    const MHD_Result queued = mhd_.queue_response(exchange.connection, static_cast<unsigned>(answer.status), response);
    mhd_.destroy_response(response);
    return queued;
  }

  HttpOptions options_;
  const Microhttpd& mhd_;
  Handler& handler_;
  Sweeper sweeper_;
  MHD_Daemon* daemon_ = nullptr;
  bool quiet_ = false;
  std::atomic<std::uint64_t> body_bytes_{0};
  std::atomic<std::int64_t> unanswered_{0}, suspended_{0};
};

Answer answer_to_exception() noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return service::refusal(error);
    } catch (const std::bad_alloc&) {
      return service::memory_refusal(false);
    } catch (const std::exception& error) {
      return service::refusal(500, error.what(), "report this as a bug");
    }
  } catch (...) {  // out of memory
    return service::memory_refusal(false);
  }
}

HttpServer::HttpServer(const HttpOptions& options, const ListeningSocket& socket, Handler& handler)
    : impl_(std::make_unique<Impl>(options, socket, handler)) {}
HttpServer::~HttpServer() = default;

unsigned HttpServer::connections() const { return impl_->connections(); }
bool HttpServer::full() const { return impl_->full(); }
void HttpServer::refuse_connections() { impl_->refuse_connections(); }
void HttpServer::stop(double seconds) { impl_->stop(seconds); }

}  // namespace halfspace::http
