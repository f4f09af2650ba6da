// Numbers that figures need beyond the numbers that --json always has: the key `figures` (docs/formats/json.md).
//
// Bounded whatever the data: recordings are (recording.h), and of weights and classes only the largest and the first
// are shown. Thread-safety: pure functions.
#pragma once

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/train/train.h"
#include "report/json.h"

namespace halfspace::report {

inline constexpr std::size_t shown_weights = 30, shown_classes = 40, shown_choices = 8;

// Returns the figures of a run that was recorded (TrainOptions::record).
Json train_figures(const TrainResult& result);

// Returns the path of a player's regret, and what it gave the choices that it came to trust most; `order`: the choices,
// the most trusted first.
Json path_figures(const RegretPath& path, const std::vector<std::string>& names, const std::vector<std::size_t>& order);

}  // namespace halfspace::report
