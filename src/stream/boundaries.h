// Where the bytes stand that are no digits: 64 bytes at a time, so that a parser knows the ends of all numbers of a
// line before it reads the first, and need not find out one by one where the next begins.
//
// Thread-safety: a pure function. Cost O(size).
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfspace::stream {

// So many bytes after the text must be readable, and so many positions after the last writable.
inline constexpr std::size_t boundary_margin = 64;

// Writes the positions of the bytes of text[0, size) that are not '0' .. '9', in order, and returns how many there are.
// `positions` has room for size + boundary_margin.
std::size_t find_boundaries(const char* text, std::size_t size, std::uint32_t* positions);

}  // namespace halfspace::stream
