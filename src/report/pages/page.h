// Writes a run's JSON as one self-contained HTML page.
//
// The page is a function of the JSON only (docs/formats/json.md): `--report` and `halfspace report` give the same
// bytes. It needs no network and no script: figures are drawn here, as SVG; scripts (web/*.js) only add a cursor,
// tooltips and motion. Its content security policy forbids all else. All text from data is escaped.
//
// A page stays below 2 MB for any JSON: lists of more than `most_entries` are thinned evenly, objects cut after as many
// keys and texts after `most_letters`, and the page notes each cut.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"
#include "report/results/json.h"

namespace halfspace::report {

inline constexpr std::size_t most_entries = 2000, most_letters = 1000;

// Throws Error(data), naming the key, if the JSON is not a run's. Names options in this style.
std::string page(const Json& run, const OptionStyle& style = {});

// Reads the JSON of a run from the text of a file; `name` is the file's, for errors. Throws Error(data) with line and
// column if the text is not JSON.
Json parse_run(std::string_view text, const std::string& name);

}  // namespace halfspace::report
