// halfspace bandit --live: JSON Lines in, JSON Lines out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"

namespace halfspace::cli {

struct LiveFlags {
  std::string arms;   // a count, or names
  std::string state;  // where it is kept; empty: nowhere
  bool sync = false;  // every acknowledgement survives a power cut, too
};

// Serves standard input until it ends or a signal comes. The protocol is in --help of the command.
int serve_live(const LiveFlags& flags, BanditOptions options, std::uint64_t seed);

}  // namespace halfspace::cli
