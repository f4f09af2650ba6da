// An HTTP/1.1 server: connections, limits and framing. What a request means is its handler's affair.
//
//   HttpServer server(options, socket, handler);   // serves from here on
//   server.refuse_connections();
//   server.stop(5);                                // after every Reply was given
//
// Requests whose framing is ambiguous (Transfer-Encoding with Content-Length, two of either, a field name that is no
// token) are answered 400, and the connection is closed: a proxy in front may have understood something else. A body in
// another encoding (Content-Encoding) is answered 415.
//
// A client has `idle_seconds` for a head, however it sends it, and `request_seconds` for a body: the library itself
// only notices clients that send nothing at all.
//
// Thread-safety: the handler is called by `threads` threads at once; a Reply may be given by any thread. The server
// itself is for one thread. Ownership: keeps a reference to the handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "http/listening_socket.h"
#include "service/answers.h"

namespace halfspace::http {

struct HttpOptions {
  unsigned threads = 1;
  unsigned most_connections = 1000;                  // later ones wait in the system's queue
  std::size_t most_head = std::size_t{32} << 10;     // bytes of the request line and the header fields
  std::size_t most_body = std::size_t{16} << 20;     // bytes
  std::size_t most_bodies = std::size_t{256} << 20;  // bytes of all bodies in memory
  unsigned idle_seconds = 30;      // without a byte from the client, or to it; and until the end of a head
  unsigned request_seconds = 120;  // from the request line to the end of the body, and to take an answer
  unsigned most_of_address = 0;    // connections from one IP address; 0: as many as there may be
};

// What is known of a request before its body.
struct RequestHead {
  const service::Request& request;  // without a body
  std::string authorization;
  std::string host;
  bool has_origin = false;  // a browser sends it for another site's page
};

// A request and its answer, when it is about to be sent.
struct Answered {
  const service::Request& request;
  const std::string& client;  // the IP address, or "unix"
  int status;
  double seconds;       // from the request line
  std::uint64_t bytes;  // of the answer's body
};

// Answers a request, once, from any thread. Destroyed without an answer, it answers 500.
class Reply {
 public:
  virtual ~Reply() = default;
  virtual void give(service::Answer answer) = 0;
};

class Handler {
 public:
  virtual ~Handler() = default;
  // Returns the answer to a request that is refused by its head.
  virtual std::optional<service::Answer> refuse(const RequestHead& head) = 0;
  // Returns the answer to a complete request, or nothing if answer_later() is to take it.
  virtual std::optional<service::Answer> answer(const service::Request& request) = 0;
  virtual void answer_later(service::Request request, std::unique_ptr<Reply> reply) = 0;
  virtual void answered(const Answered& answered) noexcept = 0;
};

// Returns the answer to a request whose exception is being handled, of one that changes nothing.
service::Answer answer_to_exception() noexcept;
// Returns the answer that a function makes, or the one to what it throws.
template <class Make>
auto answer_now(const Make& make) noexcept -> decltype(make()) {
  try {
    return make();
  } catch (...) {
    return answer_to_exception();
  }
}

class HttpServer {
 public:
  // Throws Error: usage without libmicrohttpd, input_output if it cannot start.
  HttpServer(const HttpOptions& options, const ListeningSocket& socket, Handler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  unsigned connections() const;
  bool full() const;  // has as many connections as it may

  // Stops accepting connections; those that are open are still served.
  void refuse_connections();
  // Waits until complete requests are answered and the answers sent, for slow readers at most so many seconds; then
  // closes all connections. Every Reply must have been given or destroyed.
  void stop(double seconds);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace::http
