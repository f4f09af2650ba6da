// --search NAME=VALUES: which parameters there are, and the candidates that the flags come to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "halfspace/train/choose.h"

namespace halfspace::cli {

// Returns every combination of the values, the first flag changing slowest. NAME=LO..HI is a logarithmic grid of 7
// values, NAME=LO..HI:N one of N, each rounded to three digits, so that it can be typed; NAME=A,B,C is a list. Throws
// Error(usage): an unknown parameter, with the nearest; one that the rule does not have; values it may not take.
std::vector<NamedCandidate> candidates(std::span<const std::string> searches, const Candidate& base);

// Returns "rate, margin, ...", for help.
std::string searchable();

}  // namespace halfspace::cli
