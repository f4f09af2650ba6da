// Checks that bytes are UTF-8, and finds the first that is not. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace halfspace {

// Refuses overlong forms, surrogates and points above U+10FFFF.
bool valid_utf8(std::string_view text);

// Returns the position of the first byte that is no part of a well-formed character; the size where there is none.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace halfspace
