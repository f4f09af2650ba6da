// The weights of Hedge over the experts of hedge_mixture.h: every candidate at every scale, and the score 0.
#pragma once

namespace halfspace::rules {

// Fills share[k] with the sum over the scales of scale times the expert's weight, and returns the logarithm of the sum of
// e^-(rate loss) over all experts, whose losses are scale * loss[k]. Both arrays have HedgeMixture::max_candidates entries;
// a candidate that does not exist has an infinite loss. The same bits at every level of vector code.
double hedge(const double* loss, double rate, double* share);

}  // namespace halfspace::rules
