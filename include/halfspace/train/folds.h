// Estimates of how well a composition would do on rows it has not seen: cross-validation in stratified folds, or
// held-out rows.
//
//   Folds folds(options, 10);                            // reads the data once
//   const Validation v = folds.cross_validate({{composition, until}})[0];
//   v.accuracy(), v.standard_error()
//
// Each class's rows are dealt over the folds in an order drawn from the seed, so that every fold has its share of every
// class, and the folds differ by at most one row. A fold is judged by weights that have learned from the other folds
// alone; the scale of columns is learned there too. What is learned on the other folds is what train() learns on a file
// of these rows, bit for bit.
//
// Nothing depends on the number of threads, or on which candidates are judged beside each other. Memory: the rows, and
// for each fold being judged (one a thread) a copy of them, beyond its share of the budget in temporary files.
//
// Source of the standard error: Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003:
// the folds share most of what they learn from, so that the spread over sqrt(K) is too small; the variance of the mean
// is taken to be (1/K + 1/(K - 1)) times that of the folds. No estimate of it is unbiased (Bengio and Grandvalet 2004).
//
// Thread-safety: one thread. Throws Error: usage for folds that the data cannot fill, as train() otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "halfspace/train/train.h"

namespace halfspace {

// A composition to judge, and when it stops.
struct Candidate {
  Composition composition;
  Until until;
  bool normalize_columns = false;  // as TrainOptions has it; the options of the folds may ask it of all
};

struct FoldScore {
  std::uint64_t rows = 0, errors = 0;
  double accuracy() const { return 1 - static_cast<double>(errors) / static_cast<double>(rows); }
};

struct Validation {
  std::vector<FoldScore> fold;      // one, where rows were held out
  std::vector<std::uint8_t> wrong;  // for each row judged, in file order: was it wrong?
  std::vector<std::int32_t> label;  // of these rows
  std::vector<double> scores;       // of these rows, `vectors` each: of the positive class, or of every class
  std::uint32_t vectors = 1;

  double accuracy() const;  // mean over the folds
  double spread() const;    // standard deviation over the folds; 0 for one
  // Returns the standard error of the accuracy, as said above; of held-out rows that of a share.
  double standard_error() const;
  // Returns what to expect of new rows; empty for a fold without rows.
  std::optional<ExpectedError> expected_error(double confidence = 0.95) const;
};

// By how much the first is more accurate than the second on the same rows, with the standard error of that difference:
// from the differences fold by fold, or, of held-out rows, from the rows that one of the two alone got wrong.
struct Lead {
  double by = 0, standard_error = 0;
};
Lead lead(const Validation& first, const Validation& second);

class Folds {
 public:
  // Reads all rows. `count` folds of the rows that options.holdout leaves; or 0: the rows held out are the only fold.
  // Of the options: read, normalize_columns, holdout, memory, interrupt, and the seed and rule of the composition.
  // `racing`: a class may have fewer rows than there are folds, and some then learn without it; a candidate whose weights
  // leave the doubles is wrong on all rows instead of an error.
  Folds(const TrainOptions& options, unsigned count, bool racing = false);
  ~Folds();

  // Returns the verdicts on the candidates, each judged by every fold; scores are kept when asked for. Throws
  // Error(input_output) when interrupted.
  std::vector<Validation> cross_validate(std::span<const Candidate> candidates, bool keep_scores = false) const;
  // Likewise, by the folds from `first` on that are before `last` alone.
  std::vector<Validation> cross_validate(std::span<const Candidate> candidates, std::size_t first, std::size_t last,
                                         bool keep_scores) const;

  const Labels& labels() const;
  std::uint64_t rows() const;  // that are judged or learned from
  // Returns the fold of each of these rows, in file order; kNeverValidated: learned from alone.
  const std::vector<std::uint32_t>& fold_of_row() const;
  static constexpr std::uint32_t kNeverValidated = UINT32_MAX;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
