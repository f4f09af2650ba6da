// The model of a minimum, prepared to be trained on: as that of NAG (nag.h) with the loss of the objective, or of the
// multinomial learner (multinomial.h), which takes NAG's steps.
//
// Idea. How far NAG moves a weight depends on the squares of the slopes it has met. Those of the rows at the minimum
// stand for them, as if it had made a pass there: s_j the largest |x_j|, n_j the sum of c (g x_j)^2, N that of
// c sum (x_j / s_j)^2 and t that of c, where c is a row's weight and g the slope of its loss. At the minimum the slopes
// add up to nothing but the penalty, so that rows like these leave the weights near where they are.
//
// Nothing is proved of the mistakes that follow: NAG has no theorem about them. Cost: two passes over the rows.
#pragma once

#include "halfspace/detail/train/objective.h"
#include "halfspace/game/learner.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"

namespace halfspace::training {

// Returns the composition that continues a minimum of this composition, for these classes.
Composition continued(const Composition& minimum, const Objective& objective, const Labels& labels);

// Gives a learner of that composition the weights, and the state that the rows bring it into. Returns false if that leaves
// the doubles, and the learner is as it was.
bool continue_from(const ClassWeightVector& weights, const Rows& rows, const Composition& composition,
                   Learner& learner);

}  // namespace halfspace::training
