// Text into HTML, so that nothing a file holds is ever markup or script.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/markup.h"  // escaped: text as content or as an attribute's value

namespace halfspace::report {

// Escapes as `escaped` for at most `width` characters, cut in the middle with an ellipsis.
std::string escaped_short(std::string_view text, std::size_t width);

// Returns how many characters of UTF-8 the text has.
std::size_t letters(std::string_view text);

// Writes JSON text as the content of a script element of type application/json: still the same JSON, without < and >.
std::string inert_json(std::string_view json);

}  // namespace halfspace::report
