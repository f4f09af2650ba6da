// How much memory this process may still take: what the machine has available, and what its limits leave.
//
// Thread-safety: pure functions of the system's state.
#pragma once

#include <cstdint>

namespace halfspace {

// Returns bytes; UINT64_MAX where the system does not say.
std::uint64_t memory_at_hand();

}  // namespace halfspace
