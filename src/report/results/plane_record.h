// Records a run for its picture in the plane: a sample of rows, and the effect of updates on the weights.
//
//   PlaneRecord record;
//   options.on_rows = [&](const Block& block) { record.rows(block); };
//   options.observer = [&](const RoundView& view) { record.round(view); };
//   const TrainResult result = train(options);
//   const Json plane = record.picture(result, options.resume, choice);   // the key `plane` of docs/formats/json.md
//
// Observes without changing the run. Its size is bounded for any run: rows evenly spread over the file (at most
// `rows`), the first updates completely and later ones at growing distances (at most `moments`), and at most `numbers`
// numbers in each. Weights are the engine's own, bit for bit; so are the rows, as the rule saw them. Cost: a comparison
// a round, O(features) for an update that is kept.
//
// Thread-safety: one thread. Ownership: copies what it keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/game/learner.h"
#include "halfspace/kernels/example.h"
#include "halfspace/train/train.h"
#include "report/results/json.h"

namespace halfspace::report {

struct PlaneLimits {
  std::size_t rows = 2000;
  std::size_t moments = 2000;
  std::size_t numbers = 4'000'000;
  // Records nothing for rows with more features than this. One or two features are always drawn.
  std::uint32_t features = 4096;
};

// Returns whether the keeper has weights of its own after each round: an average, or a pocket by errors on all rows.
// Other pockets are known at the end alone, and a vote is no single vector.
bool keeps_weights_of_its_own(const Composition& composition);

// Selects the plane. Neither `features` nor `projection`: the features if there are at most two, else the projection.
struct PlaneChoice {
  std::string features{};   // "A,B": names of two features
  bool projection = false;  // spanned by the weights and the direction in which the rows differ most
};

class PlaneRecord {
 public:
  explicit PlaneRecord(PlaneLimits limits = {}) : limits_(limits) {}

  void rows(const Block& block);
  void round(const RoundView& view);

  // Returns the plane; null if there is nothing to draw: no feature, more than the limit, no row, or no weights. `resume`: the model the run resumed, or null. Throws Error(usage) if the choice does not name two features
  // of the data.
  Json picture(const TrainResult& result, const Model* resume, const PlaneChoice& choice);

 private:
  struct Moment {
    std::uint64_t update, round, row;
    Outcome outcome;
    ClassWeightVector after;
    std::optional<ClassWeightVector> before;  // empty if equal to the weights after the moment before
    std::optional<ClassWeightVector> kept;    // the average or the pocket then; empty if equal to `after`
  };
  friend class PlanePicture;

  bool too_wide(const RowValues& values);
  void thin();

  PlaneLimits limits_;
  bool given_up_ = false;
  // Rows: every stride_-th one.
  BlockBuffer kept_;
  std::uint64_t seen_ = 0, stride_ = 1;
  // Moments, and their rows in the same order.
  std::vector<Moment> moments_;
  BlockBuffer moved_;
  std::uint64_t updates_ = 0, next_ = 1;
  std::size_t numbers_ = 0, capacity_ = 0;
  bool full_ = false;
  std::optional<ClassWeightVector> before_;  // the weights before update next_
};

}  // namespace halfspace::report
