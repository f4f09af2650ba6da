// The server with handlers of every kind, over the loopback.
#include "http/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/raw_client.h"

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

// Echoes bodies: at once, or for "/later" by whoever calls answer_all().
class Echo final : public Handler {
 public:
  std::optional<Answer> refuse(const RequestHead& head) override {
    if (head.request.path == "/no") return Answer{403, "no", "text/plain"};
    return std::nullopt;
  }
  std::optional<Answer> answer(const Request& request) override {
    if (request.path == "/later" || request.path == "/lost") return std::nullopt;
    return Answer{200, "<" + request.body + ">", "text/plain"};
  }
  void answer_later(Request request, std::unique_ptr<Reply> reply) override {
    if (request.path == "/lost") return;
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(std::move(request), std::move(reply));
    ++later;
  }
  void answered(const Answered& answered) noexcept override {
    EXPECT_GE(answered.seconds, 0);
    EXPECT_EQ(answered.client, "127.0.0.1");
    ++(answered.status == 200 ? good : bad);
  }

  void answer_all(std::size_t repeated = 1) {
    std::vector<std::pair<Request, std::unique_ptr<Reply>>> waiting;
    {
      const std::lock_guard lock(mutex_);
      waiting.swap(waiting_);
    }
    for (auto& [request, reply] : waiting) {
      std::string body;
      for (std::size_t i = 0; i < repeated; ++i) body += request.body;
      reply->give({200, "<" + body + ">", "text/plain"});
    }
  }

  std::atomic<int> later{0}, good{0}, bad{0};

 private:
  std::mutex mutex_;
  std::vector<std::pair<Request, std::unique_ptr<Reply>>> waiting_;
};

struct Running {
  explicit Running(const HttpOptions& options = {}) : server(options, socket, echo) {}

  ListeningSocket socket = ListeningSocket::tcp("127.0.0.1", 0, false);
  Echo echo;
  HttpServer server;
};

TEST(Server, AnswersInOrderWhoeverAnswers) {
  for (const unsigned threads : {1U, 3U}) {
    Running running({.threads = threads});
    std::atomic<bool> done{false};
    std::thread other([&] {
      while (!done) running.echo.answer_all();
    });
    {
      RawClient client(running.socket.descriptor());
      std::string requests, expected;
      for (int i = 0; i < 300; ++i) {
        const std::string body = std::to_string(i);
        requests += post(i % 3 == 0 ? "/later" : "/now", body);
        expected += "<" + body + ">";
      }
      client.send(requests);
      std::string bodies;
      const std::string& got = client.read(">", 300);
      for (std::size_t at = 0; (at = got.find('<', at)) != std::string::npos; ++at)
        bodies += got.substr(at, got.find('>', at) + 1 - at);
      EXPECT_EQ(bodies, expected);
    }
    done = true;
    other.join();
    EXPECT_EQ(running.echo.good, 300);
  }
}

TEST(Server, AnswersForAHandlerThatDoesNot) {
  Running running;
  RawClient client(running.socket.descriptor());
  client.send(post("/lost", "") + post("/now", "a"));
  EXPECT_NE(client.read(">", 1).find("HTTP/1.1 500"), std::string::npos);
}

TEST(Server, SendsItsLastAnswersCompletely) {
  Running running;
  RawClient client(running.socket.descriptor());
  client.send(post("/later", std::string(1000, 'x')));
  while (running.echo.later == 0) std::this_thread::yield();
  running.server.refuse_connections();
  std::thread other([&] { running.echo.answer_all(8000); });
  std::thread reader([&] { client.read(">", 1); });
  running.server.stop(60);
  reader.join();
  other.join();
  EXPECT_EQ(client.count(std::string(1000, 'x')), 8000U);
  EXPECT_EQ(client.count("x>"), 1U);
}

TEST(Server, GoesOnWithoutClientsThatLeave) {
  Running running;
  for (int i = 0; i < 50; ++i) RawClient(running.socket.descriptor()).send(post("/later", std::string(100, 'x')));
  while (running.echo.later < 50) std::this_thread::yield();
  running.echo.answer_all(1000);
  RawClient client(running.socket.descriptor());
  client.send(post("/now", "a"));
  EXPECT_NE(client.read(">", 1).find("<a>"), std::string::npos);
  running.server.stop(1e9);  // ends, as nothing is left to answer
}

