// Minimizes the objective of a run over its kept rows.
#pragma once

#include "train/run.h"

namespace halfspace::training {

// Gives the learner the weights of the minimum, and the run what is proved of them.
void minimize_objective(Run& run, const Rows& rows);

}  // namespace halfspace::training
