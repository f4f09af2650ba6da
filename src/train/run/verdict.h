// The results of a run: evaluation of the weights, bound on the mistakes, held-out rows, figures, calibration.
#pragma once

#include <optional>
#include <vector>

#include "halfspace/train/evaluate.h"
#include "train/metrics/row_counts.h"
#include "train/run/run.h"

namespace halfspace::training {

class Verdict {
 public:
  Verdict(Run& run, KeptRows& kept) : run_(run), kept_(kept) {}

  // Moves the model out of the run and finishes the results; call it once.
  TrainResult conclude();

  // Returns the bound on the mistakes of the run so far, from the kept rows; the model must hold its weights, learner
  // and ledger.
  std::optional<MistakeBound> bound();

 private:
  // Returns the facts of the run that a bound rests on, but for the rows; `small` receives the start weights, if there
  // are any.
  RunForBound facts(const std::optional<Beginning>& beginning, ClassWeightVector& small) const;
  std::vector<Comparator> comparators() const;
  bool can_be_read_again() const;
  std::optional<MistakeBound> bound_from_second_reading();
  void guard_weights();
  void find_norm();
  void find_least_loss();
  void evaluate_training();
  void count_training_errors(const ConfusionTable& confusion);
  void evaluate_held_out();
  void find_ceiling();
  std::string why_no_bound() const;
  void finish_recording();
  ConfusionTable predict(const Rows& rows) const;
  // Return the weights as learned, and the training rows by the data's own values.
  const ClassWeightVector& learned() const { return learned_ ? *learned_ : run_.model.weights; }
  const Rows& given() const { return kept_.given ? *kept_.given : kept_.rows; }
  RowCounts counts() const { return {run_.model.class_weights, run_.model.schema.labels}; }

  Run& run_;
  KeptRows& kept_;
  std::optional<KernelExpansion> function_;    // the result of the kernel rule
  std::optional<EvaluatedMargins> evaluated_;  // of the returned weights, on the training rows
  std::optional<ClassWeightVector> learned_;   // over standard columns
  std::vector<std::int32_t> predicted_;        // the class of each, if needed
  bool tells_little_ = false;                  // a bound from all rows would, by a sample of them
  std::string asked_;                          // unmet conditions of the theorems, if they were checked
  TrainResult result_;
};

}  // namespace halfspace::training
