// The minimum of an objective over the rows of all shards: what is asked of them, step by step, and the model.
//
// Vectors of weights that share a loss are searched together, others each by itself (optimum/newton_by_sums.h); a step asks
// for what all searches ask for. The first step counts rows and features.
//
// Thread-safety: an object is one thread's; functions are pure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/detail/train/objective.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/train/train.h"
#include "jobs/parts.h"
#include "optimum/newton_by_sums.h"

namespace halfspace::jobs {

// Throws Error(usage) for an objective that shards cannot follow.
void check_objective(const TrainOptions& options);

// A question: what each search asks for; of the first step nothing.
using Asked = std::vector<optimum::SumsAsked>;
Part encode(const Asked& asked);
Asked decode_asked(const Part& bytes);

// Sums over rows: one list of numbers for each part of a question.
using Answers = std::vector<std::vector<double>>;
// Returns the sums over some rows, which are sealed, that a question asks for; adds those of other rows. Throw Error(data)
// for a question about fewer features, or sums that are no answer to it.
Answers sums_of_rows(const KeptShard& shard, const TrainOptions& options, const Asked& asked);
void add(const Asked& asked, Answers& to, const Answers& more);
Part encode(const Answers& answers);
Answers decode_answers(const Part& bytes);

class MinimumSearch {
 public:
  MinimumSearch(const TrainOptions& options, const ShardPlan& plan);
  ~MinimumSearch();
  MinimumSearch(const MinimumSearch&) = delete;
  MinimumSearch& operator=(const MinimumSearch&) = delete;

  bool asks() const;
  Asked question() const;
  std::string step() const;  // in words
  // Goes on with the answer of all rows. Throws Error(data) where the objective leaves the range of doubles.
  void take(const Answers& answer);
  // The answers so far, with which another search goes the same way.
  std::vector<Part> saved() const;
  void restore(const std::vector<Part>& saved);

  // Of a search that is done.
  std::uint64_t rows() const;
  std::uint64_t rejected() const;  // bad rows that were skipped
  std::uint64_t steps() const;
  const MinimumReached& minimum() const;
  const Model& model() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace::jobs
