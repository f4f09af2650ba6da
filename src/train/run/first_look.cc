// Surveys the first block.
#include "train/run/first_look.h"

#include "halfspace/stream/survey.h"

namespace halfspace::training {

void survey_first_rows(const Block& block, const Schema& schema, const ReadOptions& options) {
  if (!options.on_note) return;
  Survey first({.rows = 10'000, .values = 250'000, .features = 100'000});
  first.add(block);
  for (const SurveyNote& note : first.notes(schema, options)) {
    if (note.about == SurveyNote::About::column && note.grave) options.on_note(note);
  }
}

}  // namespace halfspace::training
