// Estimates how well a composition does on unseen rows: stratified cross-validation, or held-out rows.
//
//   Folds folds(options, 10);                            // reads the data once
//   const Validation v = folds.cross_validate({{composition, until}})[0];
//   v.accuracy(), v.standard_error()
//
// The rows of each class are dealt over the folds in an order drawn from the seed, so that every fold has its share of
// every class and fold sizes differ by at most one row. Each fold validates weights trained on the other folds alone,
// and so are the column scales. Those weights equal what train() learns from a file of the same rows, bit for bit; those
// of a minimum as nearly as both are proved.
//
// The result does not depend on the number of threads, nor, except along a path of minima, on the other candidates.
// Memory: the rows, plus one copy for each fold in progress (one a thread); what exceeds the budget goes to temporary
// files.
//
// Source of the standard error: Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
// Folds share most of their training rows, so that spread / sqrt(K) is too small; the variance of the mean is taken as
// (1/K + 1/(K - 1)) times that of the folds. No estimate of it is unbiased (Bengio and Grandvalet 2004).
//
// Thread-safety: one thread. Throws Error(usage) for folds that the data cannot fill; else as train() does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/train/train.h"

namespace halfspace {

// A composition to validate, and when it stops.
struct Candidate {
  Composition composition;
  Until until;
  bool normalize_columns = false;  // as in TrainOptions; the options of the folds may set it for all
  bool standard_columns = false;   // likewise
  // As in TrainOptions: minimizes this, in place of rounds. Candidates that differ in the price of the losses alone are a
  // path: on each fold the solution for one price is the start for the next higher one.
  std::optional<Objective> objective{};
  // Of a minimum: over these logarithms, too. Candidates that have any have the same.
  std::vector<LogarithmOf> logarithms{};
  // If set, trains instead of the composition: on the rows that the options read, with their memory and seed. Of the
  // options only what all candidates share is set. The plan, which chooses by these rows, is such a function.
  std::function<Model(const TrainOptions&)> train = nullptr;
};

// What is proved of a minimum on the training rows of a fold.
struct FoldMinimum {
  double primal = 0;         // of all vectors of weights
  double gap = 0;            // the widest of them
  std::uint64_t passes = 0;  // of all of them
  bool unfinished = false;   // a limit ended one of them before its gap was reached
};

struct FoldScore {
  double rows = 0, errors = 0;           // a row of weight k counts as k rows
  double weight = 0, wrong_weight = 0;   // of all rows and of the errors, class weights included
  double value = 0;                      // by another metric of the options; 0 where a ratio is undefined
  double value_error = 0;                // of a single fold: the standard error of the value, by 200 resamples
  double seconds = 0;                    // processor time of training and predicting
  std::optional<FoldMinimum> minimum{};  // of an objective
  bool whole = true;                     // the weights of all rows are whole numbers, and `rows` counts rows
  double accuracy() const { return 1 - errors / rows; }
  double by(Metric metric) const { return metric == Metric::accuracy ? accuracy() : value; }
  double weighted_accuracy() const { return weight > 0 ? 1 - wrong_weight / weight : accuracy(); }
};

// Mistakes on rows predicted before they were learned, after a number of rounds of the first pass; summed over folds.
struct LearningPoint {
  std::uint64_t rounds = 0, mistakes = 0;
  double accuracy() const { return 1 - static_cast<double>(mistakes) / static_cast<double>(rounds); }
};

struct Validation {
  std::vector<FoldScore> fold;      // a single one for held-out rows
  std::vector<std::uint8_t> wrong;  // for each validation row, in file order: 1 if it was wrong
  std::vector<std::int32_t> label;  // of these rows
  std::vector<double> count;        // how many rows each counts as, by its weight; empty: 1
  // Of these rows, `vectors` each: of the positive class, or of every class. Empty unless kept, or if weights overflowed.
  std::vector<double> scores;
  std::uint32_t vectors = 1;
  Metric metric = Metric::accuracy;  // of the options
  std::vector<LearningPoint> curve;  // after 1, 2, 4, 8 ... rounds on each fold, as far as all folds have them
  std::string why_not_run;           // the reason, if the candidate could not learn the rows; then nothing else is set

