// Writes the choices of a log, and their rewards, as decision-service JSON: a line a choice that has its reward, in the
// order of the rewards, for Vowpal Wabbit and for `bandit --logged`.
//
// Cost, reward: a cost is minus the reward. Probabilities have 17 digits, so that they are those of the draw. Actions
// that were excluded are left out; an action without features has its id as one.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/log/storage.h"

namespace halfspace::service {

// Replays the log from its beginning; `write` takes a line with its end. Returns how many lines there were. Throws Error:
// usage if there is no log of choices; data if it is damaged; what `write` throws.
std::uint64_t export_choices(log::Storage& storage, const std::function<void(std::string_view line)>& write);

}  // namespace halfspace::service
