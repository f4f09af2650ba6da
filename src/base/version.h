// The project's version, set by the build.
#pragma once

namespace halfspace {

inline constexpr const char* kVersion = HALFSPACE_VERSION;

}  // namespace halfspace
