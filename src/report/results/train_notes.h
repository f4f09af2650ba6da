// The notes at the end of a run: a model no better than a constant prediction, and oddities of the rows.
#pragma once

#include <string>
#include <vector>

#include "base/text_style.h"
#include "halfspace/stream/survey.h"
#include "halfspace/train/train.h"
#include "report/results/json.h"

namespace halfspace::report {

// Returns a survey for a run to feed (TrainOptions::on_rows): of the values of the first rows, and of all labels.
Survey survey_of_run();

// Returns the notes about a run, the most important first. `planned`: several compositions were validated
// (train/plan.h).
std::vector<ReadNote> train_notes(const Survey& survey, const TrainOptions& options, const TrainResult& result,
                                  bool planned);

// Returns the notes as JSON: [{text, fix}].
Json notes(const std::vector<ReadNote>& notes, const TextStyle& style = {});

// Returns the column the label was taken from, if neither a flag nor the table's header named it; else nothing.
std::string label_words(const TrainOptions& options, const Schema& schema);

}  // namespace halfspace::report
