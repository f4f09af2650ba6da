// --search NAME=VALUES: which parameters there are, and the candidates that the flags come to.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/train/folds.h"

namespace halfspace::cli {

// A candidate and what sets it apart: (name of the parameter, its value), in the order of the flags.
struct Named {
  std::vector<std::pair<std::string, double>> values;
  Candidate candidate;

  std::string name() const;  // "rate 0.1, margin 2"
};

// Every combination of the values, the first flag changing slowest. NAME=LO..HI is a logarithmic grid of 7 values,
// NAME=LO..HI:N one of N, each rounded to three digits, so that it can be typed; NAME=A,B,C is a list. Throws
// Error(usage): an unknown parameter, with the nearest; one that the rule does not have; values it may not take.
std::vector<Named> candidates(std::span<const std::string> searches, const Candidate& base);

// "rate, margin, ...", for help.
std::string searchable();

}  // namespace halfspace::cli
