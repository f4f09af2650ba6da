// halfspace bandit --live: JSON Lines in, JSON Lines out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"

namespace halfspace::cli {

struct LiveFlags {
  std::string arms;   // a number, or names
  std::string state;  // the folder of the state; empty: none
  bool sync = false;  // acknowledged lines survive a power cut
};

// Serves standard input until it ends or a signal arrives. The command's --help documents the protocol.
int serve_live(const LiveFlags& flags, BanditOptions options, std::uint64_t seed);

}  // namespace halfspace::cli
