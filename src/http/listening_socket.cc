// Opens and closes listening sockets.
#include "http/listening_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/retried.h"
#include "halfspace/base/error.h"

namespace halfspace::http {
namespace {

constexpr int waiting_connections = 4096;  // the system takes its own maximum if that is less
constexpr int stream_flags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

// An address of any family.
struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_storage);

  sockaddr* any() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* any() const { return reinterpret_cast<const sockaddr*>(&storage); }
  template <class Kind>
  Kind as() const {
    Kind kind;
    std::memcpy(&kind, &storage, sizeof kind);
    return kind;
  }
  template <class Kind>
  void set(const Kind& kind) {
    std::memcpy(&storage, &kind, sizeof kind);
    size = sizeof kind;
  }
};

[[noreturn]] void fail_at(const std::string& where, const std::string& what) {
  const std::string reason = std::generic_category().message(errno);
  if (errno == EADDRINUSE)
    throw Error(ErrorKind::usage, "another process listens there").at(where).fix("stop it, or choose another address");
  if (errno == EACCES || errno == EADDRNOTAVAIL)
    throw Error(ErrorKind::usage, what + ": " + reason).at(where).fix("choose an address or a path that you may use");
  throw Error(ErrorKind::input_output, what + ": " + reason).at(where).fix("check the system's limits");
}

bool is_loopback(const Address& address) {
  if (address.storage.ss_family == AF_INET) return ntohl(address.as<sockaddr_in>().sin_addr.s_addr) >> 24 == 127;
  const in6_addr six = address.as<sockaddr_in6>().sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six);
}

Address parsed_address(const std::string& text, std::uint16_t port) {
  Address address;
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
    address.set(four);
  } else if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1) {
    address.set(six);
  } else {
    throw Error(ErrorKind::usage, option("address") + " takes an address in digits, not " + text)
        .fix("use 127.0.0.1 or ::1");
  }
  return address;
}

Address own_address(int descriptor) {
  Address address;
  if (::getsockname(descriptor, address.any(), &address.size) != 0) fail_at("socket", "cannot be inspected");
  return address;
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    throw Error(ErrorKind::usage, fmt::format("the path of a socket has 1 to {} bytes", sizeof address.sun_path - 1))
        .at(path)
        .fix("choose a shorter path");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// Removes a socket that a killed process left behind; leaves everything else.
void remove_deserted(const std::string& path, const Address& address) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode))
    throw Error(ErrorKind::usage, "is there already, and is no socket").at(path).fix("choose another path");
  const int probe = ::socket(AF_UNIX, stream_flags, 0);
  if (probe < 0) fail_at(path, "cannot open a socket");
  const bool deserted = ::connect(probe, address.any(), address.size) != 0 && errno == ECONNREFUSED;
  ::close(probe);
  if (!deserted) {
    errno = EADDRINUSE;
    fail_at(path, "cannot listen");
  }
  ::unlink(path.c_str());
}

}  // namespace

ListeningSocket ListeningSocket::tcp(const std::string& text, std::uint16_t port, bool any_address) {
  const Address address = parsed_address(text, port);
  if (!any_address && !is_loopback(address))
    throw Error(ErrorKind::usage, text + " can be reached from other machines")
        .fix("listen on 127.0.0.1, behind a server that encrypts; or add " + option("any-address"));
  const std::string where = fmt::format("{} port {}", text, port);
  ListeningSocket socket(::socket(address.storage.ss_family, stream_flags, 0));
  if (socket.descriptor_ < 0) fail_at(where, "cannot open a socket");
  const int on = 1;
  static_cast<void>(::setsockopt(socket.descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  if (::bind(socket.descriptor_, address.any(), address.size) != 0 ||
      ::listen(socket.descriptor_, waiting_connections) != 0)
    fail_at(where, "cannot listen");
  return socket;
}

ListeningSocket ListeningSocket::at_path(const std::string& path, bool group) {
  Address address;
  address.set(unix_address(path));
  remove_deserted(path, address);
  ListeningSocket socket(::socket(AF_UNIX, stream_flags, 0));
  if (socket.descriptor_ < 0) fail_at(path, "cannot open a socket");
  if (::bind(socket.descriptor_, address.any(), address.size) != 0) fail_at(path, "cannot listen");
  // Nobody connects before it listens.
  if (::chmod(path.c_str(), group ? 0660 : 0600) != 0) fail_at(path, "cannot set the permissions");
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    socket.path_ = path;
    socket.device_ = status.st_dev;
    socket.inode_ = status.st_ino;
  }
  if (::listen(socket.descriptor_, waiting_connections) != 0) fail_at(path, "cannot listen");
  return socket;
}

ListeningSocket ListeningSocket::inherited(int descriptor) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || listening == 0)
    throw Error(ErrorKind::usage, fmt::format("descriptor {} is not a listening socket", descriptor))
        .fix("give the socket unit ListenStream= and Accept=no");
  return ListeningSocket(descriptor);
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::exchange(other.path_, {})),
      device_(other.device_),
      inode_(other.inode_) {}

ListeningSocket::~ListeningSocket() {
  struct stat status {};
  if (!path_.empty() && ::lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
    ::unlink(path_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string ListeningSocket::address() const {
  const Address address = own_address(descriptor_);
  char text[INET6_ADDRSTRLEN] = "";
  if (address.storage.ss_family == AF_INET) {
    const auto four = address.as<sockaddr_in>();
    ::inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
  } else if (address.storage.ss_family == AF_INET6) {
    const auto six = address.as<sockaddr_in6>();
    ::inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
  }
  return text;
}

std::string ListeningSocket::name() const {
  const Address own = own_address(descriptor_);
  if (own.storage.ss_family == AF_INET)
    return fmt::format("http://{}:{}", address(), ntohs(own.as<sockaddr_in>().sin_port));
  if (own.storage.ss_family == AF_INET6)
    return fmt::format("http://[{}]:{}", address(), ntohs(own.as<sockaddr_in6>().sin6_port));
  const auto local = own.as<sockaddr_un>();
  return "unix:" + std::string(local.sun_path, ::strnlen(local.sun_path, sizeof local.sun_path));
}

bool ListeningSocket::answers(double seconds) const {
  const Clock::time_point begin = Clock::now();
  const Address address = own_address(descriptor_);
  const int client = ::socket(address.storage.ss_family, stream_flags, 0);
  if (client < 0) return false;
  const auto ready = [&](short events) {
    pollfd wait{client, events, 0};
    const double left = std::max(seconds - seconds_since(begin), 0.0);
    return retried([&] { return ::poll(&wait, 1, static_cast<int>(left * 1000)); }) > 0;
  };
  constexpr std::string_view request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  constexpr std::string_view expected = "HTTP/1.1 200 ";
  std::string got;
  const bool connected = ::connect(client, address.any(), address.size) == 0 || errno == EINPROGRESS;
  if (connected && ready(POLLOUT) &&
      ::send(client, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<::ssize_t>(request.size())) {
    char chunk[256];
    while (got.size() < expected.size() && ready(POLLIN)) {
      const ::ssize_t count = ::recv(client, chunk, sizeof chunk, 0);
      if (count <= 0) break;
      got.append(chunk, static_cast<std::size_t>(count));
    }
  }
  ::close(client);
  return got.starts_with(expected);
}

}  // namespace halfspace::http
