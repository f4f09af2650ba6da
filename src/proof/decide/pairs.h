// Looks for two classes that no hyperplane separates, which decides a multiclass question in the space of two.
//
// If sum N_i x_i over rows of class a equals sum N_j x_j over rows of class b, with equal sums of N where there is a bias,
// the same weights make Kesler's points of these rows, each against the other class, sum to 0 in the blocks of a and b,
// which are the only ones they touch. So no vectors give every row's own class the highest score.
//
// Cost: a row takes part in one question of d coordinates for each other class; Kesler's points have K d coordinates.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "proof/decide/decide.h"
#include "proof/decide/posed.h"

namespace halfspace::proof {

// A combination of rows of two classes.
struct PairFinding {
  bool witness = false;                 // else near 0, which bounds the margin
  std::vector<Kesler::Origin> origins;  // ascending by row
  WeightedMembers weights;              // a member is a position in `origins`
};

// Asks about pairs of classes in the order of the distance of their means, at most 1,000, until one is not separable.
// Returns the witness; without one, as time ended or memory, the combination of the last pair that is undecided; nothing
// if all are separable. The budget should leave some for what follows.
std::optional<PairFinding> inseparable_pair(const Points& points, const Asked& asked, const Budget& budget,
                                            const std::function<void(const char* stage, Bracket)>& progress);

}  // namespace halfspace::proof
