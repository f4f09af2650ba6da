// The entries that the build collects from src/rules/entries: one function a file, named like the file.
#pragma once

#include <vector>

namespace halfspace {

struct RuleEntry;

namespace rules {

// Written by the build (cmake/entry_table.cmake).
void add_built_in(std::vector<RuleEntry>& entries);

}  // namespace rules
}  // namespace halfspace
