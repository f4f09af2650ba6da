// Names of files from a word of the command line, where the shell has left a pattern as it is.
#pragma once

#include <string>
#include <vector>

namespace halfspace::cli {

// Returns the files that a pattern with *, ? or [ matches, in the order of their bytes; the word itself where it is none,
// or the name of a file that is there. Throws Error(no_input) where nothing matches, or a folder cannot be read.
std::vector<std::string> expanded(const std::string& word);

}  // namespace halfspace::cli
