// The options of an explanation.
#include "halfspace/detail/train/option.h"
#include "halfspace/reasons/explanation.h"
#include "reasons/nearest_rows.h"

namespace halfspace {

Option against_option(std::string& against) {
  return {
      "against", "WHAT",
      "what contributions are compared with: the means of the training rows (default), zero in every column, or a row "
      "as FILE:ROW",
      &against};
}

std::vector<Option> explain_options(ExplainSettings& settings) {
  using takes::input_file;
  constexpr double most_nearest = 1'000'000;
  return {
      takes::required(
          {"row", "ROW", "the row: its text in the column that names rows, or its number from 1", &settings.row}),
      against_option(settings.against),
      {"fixed", "COL,COL...", "columns that no change may touch", &settings.fixed, takes::commas()},
      {"limits", "FILE", "a table column,least,most: how far a change may go; an empty cell: as far as it likes",
       &settings.limits, input_file()},
      {"costs", "FILE",
       "a table column,cost: of a unit of a number, of another category (default: 1 for a standard deviation, 1)",
       &settings.costs, input_file()},
      {"codes", "FILE",
       "a table column,code,text: what to write of each column as a reason; a fourth, label: of rows with that label",
       &settings.codes, input_file()},
      {"nearest", "N",
       "count how many of the N labelled rows with the nearest scores have another label (default: 100; 0: none)",
       &settings.nearest, takes::between(0, most_nearest)}};
}

std::vector<Option> options_of(ExplainSettings& settings) {
  std::vector<Option> all = explain_options(settings);
  for (Option& one : data_options(settings.data, false)) all.push_back(std::move(one));
  return all;
}

Explanation explain(const Model& model, const ExplainSettings& settings, const ReadOptions& read) {
  ExplainOptions options{reference_named(model, settings.against, read), {}, {}};
  options.changes.fixed = settings.fixed;
  if (!settings.limits.empty()) options.changes.limits = read_limits(settings.limits, read.interrupt);
  if (!settings.costs.empty()) options.changes.costs = read_costs(settings.costs, read.interrupt);
  if (!settings.codes.empty()) options.codes = read_codes(settings.codes, read.interrupt);
  const FoundRow row = find_row(model, read, settings.row);
  Explanation found = explain(model, row, options);
  found.nearest = reasons::nearest_rows(model, read, row, settings.nearest);
  return found;
}

}  // namespace halfspace
