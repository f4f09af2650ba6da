// "Did you mean": the known words closest to an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace {

// Returns the candidates at the smallest edit distance from `word` (insertion, deletion, substitution, transposition;
// case is ignored), at most three, in the order given; none if all are further than a third of the word's length, or
// than 3. Cost O(candidates * length^2) for those of about the same length.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// Returns "did you mean 'age' or 'wage'?", or empty if nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace halfspace
