// The options of a bandit by name, described in rows (detail/train/option.h).
//
//   BanditSettings settings;
//   set_option(options_of(settings), "algorithm", "exp3-ix");
//   set_option(options_of(settings), "rounds", "10000");
//   LiveBandit bandit(bandit_options(settings, 3), settings.seed);
//
// Rows point into the settings that they were made for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/detail/train/option.h"

namespace halfspace {

struct BanditSettings {
  std::string algorithm;  // empty: that of BanditOptions
  std::uint64_t rounds = 0, seed = 1;
  double delta = BanditOptions{}.delta;
};
std::vector<Option> options_of(BanditSettings& settings);

// Returns the options of a bandit over this many arms. Throws Error(usage) for an unknown algorithm.
BanditOptions bandit_options(const BanditSettings& settings, std::uint64_t arms);

}  // namespace halfspace
