// A socket that accepts connections: TCP, a Unix socket's path, or one that a service manager opened.
//
// Thread-safety: one thread. Ownership: closes the socket, and removes the path of a Unix socket unless another process
// has replaced it. Errors: Error(usage) for an address that is not available or not allowed, else input_output.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace halfspace::http {

class ListeningSocket {
 public:
  // `address`: in digits, IPv4 or IPv6; one that other machines reach only if `any_address`. Port 0: a free one.
  static ListeningSocket tcp(const std::string& address, std::uint16_t port, bool any_address);
  // Replaces a socket at this path that nobody listens on. Its owner may connect, and with `group` the group's members.
  static ListeningSocket at_path(const std::string& path, bool group = false);
  // Takes over an open descriptor, which must be a listening socket.
  static ListeningSocket inherited(int descriptor);

  ~ListeningSocket();
  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  // Returns "http://127.0.0.1:8080", or "unix:/run/halfspace.sock".
  std::string name() const;

  // Returns the address in digits; empty: the socket is a Unix socket.
  std::string address() const;

  // Returns whether the service answers GET /healthz on it with 200, asked as a client would, within `seconds`.
  bool answers(double seconds) const;

 private:
  explicit ListeningSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  std::string path_{};  // to remove; empty: none
  ::dev_t device_ = 0;
  ::ino_t inode_ = 0;
};

}  // namespace halfspace::http
