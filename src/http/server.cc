// Requests as libmicrohttpd delivers them: it calls back with the target, the head, pieces of the body, the end of the
// body, and once the answer was sent. A request that is answered later is suspended meanwhile; once resumed, it comes
// back as at the end of its body.
#include "http/server.h"

#include <strings.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "http/microhttpd.h"
#include "http/target.h"

namespace halfspace::http {
namespace {

using service::Answer;

bool same_name(const char* a, std::string_view b) {
  return std::string_view(a).size() == b.size() && ::strncasecmp(a, b.data(), b.size()) == 0;
}

// The fields of a head that matter here.
struct Fields {
  unsigned lengths = 0, encodings = 0, hosts = 0;
  bool chunked = false, expects = false, has_origin = false, well_formed = true;
  std::uint64_t length = 0;
  std::string authorization;
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
  if (!fields.well_formed || fields.hosts > 1 || fields.lengths > 1) return false;
  if (fields.encodings == 0) return true;
  return fields.encodings == 1 && fields.chunked && fields.lengths == 0 && same_name(version, "HTTP/1.1");
}

Answer too_large(std::size_t most) {
  return service::refusal(413, "the body is longer than " + std::to_string(most) + " bytes",
                          "send the rows in several requests");
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const HttpOptions& options, const ListeningSocket& socket, Handler& handler)
      : options_(options), mhd_(microhttpd()), handler_(handler) {
    const int descriptor = ::dup(socket.descriptor());  // which libmicrohttpd closes
    if (descriptor < 0)
      throw Error(ErrorKind::input_output, "too many files are open").fix("raise the limit (ulimit -n)");
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    daemon_ = mhd_.start_daemon(
        flags, 0, nullptr, nullptr, &Impl::on_request, this, MHD_OPTION_EXTERNAL_LOGGER, &Impl::on_log, this,
        MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_URI_LOG_CALLBACK, &Impl::on_target, this,
        MHD_OPTION_NOTIFY_COMPLETED, &Impl::on_completed, this, MHD_OPTION_CONNECTION_LIMIT, options.most_connections,
        MHD_OPTION_CONNECTION_TIMEOUT, options.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.most_head,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
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
      if (exchange_ != nullptr) finish(service::refusal(500, "the request was given up", "report this as a bug"));
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
    try {
      return new Exchange{*static_cast<Impl*>(self), connection, Clock::now(), decoded_target(raw)};
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  static void on_completed(void* self, MHD_Connection*, void** request, MHD_RequestTerminationCode) {
    auto& server = *static_cast<Impl*>(self);
    const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(std::exchange(*request, nullptr)));
    if (!exchange) return;
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
    mhd_.get_connection_values(exchange.connection, MHD_HEADER_KIND, &take_field, &fields);
    exchange.request.method = same_name(method, "HEAD") ? "GET" : method;
    if (!unambiguous(fields, version)) {
      exchange.answer = service::refusal(400, "the length of the request is ambiguous",
                                         "send one Content-Length, or Transfer-Encoding: chunked, and one Host");
      return send(exchange, true);
    }
    if (!exchange.target) {
      exchange.answer = service::refusal(400, "the target of the request is malformed",
                                         "send a path in UTF-8, with percent escapes, and each name once");
    } else {
      exchange.request.path = std::move(exchange.target->path);
      exchange.request.query = std::move(exchange.target->query);
      exchange.answer = handler_.refuse({exchange.request, std::move(fields.authorization), fields.has_origin});
    }
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
    if (exchange.answer) {
      exchange.request.body = {};
      body_bytes_ -= std::exchange(exchange.kept_bytes, 0);
    }
    return MHD_YES;
  }

  MHD_Result on_end(Exchange& exchange) {
    if (!std::exchange(exchange.complete, true)) ++unanswered_;
    if (!exchange.answer) exchange.answer = answer_now(exchange.request);
    if (exchange.answer) return send(exchange, false);
    // The reply may be given, and the exchange gone, before this returns. on_completed() needs no text of the request.
    service::Request request{exchange.request.method, exchange.request.path, {}, {}};
    auto reply = std::make_unique<SuspendedReply>(exchange);
    std::swap(request.query, exchange.request.query);
    std::swap(request.body, exchange.request.body);
    try {
      handler_.answer_later(std::move(request), std::move(reply));
    } catch (const std::exception&) {  // the reply was destroyed, and has answered
    }
    return MHD_YES;
  }

  std::optional<Answer> answer_now(const service::Request& request) {
    try {
      return handler_.answer(request);
    } catch (const Error& error) {
      return service::refusal(error);
    } catch (const std::exception& error) {
      return service::refusal(500, error.what(), "report this as a bug");
    }
  }

  MHD_Result send(Exchange& exchange, bool close) {
    Answer& answer = *exchange.answer;
    handler_.answered(exchange.request, answer.status, seconds_since(exchange.begin));
    // The exchange outlives the response.
    void* const body = const_cast<char*>(answer.text().data());
    MHD_Response* const response = mhd_.create_response_from_buffer(answer.text().size(), body, MHD_RESPMEM_PERSISTENT);
    if (response == nullptr) return MHD_NO;
    const auto field = [&](const char* name, const char* value) { mhd_.add_response_header(response, name, value); };
    field("Content-Type", answer.type.c_str());
    if (close) field("Connection", "close");
    if (answer.status == 429 || answer.status == 503) field("Retry-After", "1");
    if (answer.status == 401) field("WWW-Authenticate", "Bearer");
    const MHD_Result queued = mhd_.queue_response(exchange.connection, static_cast<unsigned>(answer.status), response);
    mhd_.destroy_response(response);
    return queued;
  }

  HttpOptions options_;
  const Microhttpd& mhd_;
  Handler& handler_;
  MHD_Daemon* daemon_ = nullptr;
  bool quiet_ = false;
  std::atomic<std::uint64_t> body_bytes_{0};
  std::atomic<std::int64_t> unanswered_{0}, suspended_{0};
};

HttpServer::HttpServer(const HttpOptions& options, const ListeningSocket& socket, Handler& handler)
    : impl_(std::make_unique<Impl>(options, socket, handler)) {}
HttpServer::~HttpServer() = default;

unsigned HttpServer::connections() const {
  return impl_->connections();
}
bool HttpServer::full() const {
  return impl_->full();
}
void HttpServer::refuse_connections() {
  impl_->refuse_connections();
}
void HttpServer::stop(double seconds) {
  impl_->stop(seconds);
}

}  // namespace halfspace::http
