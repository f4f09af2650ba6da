// The support vectors of a model in words.
#pragma once

#include <string>

#include "halfspace/train/model.h"

namespace halfspace::report {

// Returns "395 support vectors of at most 1,000, random removed 0".
std::string support_words(const Model& model);

}  // namespace halfspace::report
