// What C++20 has and libc++ 13, that of Debian 12's emscripten, lacks. Included before every source of that build.
#pragma once

#ifdef __cplusplus
#include <cstring>
#include <memory>
#include <type_traits>
#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#ifndef __cpp_lib_smart_ptr_for_overwrite
namespace std {
template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t size) {
  return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}
}  // namespace std
#endif
#endif
