// System calls that a signal may break off before they have done anything: they are made again.
//
// A handler of ours is installed without SA_RESTART, so that a wait for input ends; what is not a wait must not end for
// it. Not for close(), after which the descriptor is gone whatever it answers.
#pragma once

#include <cerrno>

namespace halfspace {

// Makes a call that answers below 0 and sets errno when it fails; returns what it answers at last.
template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) return answer;
  }
}

}  // namespace halfspace
