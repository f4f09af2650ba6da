// Text into XML and HTML, so that nothing a file holds is ever markup.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace halfspace {

// Writes text as content or as an attribute's value, in either kind of quotes: & < > " ' become references, and so do
// tab, line feed and carriage return, which an attribute would read as spaces. What no XML 1.0 document can hold, not
// even as a reference (section 2.2: other control characters, U+FFFE, U+FFFF, and bytes that are no UTF-8), becomes
// U+FFFD.
std::string escaped(std::string_view text);

// Returns where the first thing begins that `escaped` would replace by U+FFFD; npos when there is none. Who needs names
// to stay what they are asks this first.
std::size_t unwritable(std::string_view text);

}  // namespace halfspace
