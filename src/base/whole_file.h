// Reads a complete file.
//
// Thread-safety: pure functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace halfspace {

// Returns the content of a file, or of standard input if the path is "-"; for content longer than `most` bytes,
// slightly more than `most` bytes. Throws Error(no_input) if it cannot be opened or is a folder, Error(input_output) if
// it cannot be read, Interrupted once the flag is set.
std::string whole_file(const std::string& path, const std::atomic<bool>* interrupt,
                       std::size_t most = std::numeric_limits<std::size_t>::max());

// Calls take() with the pieces of a file in turn, until it returns false. Throws as whole_file does.
void each_piece(const std::string& path, const std::atomic<bool>* interrupt,
                const std::function<bool(std::string_view)>& take);

}  // namespace halfspace
