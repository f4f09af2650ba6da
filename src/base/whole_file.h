// Reads a complete file.
//
// Thread-safety: pure functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>

namespace halfspace {

// Returns the content of a file, or of standard input if the path is "-"; for content longer than `most` bytes,
// slightly more than `most` bytes. Throws Error(no_input) if it cannot be opened or is a folder, Error(input_output) if
// it cannot be read, Interrupted once the flag is set.
std::string whole_file(const std::string& path, const std::atomic<bool>* interrupt,
                       std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace halfspace
