// Writes a run's JSON as one page: a single file of HTML that loads nothing else.
//
// The page is a function of the JSON and of nothing else (docs/formats/json.md): `--report` and `halfspace report` give
// the same bytes. It needs no network and no script: figures are drawn here, as SVG; scripts (web/*.js) only add a
// cursor, tooltips and motion. Its content policy forbids all else. All text from data is escaped.
//
// A page stays below 2 MB whatever the JSON holds: lists beyond `most_entries` are thinned evenly, objects cut after so
// many keys and texts after `most_letters`, and the page notes where.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"
#include "report/json.h"

namespace halfspace::report {

inline constexpr std::size_t most_entries = 2000, most_letters = 1000;

// Throws Error(data), naming the key, for JSON that is not a run's.
// Options are named in this style.
std::string page(const Json& run, const OptionStyle& style = {});

// Reads the JSON of a run from the text of a file, whose name is for errors. Throws Error(data) with line and column
// for text that is no JSON.
Json parse_run(std::string_view text, const std::string& name);

}  // namespace halfspace::report
