// Large arrays in pages of 2 MiB: the first access to each page costs as much as clearing kilobytes, whatever its size.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halfspace {

// Asks for huge pages where whole ones fit. A hint: without it everything works, slower.
inline void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + page - 1) / page * page, end = (begin + bytes) / page * page;
  if (first < end) ::madvise(static_cast<char*>(memory) + (first - begin), end - first, MADV_HUGEPAGE);
#endif
}

// Reserves memory for `count` values, in huge pages.
template <class T>
void reserve_huge(std::vector<T>& values, std::size_t count) {
  values.reserve(count);
  prefer_huge_pages(values.data(), values.capacity() * sizeof(T));
}

}  // namespace halfspace
