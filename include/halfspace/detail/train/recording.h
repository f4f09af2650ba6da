// Records a run for its figures: samples of the ledger, of the weights, and the result on the rows.
//
// A recording costs little and is bounded: the ledger is sampled at evenly spaced rounds, at most `most_moments` of
// them (when full, every second one is dropped); the weights at rounds that grow geometrically, spaced so that copying
// a vector is cheap against the rounds between. A run without a recorder pays nothing.
//
// Thread-safety: value types; the recorder belongs to the training thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/game/learner.h"

namespace halfspace {

// The ledger after a number of rounds.
struct Moment {
  std::uint64_t rounds = 0, mistakes = 0, updates = 0;
  double errors = 0, weight = 0, constant_errors = 0, previous_errors = 0;
  std::optional<double> window_error{};  // of the window, if it is watched, on the first pass
};

// The weights after a number of rounds, bias included.
struct WeightMoment {
  std::uint64_t rounds = 0;
  double steps = 0;           // sum over updates of the step
  double squares = 0;         // sum over updates of (step |x|)^2
  double squared_norm = 0;    // |w|^2
  ClassWeightVector weights;  // w itself, within the budget
  std::vector<MixtureMember> followed;
};

// The first lemma of the convergence proof on this run: <w, u> / |u| against margin * steps.
struct Projection {
  std::string comparator;  // whose weights u are: "last", "average" ...
  double margin = 0;       // geometric margin of u on every training row, rounded down
  std::vector<std::uint64_t> rounds;
  std::vector<double> projection, steps;
};

// The performance of weights on rows.
struct RowsRecord {
  bool held_out = false;
  std::uint64_t rows = 0;
  // Geometric margins: bin i is [edge[i], edge[i+1]), and 0 is an edge; separate counts for correct and wrong rows.
  std::vector<double> edge;
  std::vector<std::uint64_t> right, wrong;
  struct Worst {
    std::uint64_t row;  // 1-based data row
    std::int32_t label;
    double margin;  // geometric
  };
  std::vector<Worst> worst;              // wrong rows, the largest error first
  std::vector<std::uint64_t> confusion;  // classes x classes: [truth * classes + predicted]
  // Binary, both classes present: the curve over `roc_rows` rows, evenly sampled if there are more.
  std::uint64_t roc_rows = 0;
  std::vector<double> false_positive, true_positive;
  double area = 0;
};

struct Recording {
  std::vector<Moment> moments;
  std::vector<WeightMoment> weights;
  std::optional<Projection> projection;
  std::optional<RowsRecord> training, holdout;
};

class Recorder final : public RoundRecorder {
 public:
  static constexpr std::size_t most_moments = 400;
  static constexpr std::size_t weight_budget = std::size_t{1} << 20;  // total numbers kept of weights

  void record(const Learner& learner, const Ledger& ledger) override;
  // Ends the recording: samples the last round, too.
  void finish(const Learner& learner, const Ledger& ledger);

  // Records <w, u> at the samples whose weights were kept, and frees the weights.
  void project(const ClassWeightVector& u, bool biased, const std::string& comparator, double margin);

  Recording recording;

 private:
  void note(const Ledger& ledger);
  void weigh(const Learner& learner, const Ledger& ledger);

  std::uint64_t stride_ = 1, next_moment_ = 1, next_weights_ = 1;
  std::size_t kept_ = 0;  // numbers
};

// Records the performance of weights on rows; `predicted`: the class of each row; `evaluated`: the margins.
RowsRecord record_rows(const Rows& rows, const EvaluatedMargins& evaluated, const std::vector<std::int32_t>& predicted,
                       std::size_t classes, bool held_out);

}  // namespace halfspace
