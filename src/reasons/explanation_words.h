// An explanation as text and as JSON (docs/formats/json.md).
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "base/json.h"
#include "base/text_style.h"
#include "halfspace/reasons/explanation.h"

namespace halfspace::reasons {

Json explanation_json(const Explanation& explanation);
// `most`: so many columns are listed.
std::string explanation_text(const Explanation& explanation, std::size_t most, const TextStyle& style);

// One contribution in a line of predictions: "income -0.51".
std::string short_contribution(double value);

}  // namespace halfspace::reasons
