// Tells whether bytes are UTF-8. Thread-safety: pure function.
#pragma once

#include <string_view>

namespace halfspace {

// Refuses overlong forms, surrogates and points above U+10FFFF.
bool valid_utf8(std::string_view text);

}  // namespace halfspace
