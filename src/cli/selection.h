// train --folds, --search and --calibrate: judging before learning, and what is made of the verdict.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/search.h"
#include "cli/terminal.h"
#include "report/json.h"

namespace halfspace::cli {

struct SelectionFlags {
  std::optional<unsigned> folds;
  std::vector<std::string> search;
  std::string calibrate;
};

void add_selection_flags(CLI::App* command, SelectionFlags& flags);

class Selection {
 public:
  // Throws Error(usage) for flags that do not go together.
  Selection(const SelectionFlags& flags, const TrainOptions& options);

  // Judges the candidates and puts the best into the options, which then learn from all rows that may be learned from.
  void run(TrainOptions& options, Progress& progress);
  // Fitted on the scores of rows that the judged weights had not seen.
  void calibrate(Model& model) const;

  std::string text() const;  // for people; empty when nothing was asked for
  void add_to(report::Json& result) const;

 private:
  const SelectionFlags& flags_;
  CalibrationMethod method_ = CalibrationMethod::none;
  double holdout_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<Named> candidates_;
  std::vector<Validation> verdicts_;
  std::size_t best_ = 0, next_ = 0;  // the most accurate, and the most accurate of the others
};

}  // namespace halfspace::cli
