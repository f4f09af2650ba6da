// The Python that scripts of tests run in.
#pragma once

#include <unistd.h>

#include <string>

namespace halfspace::testing {

// Begins a line for the shell. The system's: what comes first on the path may be a script that looks for one.
inline std::string python() {
  const char* const system = "/usr/bin/python3";
  return std::string(::access(system, X_OK) == 0 ? system : "python3") + " -B ";
}

}  // namespace halfspace::testing
