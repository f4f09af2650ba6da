// How the learner was chosen, in words and as JSON (docs/formats/json.md). Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>

#include "base/text_style.h"
#include "halfspace/train/choose.h"
#include "report/results/json.h"

namespace halfspace::report {

// Returns the scores of the winner; if candidates were searched, of each of them.
std::string choice_text(const Choice& choice, bool searched, const TextStyle& style = {});
// Adds the keys `folds` and, if candidates were searched, `search`.
void add_choice(Json& result, const Choice& choice, bool searched);
// Adds the key `chosen`: what the plan chose (train/plan.h), in its words, and the candidates if it validated any.
void add_plan(Json& result, const std::string& words, const std::optional<Choice>& choice, const TextStyle& style = {});

}  // namespace halfspace::report
