// "Did you mean": the known words closest to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace {

// Returns the candidates at the smallest edit distance from `word` (a letter added, lost, changed, or two neighbours
// swapped; upper and lower case are the same letter), at most three, in the order given; none when all are further than
// a third of the word's length, or than 3. Cost O(candidates * length^2) for those of about the same length.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// Returns "did you mean 'age' or 'wage'?", or empty when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace halfspace
