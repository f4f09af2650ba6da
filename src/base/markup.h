// Converts text to XML and HTML, so that no content of a file becomes markup.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace halfspace {

// Escapes text for content or an attribute's value, in either kind of quotes: & < > " ' become references, and so do
// tab, line feed and carriage return, which an attribute would read as spaces. What XML 1.0 cannot contain, not even as
// a reference (section 2.2: other control characters, U+FFFE, U+FFFF, and invalid UTF-8), becomes U+FFFD.
std::string escaped(std::string_view text);

// Returns the position of the first text that `escaped` would replace by U+FFFD; npos if there is none. Call it first
// if names must stay unchanged.
std::size_t unwritable(std::string_view text);

}  // namespace halfspace
