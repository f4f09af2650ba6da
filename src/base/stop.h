// Ends work that somebody wants stopped.
#pragma once

#include <atomic>

#include "halfspace/base/error.h"

namespace halfspace {

// Throws Error(input_output) once `interrupt` is set; null never is.
inline void stop_if(const std::atomic<bool>* interrupt, const char* message = "interrupted") {
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw Error(ErrorKind::input_output, message);
}

}  // namespace halfspace
