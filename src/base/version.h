// The project's version, as the build gives it.
#pragma once

namespace halfspace {

inline constexpr const char* kVersion = HALFSPACE_VERSION;

}  // namespace halfspace
