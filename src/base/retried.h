// Retries system calls that a signal interrupted before they did anything.
//
// Our signal handler is installed without SA_RESTART, so that a wait for input ends; other calls must not end with it.
// Not for close(), which releases the descriptor whatever it returns.
#pragma once

#include <cerrno>

namespace halfspace {

// Repeats a call that returns a negative value and sets errno to EINTR; returns its last result.
template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) return answer;
  }
}

}  // namespace halfspace
