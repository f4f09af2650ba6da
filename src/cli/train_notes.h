// What a run should not leave unsaid at its end: a model worse than a guess, and what the rows look like.
#pragma once

#include <string>
#include <vector>

#include "halfspace/stream/survey.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

// Returns a survey for a run to feed (TrainOptions::on_rows): of the values of the first rows, and all labels.
Survey survey_of_run();

// Returns the notes about a run, the weightiest first. `planned`: several compositions were validated
// (train/plan.h).
std::vector<ReadNote> train_notes(const Survey& survey, const TrainOptions& options, const TrainResult& result,
                                  bool planned);

// Returns which column the label was taken from where nobody named it and neither did the table; else nothing.
std::string label_words(const TrainOptions& options, const Schema& schema);

}  // namespace halfspace::cli
