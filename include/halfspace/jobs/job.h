// A job: training, evaluation, prediction or a proof on data that no one machine holds, as tasks of bytes that anything
// with a `map` can do: processes, an MPI, Dask.
//
//   jobs::Job job({.kind = jobs::Kind::train, .options = {.paths = {"part-1.svm", "part-2.svm"}}, .epochs = 3});
//   while (!job.done()) {
//     const std::vector<std::uint8_t> shared = job.shared();
//     for (const jobs::Task& task : job.tasks())
//       job.take(task.number, jobs::run_task(task.bytes, shared));  // anywhere, in any order
//   }
//   save_model(job.model(), "rows.model");
//
// A result is a function of its task, what it shares with others and the data; a job of its order and the results. So
// the outcome has the same bits whoever does the tasks, how many do them, and where they are done again after a failure;
// a job that was saved goes on anywhere.
//
// Training: iterative parameter mixing (mixing/mixing.h). Its steps: the plan of the shards, the names of each shard
// where names may be new, an epoch after the other, and what the bound needs to know of each shard. With an objective (of
// a smooth loss: optimum/optimum.h) its proved minimum over all rows in place of epochs: a step a sum over the rows. A task
// is a run of adjacent shards, whose sums are added within it. Evaluation and prediction: slices of the rows; of prediction step by
// step, so that the lines of a step fit into memory. Certification and verification: whole files, passed over as often as
// the search or the check asks for it; that is done in take(), which may then take long (set_on_wait()), where memory is
// that of `--memory`. A saved certification has what all passes found, so that its search goes the same way again.
//
// Source: as mixing/mixing.h. Cost: what the tasks of an epoch share has the weights, and so has each result.
// Thread-safety: a Job is one thread's; run_task() is a function.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"

namespace halfspace::jobs {

enum class Kind : std::uint8_t { train, evaluate, predict, certify, verify };

// What to read and how, as of `halfspace train`, `evaluate` or `certify`: flags without their dashes, with their values.
struct NamedOptions {
  std::vector<std::string> paths{};  // that whoever does a task can read; none: the rows are given to run_task()
  std::vector<std::pair<std::string, std::string>> options{};
};

struct Order {
  Kind kind = Kind::train;
  NamedOptions options{};
  // Paths are names of files, of which each is read only where it is: a shard, or a slice, has rows of one file, and
  // Sources::path finds it. `tasks` counts for nothing.
  bool by_file = false;
  std::uint32_t shards = 64;          // of training: a power of two
  std::uint32_t tasks = 16;           // of a step, at most; of an epoch the power of two below
  std::uint64_t epochs = 1;           // of training
  Mixing mixing = Mixing::uniform;    // of training
  std::vector<std::uint8_t> model{};  // of evaluation and prediction: encode()
  std::string certificate{};          // of verification: its text
  bool scores = false;                // predict the score that decides instead of the label
};

struct Task {
  std::uint64_t number = 0;
  std::uint32_t first = 0, shards = 0;  // [first, first + shards): those whose rows it reads; of a slice its number
  std::size_t file = 0;                 // by_file: which of the paths it reads; their number for none
  std::vector<std::uint8_t> bytes{};
};

// The rows of shards that a process keeps from step to step, of one job at a time, so that they are read once. Any number
// of threads.
class KeptRows {
 public:
  // Returns the rows of a shard of a job, by its number; null: they are not kept.
  std::shared_ptr<const KeptShard> find(std::uint64_t job, std::uint32_t shard) const;
  // Keeps them, if all take at most so many bytes, and forgets those of another job.
  void keep(std::uint64_t job, std::uint32_t shard, std::shared_ptr<const KeptShard> rows, std::uint64_t memory);
  void forget();

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const KeptShard>> rows_;
  std::uint64_t job_ = 0, used_ = 0;
};

// The rows of updates that a worker keeps for the bound, by shard, within some memory (bytes). With those of all epochs
// a bound is over the mistakes, else over all rows, which are read again. For an engine that does each task once, those
// of a shard always here. One thread's.
class KeptShards {
 public:
  explicit KeptShards(std::uint64_t memory) : memory_(memory) {}
  KeptUpdates& of(std::uint32_t shard, std::uint32_t shards) {
    return shards_.try_emplace(shard, memory_ / shards).first->second;
  }

 private:
  std::map<std::uint32_t, KeptUpdates> shards_;
  std::uint64_t memory_;
};

class Job {
 public:
  // Throws Error(usage) for an order that cannot be carried out.
  explicit Job(Order order);
  // Goes on with a job that was saved, perhaps to more epochs. Throws Error: data for damaged bytes, usage for fewer
  // epochs than it has had.
  explicit Job(std::span<const std::uint8_t> saved, std::optional<std::uint64_t> epochs = {});
  ~Job();
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;

  bool done() const;
  // Returns the tasks of this step that have no result yet.
  std::vector<Task> tasks() const;
  std::string step() const;  // in words: "epoch 3"
  // Returns what the tasks of this step have in common, such as the weights.
  std::vector<std::uint8_t> shared() const;
  // Takes a result. Returns false, and does nothing, for a task that has one already or belongs to an earlier step.
  // Throws Error(data) for damaged bytes, and for the result of another task or job; what a step's results do not allow
  // (data: no rows) when the last one comes: its tasks are open again.
  bool take(std::uint64_t task, std::span<const std::uint8_t> result);
  std::vector<std::uint8_t> save() const;
  // Has a function called about ten times a second while take() searches for a proof, such as to show step(). What it
  // throws ends the job.
  void set_on_wait(std::function<void()> on_wait);
  // Returns what whoever looked at the data first found odd about them, and what was done about it.
  const std::vector<ReadNote>& notes() const;

  const Order& order() const;
  std::uint64_t epoch() const;                 // finished
  const std::vector<FileRows>& files() const;  // of a plan; by file with their names
  const MixState& state() const;               // of training, after the epochs that are done
  // Of a job that is done. Throw Error(usage) for one that is not, or of another kind.
  const Model& model() const;             // train
  const MinimumReached* minimum() const;  // of a training with an objective; else null
  const CertifyResult& certified() const;
  const proof::Verification& verified() const;
  std::string json() const;  // all but prediction: what `halfspace-mpi COMMAND --json` prints of the data
  // Of prediction: takes the lines so far, one a row, in the order of the rows; after each step, or in the end.
  std::string take_lines();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What is here for tasks. Each may be empty.
struct Sources {
  // Puts the rows of a shard, or of a slice, into options of reading: of a job without paths.
  std::function<ReadOptions(std::uint32_t number, ReadOptions read)> rows{};
  std::function<std::string(const std::string& name)> path{};  // of a file that is read here: of a job by file
  std::function<void(ReadOptions& read)> attend{};             // what else belongs to reading: progress, interrupts
  std::string folder{};                                        // for rows beyond the memory; empty: /tmp
  KeptShards* kept = nullptr;                                  // for the bounds of epochs that are all done here
  KeptRows* rows_kept = nullptr;                               // within the memory of the order
};

// Does a task: reads its rows, and returns the result. Throws Error as Reader and the learner do; Error(data) for bytes
// that are not a task, or not of this step.
std::vector<std::uint8_t> run_task(std::span<const std::uint8_t> task, std::span<const std::uint8_t> shared,
                                   const Sources& sources = {});

}  // namespace halfspace::jobs
