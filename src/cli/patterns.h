// Expands file name patterns that the shell left unexpanded.
#pragma once

#include <string>
#include <vector>

namespace halfspace::cli {

// Returns the files that match a pattern with *, ? or [, in byte order; the word itself if it is not a pattern or names
// an existing file. Throws Error(no_input) if nothing matches, unless `none_too`, or a folder cannot be read.
std::vector<std::string> expanded(const std::string& word, bool none_too = false);

}  // namespace halfspace::cli
