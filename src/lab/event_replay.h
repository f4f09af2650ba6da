// A log of events with features: what policies that learn from it, one event after the other, would have earned.
#pragma once

#include <memory>

#include "lab/experiment.h"

namespace halfspace::lab {

// Returns whether the file looks like a log of events (bandits/logged_events.h), or policies for one are named.
bool is_log_of_events(const ReplaySettings& settings);
std::unique_ptr<Experiment> replay_events(const ReplaySettings& settings);

}  // namespace halfspace::lab
