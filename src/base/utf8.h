// Validates UTF-8. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace halfspace {

// Returns true for valid UTF-8: no overlong forms, surrogates or points above U+10FFFF.
bool valid_utf8(std::string_view text);

// Returns the position of the first byte that is not part of a well-formed character; the size if there is none.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace halfspace
