// Calls of halfspace_watch.on_progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "halfspace/game/ledger.h"
#include "halfspace_c.h"

namespace halfspace::c {

// A halfspace_progress of which little needs to be known.
struct Now {
  const char* stage;
  std::optional<double> share{};
  std::uint64_t rounds = 0, mistakes = 0;
  double lower = 0, upper = 0;
  double errors = 0, weight = 0;
};
inline Now training_now(std::optional<double> share, const Ledger& ledger) {
  return {"training", share, ledger.rounds, ledger.mistakes, 0, 0, ledger.errors(), ledger.weight()};
}

// Passes on how far a call is, at most ten times a second. Thread-safety: one thread.
class Progress {
 public:
  // `watch`: null, or valid while this is.
  explicit Progress(const halfspace_watch* watch) : watch_(watch) {}

  bool wanted() const noexcept { return watch_ != nullptr && watch_->on_progress != nullptr; }
  // Calls back if there was no call for a tenth of a second.
  void report(const Now& now) {
    const auto time = std::chrono::steady_clock::now();
    if (!wanted() || (last_ && time - *last_ < std::chrono::milliseconds(100))) return;
    last_ = time;
    call(now);
  }
  // Calls back at the end.
  void finish(const Now& now) {
    if (wanted()) call(now);
  }

 private:
  void call(const Now& now) {
    const halfspace_progress given{
        now.stage, now.share.value_or(-1), now.rounds, now.mistakes, now.lower, now.upper, now.errors, now.weight};
    watch_->on_progress(watch_->context, &given);
  }

  const halfspace_watch* watch_;
  std::optional<std::chrono::steady_clock::time_point> last_;
};

// Returns the share of the data that was read; empty if its size is not known.
inline std::optional<double> share_of(std::uint64_t done, std::uint64_t total) {
  if (total == 0) return std::nullopt;
  return static_cast<double>(done) / static_cast<double>(total);
}

}  // namespace halfspace::c
