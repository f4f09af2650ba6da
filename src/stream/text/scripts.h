// Scripts whose words have no blanks between them. Thread-safety: pure functions.
#pragma once

#include <string_view>

namespace halfspace::stream {

// Returns whether most of a text, valid UTF-8, are letters of Chinese, Japanese, Thai, Lao, Khmer or Burmese, at least
// six: its words are not separated by blanks.
bool lacks_blanks(std::string_view text);

}  // namespace halfspace::stream
