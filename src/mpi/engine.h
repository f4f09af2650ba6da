// Does jobs (halfspace/jobs/job.h) on the workers of an MPI: worker 0 has the job, all do its tasks.
//
// Each worker does a run of adjacent tasks, step by step; of a job by file, tasks whose file it can read. A worker's tasks
// are of the same shards in every epoch, so that what it keeps for the bound is complete.
//
// Thread-safety: the thread that made the workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/jobs/job.h"
#include "mpi/local_files.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

// Files that this worker alone can read; none: all workers read the paths of the job.
using OwnFiles = std::optional<std::vector<std::string>>;

// Prints the notes of a job that are not shown yet.
void show_notes(const jobs::Job& job, std::size_t& shown);

class Engine {
 public:
  // Collective. `interrupt`: ends reading; `folder`: for rows beyond the memory; `memory`: bytes that a worker may keep
  // for the bound.
  Engine(Workers& workers, const OwnFiles& own, const std::atomic<bool>* interrupt, std::string folder,
         std::uint64_t memory = 0);

  // Returns the paths of an order: the names of all files, or the given paths.
  std::vector<std::string> paths(const std::vector<std::string>& given) const;
  // Throws Error unless the files are those of a job that was saved.
  void check(const jobs::Job& job) const;

  // Collective: does all tasks. `job`: on worker 0; null on the others. `on_step`: on worker 0, after each step, and now
  // and then in a long one.
  void run(jobs::Job* job, const std::function<void()>& on_step = {});
  // Returns the bytes between workers in the last step with weights, on worker 0.
  std::uint64_t bytes_of_epoch() const noexcept { return bytes_of_epoch_; }
  // Returns those in all steps.
  std::uint64_t bytes_of_all() const noexcept { return bytes_of_all_; }

 private:
  void lead(jobs::Job& job, const std::function<void()>& on_step);
  void follow();
  Bytes done(const std::string& step, const std::vector<Bytes>& tasks, const Bytes& shared);
  std::vector<int> workers_of(const std::vector<jobs::Task>& tasks) const;

  Workers& workers_;
  std::optional<LocalFiles> files_;
  jobs::KeptShards kept_;
  jobs::KeptRows rows_kept_;
  jobs::Sources sources_;
  std::uint64_t bytes_of_epoch_ = 0, bytes_of_all_ = 0;
};

}  // namespace halfspace::mpi
