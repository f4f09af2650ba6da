// Uses a model in the workers of an MPI job: each reads a slice of the rows, or its own files; counts add up, predictions
// keep the order of the rows, or of the names of files.
//
// Thread-safety: the thread that made the workers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/mixing/shards.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/model.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

struct Counts {
  ConfusionTable confusion;
  std::uint64_t rejected = 0;
};

// Files of this worker alone; none: all workers read the same.
using OwnFiles = std::optional<std::vector<std::string>>;

// Collective. `read`: of the model's data, as evaluation reads them. Rows count by their weights if `weighted`. Returns
// all counts on worker 0; sums of weights that are no whole numbers are rounded, by the number of workers differently.
// Throws Error.
Counts evaluate(Workers& workers, const Model& model, const ReadOptions& read, const OwnFiles& local, bool weighted);

// Collective. Passes the lines of all rows to `write` on worker 0, in the order of the rows: a label, or with `scores` a
// label and its scores, as `halfspace predict` writes them. Returns the number of rows on worker 0.
std::uint64_t predict(Workers& workers, const Model& model, const ReadOptions& read, const OwnFiles& local, bool scores,
                      const std::function<void(const std::string&)>& write);

}  // namespace halfspace::mpi
