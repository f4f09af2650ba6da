// train --folds, --search and --calibrate: judging before learning, and what is made of the verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/search.h"
#include "cli/terminal.h"
#include "halfspace/train/choose.h"
#include "report/json.h"

namespace halfspace::cli {

struct SelectionFlags {
  std::optional<unsigned> folds;
  std::vector<std::string> search;
  std::string calibrate;
};

std::vector<Row> selection_rows(SelectionFlags& flags);

class Selection {
 public:
  // Throws Error(usage) for flags that do not go together.
  Selection(const SelectionFlags& flags, const TrainOptions& options);

  // Validates the candidates and puts the best into the options, and with it the calibration by folds: fitted on the scores
  // of rows that the scoring weights had not learned from.
  void run(TrainOptions& options, Progress& progress);

  // Takes over what a plan has judged by the folds that the flags ask for.
  void adopt(const Choice& choice) { choice_ = choice; }

  // Puts what the folds say of new rows into the result of the run behind them: where nothing was chosen by them.
  void judge(TrainResult& result, double confidence) const;
  std::string text() const;  // for people; empty when nothing was asked for
  void add_to(report::Json& result) const;

 private:
  const SelectionFlags& flags_;
  std::optional<CalibrationMethod> method_;  // if requested
  std::vector<NamedCandidate> candidates_;   // until they are judged
  std::optional<Choice> choice_;
};

}  // namespace halfspace::cli
