// Asks for the rows to come while one is worked on: the processor's own prefetching stops at every page, and rows that
// are walked in order end a page every few rows.
#pragma once

#include <cstddef>

#include "halfspace/example.h"

namespace halfspace::kernels {

// As many bytes as this row has, a fixed way ahead of it. They may lie behind the block: asking does no harm.
template <class Value, bool dense>
inline void fetch_behind(const Example<Value, dense>& x) noexcept {
  constexpr std::size_t ahead = 512;  // values: a few rows
  constexpr std::size_t line = 64;
  const auto fetch = [](const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(static_cast<const char*>(from) + at);
  };
  if constexpr (!dense) fetch(x.index + ahead, x.size * sizeof(std::uint32_t));
  if constexpr (!std::is_same_v<Value, One>) fetch(x.value + ahead, x.size * sizeof(Value));
}

}  // namespace halfspace::kernels
