// How much memory this process may still take: what the machine has available, and what a limit on its address space
// leaves. A limit on a group of processes is not looked at.
//
// Thread-safety: pure functions of the system's state.
#pragma once

#include <cstdint>

namespace halfspace {

// Returns bytes; UINT64_MAX where the system does not say.
std::uint64_t memory_at_hand();

}  // namespace halfspace
