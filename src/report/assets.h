// The style and the scripts of pages: the files of web/, embedded at build (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace halfspace::report {

struct Asset {
  std::string_view name, text;
};

// Returns page.css, page.js and what else there is, by name.
std::span<const Asset> assets();

}  // namespace halfspace::report
