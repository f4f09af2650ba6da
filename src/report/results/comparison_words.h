// The sentences of a comparison: which rows, which test, and who is best. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "halfspace/train/compare.h"

namespace halfspace::report {

// Returns "p = 0.0312".
std::string p_words(double p);
// Returns the names, with commas; of more than `most` the first and how many more.
std::string names_words(const Comparison& found, const std::vector<std::size_t>& which, std::size_t most = 3);
std::string rows_words(const Comparison& found);
std::string test_words(const Comparison& found);
// Returns the best competitor and whether it is significantly better than the others.
std::string best_words(const Comparison& found);

}  // namespace halfspace::report
