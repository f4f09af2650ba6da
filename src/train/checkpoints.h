// Hands a run's model out on its way, whole, as if the run had been broken off there.
//
// Thread-safety: one thread. Ownership: keeps a reference to the options.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "halfspace/train/train.h"

namespace halfspace::training {

struct Run;

// Returns the model of a run as it stands; a copy of its learner ends the run, the learner itself goes on.
Model model_so_far(const Run& run, Schema schema, Position position);

class Checkpoints {
 public:
  explicit Checkpoints(const TrainOptions& options) : options_(options) {}

  // Starts the count at the rounds of a run that goes on.
  void begin(const Ledger& ledger) noexcept { rounds_ = looked_at_ = ledger.rounds; }

  // Tells, between two blocks, whether it is time: also when one more, as large as any so far, would be too much.
  bool due(const Ledger& ledger);

  // Hands out the model with this schema and this place in the data.
  void hand_out(const Run& run, Schema schema, Position position);

 private:
  const TrainOptions& options_;
  std::uint64_t rounds_ = 0;     // at the last one
  std::uint64_t looked_at_ = 0;  // at the last look
  std::uint64_t largest_ = 0;    // block so far
  Clock::time_point time_ = Clock::now();
};

}  // namespace halfspace::training
