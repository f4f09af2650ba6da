// A comparison in words, as CSV, and as the JSON that its page is drawn from.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "base/text_style.h"
#include "halfspace/train/compare.h"
#include "report/results/json.h"

namespace halfspace::report {

// Returns a table of scores and, last, which competitor is best and whether that is significant.
std::string comparison_text(const Comparison& found, const TextStyle& style = {});
// Returns one line a data set and competitor, below a header (docs/formats/json.md has the keys of its columns).
std::string comparison_csv(const Comparison& found);
// Returns the keys of `compare --json`, without command and version. Names options in this style.
Json comparison_json(const Comparison& found, const TextStyle& style = {});

}  // namespace halfspace::report
