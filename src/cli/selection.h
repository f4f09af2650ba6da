// train --folds, --search and --calibrate: validates candidates before training, and uses the scores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/search.h"
#include "cli/terminal.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/settings.h"
#include "report/json.h"

namespace halfspace::cli {

// What train's flags select by: the folds and the calibration are settings of the library.
struct SelectionFlags : TrainSettings {
  std::vector<std::string> search;
};

std::vector<Row> selection_rows(SelectionFlags& flags);

class Selection {
 public:
  // Throws Error(usage) for flags that contradict each other.
  Selection(const SelectionFlags& flags, const TrainOptions& options);

  // Validates the candidates and puts the best into the options; with folds also the calibration, fitted on the scores
  // of rows that the scoring weights were not trained on.
  void run(TrainOptions& options, Progress& progress);

  // Adopts the plan's choice, which it validated by the folds that the flags ask for.
  void adopt(const Choice& choice) { choice_ = choice; }

  // Puts the folds' bounds on new rows into the result of the final run, if the folds did not choose between
  // candidates.
  void set_expected_error(TrainResult& result, double confidence) const;
  std::string text() const;  // for people; empty when nothing was asked for
  void add_to(report::Json& result) const;

 private:
  const SelectionFlags& flags_;
  std::optional<CalibrationMethod> method_;  // if requested
  std::vector<NamedCandidate> candidates_;   // until run() validates them
  std::optional<Choice> choice_;
};

}  // namespace halfspace::cli
