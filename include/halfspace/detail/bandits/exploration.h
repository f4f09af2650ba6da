// Explorations: from an estimate of each action's reward to the probabilities with which the actions are drawn.
//
//   greedy     1 for the largest estimate; equal ones share evenly
//   epsilon    (1 - rate) greedy + rate / K
//   softmax    proportional to e^(rate * estimate)
//   squarecb   1 / (K + gamma (largest - estimate)), gamma = scale sqrt(t); the rest to the largest (inverse gap weighting)
//   thompson   of so many samples, one score an action, the share in which it is the largest
//   linucb     greedy in estimate + width * deviation
// Probabilities sum to 1 as computed, but for rounding. Thompson's are those of the samples at hand, whose draws are
// known: as propensities they are exact.
// Source: Foster and Rakhlin 2020 (SquareCB); Li, Chu, Langford and Schapire 2010 (LinUCB); Thompson 1933.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "halfspace/base/random.h"

namespace halfspace::exploration {

// `p` receives the probabilities of the actions, as many as there are estimates, at least one.
void greedy(std::span<const double> estimates, std::span<double> p);
void epsilon(std::span<const double> estimates, double rate, std::span<double> p);
void softmax(std::span<const double> estimates, double rate, std::span<double> p);
void inverse_gap(std::span<const double> estimates, double gamma, std::span<double> p);
void thompson(std::span<const double> scores, std::span<const double> variances, unsigned samples, Draws& draws,
              std::span<double> p);

}  // namespace halfspace::exploration
