// Compares names of hosts.
#include "http/hosts.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <utility>

namespace halfspace::http {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

// Returns the name or the address, without the port and brackets.
std::string name_of(std::string_view host) {
  if (host.starts_with('[')) return lower(host.substr(1, std::min(host.find(']'), host.size()) - 1));
  std::string name = lower(host.substr(0, host.find(':')));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

bool is_address(const std::string& name) {
  in6_addr any{};
  return ::inet_pton(AF_INET, name.c_str(), &any) == 1 || ::inet_pton(AF_INET6, name.c_str(), &any) == 1;
}

bool is_loopback(const std::string& name) {
  in_addr four{};
  if (::inet_pton(AF_INET, name.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, name.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace

Hosts::Hosts(const std::string& address, std::vector<std::string> names)
    : any_(false), any_address_(address == "0.0.0.0" || address == "::"), names_(std::move(names)) {
  for (std::string& name : names_) name = name_of(name);
  names_.push_back(lower(address));
}

bool Hosts::allows(std::string_view host) const {
  if (any_ || host.empty()) return true;
  const std::string name = name_of(host);
  return name == "localhost" || is_loopback(name) || (any_address_ && is_address(name)) ||
         std::find(names_.begin(), names_.end(), name) != names_.end();
}

}  // namespace halfspace::http
