// How an interface shows a text of the library: emphasis, and the names of options.
//
//   TextStyle{}                                          // a plain text; options as `rate`
//   TextStyle{.terminal = true, .options = as_flag}      // escape sequences of a terminal; options as `--rate`
//
// Thread-safety: a value type.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/base/error.h"

namespace halfspace {

struct TextStyle {
  bool terminal = false;
  OptionStyle options{};

  // Return the text with emphasis, or less of it, on a terminal; otherwise the text as it is.
  std::string bold(std::string_view text) const { return styled("1", text); }
  std::string dim(std::string_view text) const { return styled("2", text); }
  std::string red(std::string_view text) const { return styled("31", text); }

  // Returns the text with every option() that it names rendered.
  std::string rendered(std::string_view text) const { return render_options(text, options); }

 private:
  std::string styled(std::string_view code, std::string_view text) const {
    if (!terminal) return std::string(text);
    return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
  }
};

}  // namespace halfspace
