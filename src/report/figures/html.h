// Converts text to HTML, so that no content of a file becomes markup or script.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/markup.h"  // escaped: text as content or as an attribute's value

namespace halfspace::report {

// Escapes like `escaped`, shortened in the middle to at most `width` characters.
std::string escaped_short(std::string_view text, std::size_t width);

// Returns the number of UTF-8 characters of the text.
std::size_t letters(std::string_view text);

// Writes JSON as the content of a script element of type application/json: the same JSON, without < and >.
std::string inert_json(std::string_view json);

// Writes what a figure needs that the JSON lacks.
std::string missing_html(const std::string& text);

}  // namespace halfspace::report
