// The settings of an objective to minimize.
#pragma once

#include <vector>

#include "halfspace/train/settings.h"

namespace halfspace::training {

std::vector<Option> objective_options(TrainSettings& settings);

// Returns the objective that the settings name; empty: none. Throws Error(usage) for settings that have no effect with
// it, or none without it.
std::optional<Objective> objective_of(const TrainSettings& settings);

// Sets what an objective leaves of a composition, but for the bias; and when to stop.
void compose_objective(const TrainSettings& settings, TrainOptions& options);

}  // namespace halfspace::training
