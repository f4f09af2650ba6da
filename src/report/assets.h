// The style and the scripts of pages: the files of web/, embedded at build time (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace halfspace::report {

struct Asset {
  std::string_view name, text;
};

// Returns page.css, page.js and the other files, by name.
std::span<const Asset> assets();

}  // namespace halfspace::report
