// The data of figures beyond the numbers that --json always has: the key `figures` (docs/formats/json.md).
//
// Bounded for any data: recordings are (recording.h), and only the largest weights and the first classes are included.
// Thread-safety: pure functions.
#pragma once

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/train/train.h"
#include "report/results/json.h"

namespace halfspace::report {

inline constexpr std::size_t shown_weights = 30, shown_classes = 40, shown_choices = 8;

// Returns the figures of a recorded run (TrainOptions::record). `bounds_over_time`: with the bounds on the error on new
// rows at each moment of one pass, which take a tenth of a millisecond each.
Json train_figures(const TrainResult& result, bool bounds_over_time = true);

// Returns the largest weights of a model: `figures.weights`. Cost: O(weights).
Json weights_figures(const Model& model);

// Returns the positions of the values, the largest first.
std::vector<std::size_t> largest_first(const std::vector<double>& values);
// Returns the path of a player's regret, with its weights on the choices that end largest; `order`: the choices, the
// largest weight first.
Json path_figures(const RegretPath& path, const std::vector<std::string>& names, const std::vector<std::size_t>& order);

}  // namespace halfspace::report
