// The entries that the build gathers from the folders of src/stream: one function a folder, named as the folder is.
#pragma once

#include <cstdint>
#include <vector>

namespace halfspace::stream {

struct FormatEntry;

// One more than the largest number of a format.
std::uint8_t number_after_formats();

namespace formats {

// Written by the build (cmake/entry_table.cmake).
void add_built_in(std::vector<FormatEntry>& entries);

}  // namespace formats
}  // namespace halfspace::stream
