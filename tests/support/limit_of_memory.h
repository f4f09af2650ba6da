// A limit on the memory of a command, as a shell sets it.
#pragma once

#include <cstdint>
#include <string>

namespace halfspace {

// Sanitizers take more address space than any limit would leave.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool memory_can_be_limited = false;
#elif defined(__has_feature)
inline constexpr bool memory_can_be_limited = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool memory_can_be_limited = true;
#endif

// Returns what to write before a command in sh; nothing where memory cannot be limited.
inline std::string limit_of_memory(std::uint64_t kibibytes) {
  return memory_can_be_limited ? "ulimit -v " + std::to_string(kibibytes) + "; " : "";
}

}  // namespace halfspace
