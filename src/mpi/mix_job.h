// Trains by iterative parameter mixing (mixing.h) in the workers of an MPI job.
//
// Each worker plays a run of adjacent shards and adds their sums up the tree as far as it can; a node whose halves are
// in two workers is added by the one that has its first shard. Worker 0 ends the epoch and sends the weights to all. Of
// files that only some workers can read, these play the shards.
//
// Thread-safety: the thread that made the workers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/mixing/mixing.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

struct MixJob {
  MixOptions options;
  std::optional<std::uint32_t> shards;            // none: 64, or with local files the fewest
  std::optional<std::vector<std::string>> local;  // files of this worker alone; none: all workers read options.read
  std::uint64_t epochs = 1;
  std::string checkpoint;                           // worker 0 writes it after each epoch; empty: none
  std::string resume;                               // a checkpoint to go on from; empty: none
  std::function<void(const MixState&)> on_epoch{};  // on worker 0
};

// On worker 0: everything; on others only the plan is whole. The plan's paths are those of this worker, of local files
// that it cannot read their names.
struct MixResult {
  ShardPlan plan;
  MixState state;
  Model model;
  std::vector<ShardMargins> margins;
  std::optional<MixBound> bound;
  std::uint64_t bytes_sent = 0;  // by all workers, for the sums of one epoch and its weights
};

// Collective. Throws Error in the worker that fails.
MixResult run(Workers& workers, const MixJob& job);

}  // namespace halfspace::mpi
