// A connection that sends bytes as they are.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace halfspace::http {

class RawClient {
 public:
  // Connects to the TCP socket that this descriptor listens on.
  explicit RawClient(int listening) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    EXPECT_EQ(::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size), 0);
    EXPECT_EQ(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    const timeval patience{60, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~RawClient() { ::close(descriptor_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ::ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Reads until this many of `what` have come; returns everything so far. Stops at the end of the connection.
  const std::string& read(const std::string& what, std::size_t times) {
    while (count(what) < times && more()) {
    }
    return got_;
  }
  // Reads until the server closes the connection.
  const std::string& read_all() {
    while (more()) {
    }
    return got_;
  }
  // Returns whether it has, rather than that its patience ended.
  bool closed() const { return closed_; }
  std::size_t count(const std::string& what) const {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = got_.find(what, at)) != std::string::npos; at += what.size()) ++found;
    return found;
  }

 private:
  bool more() {
    char chunk[65536];
    const ::ssize_t count = ::recv(descriptor_, chunk, sizeof chunk, 0);
    if (count > 0) got_.append(chunk, static_cast<std::size_t>(count));
    closed_ = count == 0 || (count < 0 && errno != EAGAIN);
    return count > 0;
  }

  int descriptor_;
  std::string got_;
  bool closed_ = false;
};

inline std::string post(const std::string& path, const std::string& body, const std::string& fields = {}) {
  return "POST " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

}  // namespace halfspace::http
