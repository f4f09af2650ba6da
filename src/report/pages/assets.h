// Files embedded at build time (cmake/embed.cmake): the style and the scripts of pages from web/, sample tables, and
// docs/words.md.
#pragma once

#include <span>
#include <string_view>

namespace halfspace::report {

struct Asset {
  std::string_view name, text;
};

// Returns page.css, page.js, credit.csv, larks.csv and the other files, by name.
std::span<const Asset> assets();

}  // namespace halfspace::report
