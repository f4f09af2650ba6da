// Model selection: compares candidates by cross-validation or on held-out rows; the best is then trained.
//
//   std::vector<NamedCandidate> grid{{{}, candidate_of(options)}};
//   grid = spread(grid, "rate", logarithmic_grid(0.01, 10, 7),
//                 [](Candidate& c, double v) { c.composition.set(parameter::rate, v); });
//   const Choice choice = choose(options, std::move(grid), 10);   // by ten folds
//   take(choice, options);
//   options.calibration = choice.calibrate(CalibrationMethod::platt);   // needs kept scores
//   const TrainResult result = train(options);                    // the best, on all rows
//
// Candidates are ranked by accuracy, each row with its weight, or by the metric of the options. The winner's accuracy is optimistic: it is the best of several on the rows it was chosen by.
//
// Thread-safety: value types; choose() as Folds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/train/calibration.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/train.h"

namespace halfspace {

// A candidate and what sets it apart: (parameter name, value), in the order of the search.
struct NamedCandidate {
  std::vector<std::pair<std::string, double>> values;
  Candidate candidate;
  std::string label{};  // display name; empty: made of the values

  std::string name() const;  // "rate 0.1, margin 2"
};

// Returns the candidate of these options: their composition, stop and objective.
Candidate candidate_of(const TrainOptions& options);

// Returns `values` numbers from `low` to `high`, evenly spaced in the logarithm; those between the ends are rounded to
// three digits, so that they can be typed. Throws Error(usage) unless 0 < low < high and values >= 2.
std::vector<double> logarithmic_grid(double low, double high, std::size_t values);

// Returns each candidate once per value of one more parameter; earlier parameters vary slower.
std::vector<NamedCandidate> spread(const std::vector<NamedCandidate>& candidates, const std::string& name,
                                   const std::vector<double>& values,
                                   const std::function<void(Candidate&, double)>& set);

// The candidates and their scores; `verdicts[i]` belongs to `candidates[i]`.
struct Choice {
  std::vector<NamedCandidate> candidates;
  std::vector<Validation> verdicts;
  std::size_t best = 0;    // the most accurate, rows weighed; ties go to the first
  std::size_t next = 0;    // the runner-up; of a single candidate itself
  std::uint64_t rows = 0;  // validated or trained on
  bool by_folds = false;   // else on held-out rows
  Labels labels{};         // of the data

  const NamedCandidate& winner() const { return candidates[best]; }
  const Validation& verdict() const { return verdicts[best]; }
  // Returns the area under the ROC curve of a candidate's scores of validation rows, if they were kept and one of two
  // classes has less than a tenth of the rows. Learners that never predict a rare class are hardly less accurate than
  // others; the area shows which of them rank its rows first.
  std::optional<double> area_where_rare(std::size_t candidate) const;
  // Returns the lead of the best over the runner-up; empty for a single candidate. A lead of more than two standard
  // errors is hardly chance.
  std::optional<Lead> ahead() const;
  // Returns bounds on the winner's error on new rows, from its validation rows: Clopper and Pearson, at a level of 1 -
  // (1 - confidence) / candidates, so that they hold for whichever candidate won. Several folds share training rows, so
  // the bounds are approximate: asymptotically exact for stable learners (Bayle, Bayle, Janson and Mackey, NeurIPS
  // 2020). For a single candidate: Validation::expected_error(). With a threshold that was placed on these rows: those of
  // expected_error_of_threshold(), by its errors on the kept scores.
  std::optional<ExpectedError> expected_error(double confidence = 0.95, std::optional<double> threshold = {}) const;
  // Fits a calibration on the winner's scores of validation rows; the scores must have been kept.
  Calibration calibrate(CalibrationMethod method) const;
};

// Throws Error(usage) for what cannot be validated: data that can be read only once, a resumed run, a time limit,
// missing validation rows. `searched`: there are several candidates; used in the error text.
void check_choosable(const TrainOptions& options, std::optional<unsigned> folds, bool searched);

// Chooses by the first `used` of `folds` stratified folds of the rows, which it deals: every candidate on two of them, the better half on the rest
// as well. A class may have fewer rows than there are folds; a candidate whose weights overflow counts as wrong on all
// rows. The first candidate within a quarter of a standard error of the best wins; by accuracy where a class is rare, of
// those within a standard error the one with the largest area_where_rare(). Throws Error as Folds does.
Choice race(Folds& rows, const TrainOptions& options, std::vector<NamedCandidate> candidates, unsigned folds,
            unsigned used, bool keep_scores = false);

// Validates the candidates by `folds` folds or, without `folds`, on the rows that options.holdout holds out.
// `keep_scores` keeps the scores that calibrate() needs; so does a threshold to be placed. Throws Error as
// check_choosable and Folds do.
Choice choose(const TrainOptions& options, std::vector<NamedCandidate> candidates, std::optional<unsigned> folds,
              bool keep_scores = false);

// Writes the winner into the options and, if it is asked for, the threshold that is best on the validation rows.
// Training then uses the validation rows, too.
void take(const Choice& choice, TrainOptions& options);

}  // namespace halfspace
