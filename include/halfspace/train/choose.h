// Which of several candidates is best? Judged by cross-validation, or by rows held out; the best then learns.
//
//   std::vector<NamedCandidate> grid{{{}, {options.composition, options.until}}};
//   grid = spread(grid, "rate", logarithmic_grid(0.01, 10, 7),
//                 [](Candidate& c, double v) { c.composition.set(parameter::rate, v); });
//   const Choice choice = choose(options, std::move(grid), 10);   // by ten folds
//   take(choice, options);
//   options.calibration = choice.calibrate(CalibrationMethod::platt);   // scores must have been kept
//   const TrainResult result = train(options);                    // the best, on all rows
//
// The accuracy of the best is that of the best of several on the rows it was chosen by: expect a little less on others.
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

// A candidate and what sets it apart: (name of the parameter, its value), in the order of the search.
struct NamedCandidate {
  std::vector<std::pair<std::string, double>> values;
  Candidate candidate;
  std::string label{};  // what it is called; empty: by the values

  std::string name() const;  // "rate 0.1, margin 2"
};

// Returns so many values from `low` to `high` whose logarithms are evenly spread, each between the ends rounded to
// three digits, so that it can be typed. Throws Error(usage) unless 0 < low < high and there are at least two.
std::vector<double> logarithmic_grid(double low, double high, std::size_t values);

// Returns every candidate with every value of one more parameter, the earlier parameters changing slower.
std::vector<NamedCandidate> spread(const std::vector<NamedCandidate>& candidates, const std::string& name,
                                   const std::vector<double>& values,
                                   const std::function<void(Candidate&, double)>& set);

// The candidates and how they did. `verdicts[i]` is that of `candidates[i]`.
struct Choice {
  std::vector<NamedCandidate> candidates;
  std::vector<Validation> verdicts;
  std::size_t best = 0;    // the most accurate; of equals the first
  std::size_t next = 0;    // the most accurate of the others; of one candidate itself
  std::uint64_t rows = 0;  // that were judged or learned from
  bool by_folds = false;   // else by the rows held out
  Labels labels{};         // of the data

  const NamedCandidate& winner() const { return candidates[best]; }
  const Validation& verdict() const { return verdicts[best]; }
  // Returns the lead of the best over the next; empty when there was one candidate. Beyond two standard errors chance
  // hardly chose so.
  std::optional<Lead> ahead() const;
  // Returns bounds on the winner's error on new rows, from its validation rows: Clopper and Pearson, at a level of
  // 1 - (1 - confidence) / candidates, so that they hold for whichever candidate won. Several folds: an approximation, as
  // they share training rows; asymptotically exact for stable learners (Bayle, Bayle, Janson and Mackey, NeurIPS 2020). One
  // candidate: Validation::expected_error().
  std::optional<ExpectedError> expected_error(double confidence = 0.95) const;
  // Fits a calibration on the scores that the winner gave to rows it had not learned from; they must have been kept.
  Calibration calibrate(CalibrationMethod method) const;
};

// Tells whether all files are there for another reading: no pipe is among them.
bool can_be_read_again(const ReadOptions& read);

// Refuses what cannot be judged: data that are gone after one reading, a resumed run, a limit of time, rows that are
// not there. `searched`: several candidates, for the text. Throws Error(usage).
void check_choosable(const TrainOptions& options, std::optional<unsigned> folds, bool searched);

// Chooses by the first `used` of `folds` stratified folds: all candidates by two of them, the better half by the others, too.
// A class may have fewer rows than there are folds; a candidate whose weights overflow is wrong on all rows. Of candidates
// within a quarter of a standard error of the best the first wins. Throws Error as Folds does.
Choice race(const TrainOptions& options, std::vector<NamedCandidate> candidates, unsigned folds, unsigned used,
            bool keep_scores = false);

// Judges at least one candidate by `folds` folds; or, without, by the rows that options.holdout holds out. `keep_scores`
// is what calibrate() needs. Throws Error as check_choosable and Folds do.
Choice choose(const TrainOptions& options, std::vector<NamedCandidate> candidates, std::optional<unsigned> folds,
              bool keep_scores = false);

// Puts the winner into the options. Rows that were held out to judge by are then learned from, too.
void take(const Choice& choice, TrainOptions& options);

}  // namespace halfspace
