// Scripts whose words have no blanks between them. Thread-safety: pure functions.
#pragma once

#include <string_view>

namespace halfspace::stream {

// Tells whether most of a text, valid UTF-8, are letters of Chinese, Japanese, Thai, Lao, Khmer or Burmese, six at least:
// its words are not parted by blanks.
bool lacks_blanks(std::string_view text);

}  // namespace halfspace::stream
