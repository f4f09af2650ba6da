// The names by which clients may call the service: the Host field of their requests.
//
// A page of another site can make its name stand for this machine's address (DNS rebinding), and its scripts then read
// from the service as from their own site. Their requests carry the site's name in Host, which is none of these.
//
// Thread-safety: immutable once made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfspace::http {

class Hosts {
 public:
  // Allows any name: of a socket that no browser reaches, or as the user wants it.
  Hosts() = default;
  // Allows localhost, addresses of the loopback, the service's own address, and these names. An address that stands for
  // all of the machine's, 0.0.0.0 or ::, allows every address, but no name.
  Hosts(const std::string& address, std::vector<std::string> names);

  // `host`: a Host field, with a port or without; empty: the request has none, and is not a browser's.
  bool allows(std::string_view host) const;

 private:
  bool any_ = true, any_address_ = false;
  std::vector<std::string> names_;  // in lower case, addresses without brackets
};

}  // namespace halfspace::http
