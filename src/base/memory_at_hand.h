// How much memory this process may still take: what the machine has available, and what a limit on its address space
// leaves. A limit on a group of processes is ignored.
//
// Thread-safety: pure functions of the system's state.
#pragma once

#include <cstdint>

namespace halfspace {

// Returns bytes; UINT64_MAX if the system does not report it.
std::uint64_t memory_at_hand();

}  // namespace halfspace
