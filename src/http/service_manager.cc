// One datagram.
#include "http/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace halfspace::http {

void tell_manager(const std::string& socket, std::string_view state) noexcept {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.empty() || socket.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket.data(), socket.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract name
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  static_cast<void>(::sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address),
                             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket.size())));
  ::close(descriptor);
}

}  // namespace halfspace::http
