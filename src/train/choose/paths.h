// Paths of minima: candidates of a validation whose solutions start one another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "halfspace/train/folds.h"

namespace halfspace::training {

// Returns the candidates in groups, each in the order in which to train: those that minimize the same losses at different
// prices are one group, the lowest price first; any other candidate is a group of its own.
std::vector<std::vector<std::size_t>> paths_of(std::span<const Candidate> candidates);

}  // namespace halfspace::training