TEST(Server, RefusesAmbiguousFraming) {
  Running running({.idle_seconds = 1});
  // An empty body in chunks, and then another request: or a body of known length.
  const std::string inner = "0\r\n\r\n" + post("/now", "inner");
  const std::string length = "Content-Length: " + std::to_string(inner.size()) + "\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  for (const std::string& fields :
       {length + chunked, chunked + length, length + length, "Content-Length: 0\r\n" + length, chunked + chunked,
        std::string("Transfer-Encoding: identity\r\n"), "Content-Length : 0\r\n" + length, "Host: h\r\n" + length}) {
    for (const std::string method : {"POST", "GET", "DELETE"}) {
      RawClient client(running.socket.descriptor());
      client.send(method + " /now HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + inner);
      client.read_all();
      EXPECT_LE(client.count("HTTP/1.1 400") + client.count("HTTP/1.1 501"), 1U) << method << " " << fields;
      EXPECT_EQ(client.count("HTTP/1.1 2"), 0U) << method << " " << fields;
    }
  }
  RawClient without_host(running.socket.descriptor());
  without_host.send("GET /now HTTP/1.1\r\n\r\n");
  without_host.read_all();
  EXPECT_EQ(without_host.count("HTTP/1.1 400"), 1U);
  // libmicrohttpd 1.0 refuses it by itself, in HTML.
  EXPECT_EQ(without_host.count("{\"error\":") + without_host.count("<html>"), 1U);
  EXPECT_EQ(running.echo.good, 0);
}

TEST(Server, ReadsTheBodyOfWhatItRefuses) {
  Running running({.most_body = 100});
  RawClient client(running.socket.descriptor());
  client.send(post("/no", "abc") + post("/now", std::string(101, 'x')) + post("/now", std::string(100, 'y')) +
              "POST /now HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n" + std::string(100, 'z') +
              "\r\n0\r\n\r\nPOST /now HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" +
              std::string(101, 'u') + "\r\n0\r\n\r\n" + post("/now", "last"));
  const std::string& got = client.read("<last>", 1);
  EXPECT_EQ(client.count("HTTP/1.1 403"), 1U);
  EXPECT_EQ(client.count("HTTP/1.1 413"), 2U);
  EXPECT_EQ(client.count("HTTP/1.1 200"), 3U);
  EXPECT_NE(got.find("<" + std::string(100, 'y') + ">"), std::string::npos);
  EXPECT_NE(got.find("<" + std::string(100, 'z') + ">"), std::string::npos);
}

// A client that sends one byte after the other is never idle.
TEST(Server, EndsConnectionsWhoseHeadOrBodyDoesNotEnd) {
  Running running({.idle_seconds = 1, .request_seconds = 1});
  for (const std::string& begin :
       {std::string(), std::string("POST /now HTTP/1.1\r\nHost: h\r\nX: "),
        "POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + std::string(10, 'x'),
        std::string("POST /now HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;")}) {
    RawClient client(running.socket.descriptor());
    client.send(begin.empty() ? "G" : begin);
    std::atomic<bool> done{false};
    std::thread drip([&] {
      while (!done) {
        client.send("x");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    });
    client.read_all();  // ends when the server closes the connection
    done = true;
    drip.join();
    EXPECT_TRUE(client.closed()) << begin;
    EXPECT_EQ(client.count("HTTP/1.1 200"), 0U) << begin;
  }
  EXPECT_EQ(running.echo.good, 0);
}

TEST(Server, KeepsAConnectionWhoseRequestsAreWholeInTime) {
  Running running({.idle_seconds = 2});
  RawClient client(running.socket.descriptor());
  for (std::size_t i = 1; i <= 6; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    client.send(post("/now", "a"));
    EXPECT_EQ(client.read("<a>", i).empty(), false);
    EXPECT_EQ(client.count("HTTP/1.1 200"), i);
  }
}

TEST(Server, RefusesEncodedBodies) {
  Running running;
  RawClient client(running.socket.descriptor());
  for (const char* encoding : {"gzip", "GZIP", "deflate, gzip", "br"})
    client.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Encoding: " + std::string(encoding) +
                "\r\nContent-Length: 1\r\n\r\nx");
  client.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Encoding: identity\r\nContent-Length: 1\r\n\r\nx");
  client.read("<x>", 1);
  EXPECT_EQ(client.count("HTTP/1.1 415"), 4U);
  EXPECT_EQ(client.count("HTTP/1.1 200"), 1U);
}

TEST(Server, TakesTheAbsoluteFormOfATarget) {
  Running running;
  RawClient client(running.socket.descriptor());
  client.send("POST http://elsewhere:80/now HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx");
  client.read("<x>", 1);
  EXPECT_EQ(client.count("HTTP/1.1 200"), 1U);
}

// The memory of bodies is given back, whether they were answered, refused or given up.
TEST(Server, CountsTheBodiesInMemory) {
  Running running({.most_body = 1000, .most_bodies = 1000, .idle_seconds = 1});
  for (int i = 0; i < 20; ++i) {
    RawClient client(running.socket.descriptor());
    client.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n" + std::string(900, 'x'));
  }
  // Of those given up above, libmicrohttpd may notice only that they are idle.
  int good = 0;
  while (good < 20) {
    RawClient client(running.socket.descriptor());
    client.send(post("/now", std::string(1000, 'y')));
    good += client.read("\r\n\r\n", 1).starts_with("HTTP/1.1 200");
  }
}

}  // namespace
}  // namespace halfspace::http
