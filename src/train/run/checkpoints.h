// Emits checkpoints: the complete model of a run in progress, as if the run were interrupted now.
//
// Thread-safety: one thread. Ownership: keeps a reference to the options.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "halfspace/train/train.h"

namespace halfspace::training {

struct Run;

// Returns the model of a run so far; finishes a copy of the learner, so that the run can continue.
Model model_so_far(const Run& run, Schema schema, Position position);

class Checkpoints {
 public:
  explicit Checkpoints(const TrainOptions& options) : options_(options) {}

  // Starts counting at the rounds of a resumed run.
  void begin(const Ledger& ledger) noexcept { rounds_ = looked_at_ = ledger.rounds; }

  // Returns, between two blocks, whether a checkpoint is due: also if another block as large as the largest so far
  // would exceed the limit.
  bool due(const Ledger& ledger);

  // Emits the model with this schema and this position in the data.
  void emit(const Run& run, Schema schema, Position position);

 private:
  const TrainOptions& options_;
  std::uint64_t rounds_ = 0;     // at the last checkpoint
  std::uint64_t looked_at_ = 0;  // at the last call of due()
  std::uint64_t largest_ = 0;    // rounds of the largest block so far
  Clock::time_point time_ = Clock::now();
};

}  // namespace halfspace::training
