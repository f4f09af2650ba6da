// The memory that this process may still allocate: the machine's available memory, limited by the process's address
// space limit. Ignores cgroup limits.
//
// Thread-safety: pure functions of the system's state.
#pragma once

#include <cstdint>

namespace halfspace {

// Returns bytes; UINT64_MAX if the system does not report it.
std::uint64_t available_memory();

}  // namespace halfspace
