// The results of a run: the evaluation of its weights, the bound on its mistakes, the rows held out, figures,
// calibration.
#pragma once

#include <optional>
#include <vector>

#include "halfspace/train/evaluate.h"
#include "train/run.h"

namespace halfspace::training {

class Verdict {
 public:
  Verdict(Run& run, PlayedRows& played) : run_(run), played_(played) {}

  // Takes the model out of the run: nothing else of it is needed then.
  TrainResult conclude();

  // Returns the bound on the mistakes of the run so far, from the rows at hand; the model holds its weights, learner
  // and ledger.
  std::optional<MistakeBound> bound();

 private:
  // Returns how often a row at hand was played.
  Visits visits() const;
  // Returns what a bound rests upon but for the rows; `small` holds the start weights, where there are some.
  RunForBound facts(const std::optional<Beginning>& beginning, ClassWeightVector& small) const;
  std::vector<Comparator> comparators() const;
  bool can_be_read_again() const;
  std::optional<MistakeBound> bound_from_second_reading();
  void guard_weights();
  void find_norm();
  void find_least_loss();
  void evaluate_training();
  void evaluate_held_out();
  void find_expected_error();
  void find_ceiling();
  std::string why_no_bound() const;
  void finish_recording();
  void calibrate_on_held_out();
  ConfusionTable predict(const Rows& rows) const;

  Run& run_;
  PlayedRows& played_;
  std::optional<KernelExpansion> function_;    // handed out, by the kernel rule
  std::optional<EvaluatedMargins> evaluated_;  // of the weights handed out, on the rows played
  std::vector<std::int32_t> predicted_;        // the class of each, where it is needed
  std::string asked_;                          // what the theorems ask for that the run lacks, where they were asked
  TrainResult result_;
};

}  // namespace halfspace::training
