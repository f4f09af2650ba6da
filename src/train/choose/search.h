// Parses NAME=VALUES, the texts of TrainSettings::search, into the candidates to validate.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "halfspace/train/choose.h"

namespace halfspace::training {

// Returns every combination of the values, the first flag changing slowest. NAME=LO..HI is a logarithmic grid of 7
// values, NAME=LO..HI:N one of N, each rounded to three digits so that it can be typed; NAME=A,B,C is a list. Throws
// Error(usage) for an unknown parameter (with the nearest), one the rule does not have, and values outside its domain.
std::vector<NamedCandidate> candidates(std::span<const std::string> searches, const Candidate& base);

// Returns the names before the values.
std::vector<std::string> searched_names(std::span<const std::string> searches);

// Returns "rate, margin, ...; with --objective C, ...", for help.
std::string searchable();

}  // namespace halfspace::training
