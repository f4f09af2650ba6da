// The options of a chooser by name, described in rows (detail/train/option.h), and as JSON, in which a log begins with them.
//
// Rows point into the settings that they were made for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/bandits/chooser.h"
#include "halfspace/detail/train/option.h"

namespace halfspace {

struct ChooserSettings {
  ChooserOptions chooser;
  std::uint32_t bits = 18;  // the table of features has 2^bits weights a model
  bool products = true;     // of features of the context with those of the actions
  double least_reward = 0, most_reward = 1;
  double wait_seconds = 600;  // for a reward, from the choice on
  double default_reward = 0;  // of a choice that got none; within the range

  // Return a value, or a difference of values, of rewards from 0 to 1 in the rewards' own units, its bounds rounded
  // outward.
  Interval in_units(const Interval& value) const;
  Interval difference_in_units(const Interval& difference) const;
  // Returns a reward of the range as a number from 0 to 1. Throws Error(data) for one outside.
  double normalized(double reward) const;
};
std::vector<Option> options_of(ChooserSettings& settings);

// Throws Error(usage), naming the option, for settings that do not go together.
void validate(const ChooserSettings& settings);

// Convert settings to JSON and back. Throws Error(data) for a text that is none of these.
std::string json_of(const ChooserSettings& settings);
ChooserSettings chooser_settings_of(std::string_view json, const std::string& name);

}  // namespace halfspace
