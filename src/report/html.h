// Text into HTML, so that nothing a file holds is ever markup or script.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace halfspace::report {

// Text as content or as an attribute's value in double quotes: & < > " ' become references, control bytes a dot, and
// bytes that are no UTF-8 the replacement character.
std::string escaped(std::string_view text);

// The same for at most `width` characters, cut in the middle with an ellipsis.
std::string escaped_short(std::string_view text, std::size_t width);

// JSON text as the content of a script element of type application/json: still the same JSON, without < and >.
std::string inert_json(std::string_view json);

}  // namespace halfspace::report
