// Tells systemd how the service is: sd_notify's protocol, a datagram to the socket that NOTIFY_SOCKET names.
//
// Thread-safety: any thread.
#pragma once

#include <string>
#include <string_view>

namespace halfspace::http {

// Sends a state such as "READY=1". Does nothing if `socket` is empty; errors are ignored, as the protocol has it.
void tell_manager(const std::string& socket, std::string_view state) noexcept;

}  // namespace halfspace::http
