// A file as one text.
//
// Thread-safety: pure functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>

namespace halfspace {

// Returns all that is in a file, or on standard input when the path is "-"; of one longer than `most` bytes, some more
// than these. Throws Error(no_input) when it cannot be opened or is a folder, Error(input_output) when it cannot be read,
// Interrupted once the flag is set.
std::string whole_file(const std::string& path, const std::atomic<bool>* interrupt,
                       std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace halfspace
