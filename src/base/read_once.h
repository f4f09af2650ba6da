// Reads of memory that another thread may write.
#pragma once

namespace halfspace {

// Reads a place exactly once. A compiler may read other memory again after a check, and then use a number that was never
// checked.
template <class T>
T read_once(const T& place) noexcept {
  return *const_cast<const volatile T*>(&place);
}

}  // namespace halfspace