  double accuracy() const;  // mean over the folds
  double value() const;     // by the metric: likewise
  // Returns what candidates are ranked by, greater is better: the accuracy with weights, or the value, a loss negated.
  double rank() const;
  double spread() const;  // standard deviation of the value over the folds; 0 for one
  // Returns the standard error of the value, as above; for held-out rows that of a proportion, or by resamples.
  double standard_error() const;
  // Returns whether every row counts as a whole number of rows.
  bool counts_rows() const;
  // Drops the scores unless every row has them.
  void drop_partial_scores();
  // Returns the expected error on new rows; empty if a fold has no row, or unless counts_rows(). Of several folds
  // folds_error(), not narrower than kept_out_error() of all rows.
  std::optional<ExpectedError> expected_error(double confidence = 0.95) const;
};

// Returns by how much the first is better than the second on the same rows, with the standard error of the difference:
// from the differences fold by fold or, for held-out rows, from the rows that exactly one of them got wrong; of another
// metric than accuracy from both standard errors as if they were independent, which is conservative.
struct Lead {
  double by = 0, standard_error = 0;
};
Lead lead(const Validation& first, const Validation& second);

// How to validate.
struct FoldsRun {
  bool keep_scores = false;
  // Two classes, and kept scores: predicts by the threshold that is best by the metric of the options on all validation
  // rows of the candidate, instead of 0. `wrong` and the scores of folds are then those at this threshold.
  bool at_threshold = false;
  // A candidate that cannot learn the rows, or whose options are invalid for them, is skipped, and the reason kept:
  // that of the first fold where it failed. Otherwise its error ends the validation.
  bool tolerant = false;
  // Called when a candidate is done on a fold, from any thread, one call at a time.
  std::function<void(std::size_t candidate)> on_done = nullptr;
};

// How large the rows are that were read.
struct TableSize {
  std::uint64_t rows = 0, values = 0;
  std::uint32_t features = 0;
  std::size_t classes = 0;  // with at least one row
  bool whole = true;        // these are all rows
};

class Folds {
 public:
  // Reads all rows. `count`: the number of folds over the rows that options.holdout leaves; 0: the held-out rows are
  // the only fold. Uses of the options: read, normalize_columns, holdout, memory, interrupt, and the seed and rule of
  // the composition.
  Folds(const TrainOptions& options, unsigned count);
  // For race(): reads the rows that options.holdout leaves, but ends after the block in which their values become more
  // than `most_values`. deal() comes before validation. A class may have fewer rows than there are folds, so that some
  // folds train without it; and a candidate whose weights overflow is wrong on all rows instead of an error.
  static Folds undealt(const TrainOptions& options, std::uint64_t most_values);
  // Reads all rows of both: those of the options are trained on, those of `test` are the only fold. The test rows are
  // read with the columns and classes of the others, and with weights if they have them.
  Folds(const TrainOptions& options, const ReadOptions& test);
  Folds(Folds&&) noexcept;
  ~Folds();

  // Returns the validation of each candidate on every fold; keeps scores if asked. Throws Error(input_output) if
  // interrupted.
  std::vector<Validation> cross_validate(std::span<const Candidate> candidates, bool keep_scores = false) const;
  std::vector<Validation> cross_validate(std::span<const Candidate> candidates, const FoldsRun& run) const;
  // Does the same on the folds from `first` up to, not including, `last`.
  std::vector<Validation> cross_validate(std::span<const Candidate> candidates, std::size_t first, std::size_t last,
                                         const FoldsRun& run) const;

  // Deals the rows over so many folds, class by class.
  void deal(unsigned count);
  // Throws Error(usage) unless every class has a row for each of so many folds.
  void check_fills(unsigned count) const;
  TableSize size() const;
  // Returns the logarithms of skewed columns that a minimum may be over, too.
  std::vector<LogarithmOf> logarithms() const;

  const Labels& labels() const;
  // Returns whether the file is sorted by class, as Survey::sorted_by_class(): folds keep its order.
  bool sorted_by_class() const;
  std::uint64_t rows() const;  // validated or trained on
  // Returns the fold of each of these rows, in file order; kNeverValidated for rows that are only trained on.
  const std::vector<std::uint32_t>& fold_of_row() const;
  static constexpr std::uint32_t kNeverValidated = UINT32_MAX;

 private:
  struct Impl;
  explicit Folds(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
