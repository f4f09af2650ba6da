// The options of reading, each with what it is about.
#include "stream/given_options.h"

#include "halfspace/base/error.h"

namespace halfspace::stream {

std::vector<std::string_view> given_options(const ReadOptions& o, unsigned about) {
  const struct {
    unsigned about;
    std::string_view name;
    bool given;
  } options[] = {
      {about_header, "header", o.header == true},
      {about_header, "no-header", o.header == false},
      {about_marks, "delimiter", o.delimiter.has_value()},
      {about_marks, "decimal", o.decimal.has_value()},
      {about_marks, "thousands", o.thousands.has_value()},
      {about_marks, "quote", o.quote.has_value()},
      {about_marks, "skip-lines", o.skip_lines.value_or(0) > 0},
      {about_marks, "comment", !o.comment.value_or("").empty()},
      {about_missing, "missing", !o.missing.empty()},
      {about_missing, "missing-only", o.missing_only.has_value()},
      {about_columns, "label", !o.label.empty()},
      {about_columns, "weight", !o.weight.empty()},
      {about_columns, "drop", !o.drop.empty()},
      {about_columns, "categorical", !o.categorical.empty()},
      {about_columns, "numeric", !o.numeric.empty()},
      {about_keeping, "id", !o.identifier.empty()},
      {about_keeping, "keep", !o.keep.empty()},
      {about_making, "dates", !o.dates.empty()},
      {about_making, "interactions", !o.interactions.empty()},
      {about_texts, "text", !o.text.empty()},
  };
  std::vector<std::string_view> names;
  for (const auto& each : options) {
    if (each.given && (each.about & about) != 0) names.push_back(each.name);
  }
  return names;
}

std::string leave_out(const std::vector<std::string_view>& names) {
  std::string text = "leave out ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + option(names[i]);
  return text;
}

}  // namespace halfspace::stream
