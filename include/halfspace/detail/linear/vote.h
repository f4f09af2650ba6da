// The vote of all past vectors, which are rebuilt step by step; none is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"

namespace halfspace {

// Return squared norms of points, bias included.
double squared_norm(const WeightVector& point);
double squared_norm(const ClassWeightVector& point);

class Weights;
class ExponentialWeights;
class ClassWeights;

// Adds to votes[i], for each row i of the block, the ages of the vectors that predict it positive, minus those of the
// others. `start`: the weights before the first step, with all features known. Cost: a score per row and vector. Throws
// Error(data) if weights overflow.
void add_votes(Weights start, const VoteHistory& history, Tie tie, const Block& block, std::vector<double>& votes);
void add_votes(ExponentialWeights start, const VoteHistory& history, Tie tie, const Block& block,
               std::vector<double>& votes);
// Does the same for more classes: votes[row * classes + class].
void add_votes(ClassWeights start, const VoteHistory& history, Tie tie, const Block& block, std::vector<double>& votes);

// Returns the class with the highest score; ties go to the last with Tie::negative, else to the first.
std::uint32_t winner(const double* scores, std::uint32_t classes, Tie tie);

}  // namespace halfspace
