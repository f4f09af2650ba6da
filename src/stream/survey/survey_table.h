// A table that was surveyed: what notes are about.
//
// Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/stream/survey.h"
#include "stream/csv/problems.h"
#include "stream/formats/format_entry.h"
#include "stream/text/shapes.h"

namespace halfspace {

struct SurveyedTable {
  struct Class {
    std::uint64_t rows = 0, first_row = 0;
  };

  const Survey& survey;
  const Schema& schema;
  const ReadOptions& options;  // how the rows were read
  const stream::FormatEntry& format;
  std::uint64_t surveyed = 0, last_row = 0, runs = 0;  // rows whose values count; the last row; runs of one class
  std::uint32_t most_features = 0;                     // later ones have no statistics
  std::span<const SurveyedFeature> features;
  std::vector<Class> classes;

  bool has_names_for_missing() const { return format.columns_are_surveyed && format.takes_all(stream::about_missing); }
  // Returns whether the marks of a table can be chosen.
  bool has_marks() const { return format.takes_all(stream::about_marks); }
  bool has_header() const { return format.takes_all(stream::about_header) && schema.header; }
  // Returns whether a text is a number with the marks of the table.
  bool is_number(const std::string& text) const {
    return stream::looks_like_number(text) ||
           (schema.thousands != '\0' && stream::has_thousands(text, schema.thousands, schema.decimal));
  }
  // Names a column on the command line, where commas separate names: by its position if its name has a comma.
  std::string word_of(const Column& column) const {
    if (column.name.find(',') == std::string::npos || !format.columns_by_position) return column.name;
    return std::to_string(&column - schema.columns.data() + 1);
  }
  // Returns whether the options make the column categorical.
  bool was_asked_for(const Column& column) const {
    const std::vector<std::string>& given = options.columns.categorical;
    const std::string position = std::to_string(&column - schema.columns.data() + 1);
    return std::any_of(given.begin(), given.end(), [&](const std::string& one) {
      return one == column.name || (format.columns_by_position && one == position);
    });
  }
  // Row-name columns of exported tables: no name at all, or a generated one.
  bool names_rows_by_its_place(const Column& column) const {
    if (!has_header() || &column != schema.columns.data()) return false;
    for (const std::string_view made_up :
         {"1", "X", "X1", "...1", "V1", "rownames", "row.names", "row_names", "rowname"}) {
      if (column.name == made_up) return true;
    }
    return column.name.starts_with("Unnamed: ");
  }
};

// The notes so far.
struct SurveyNoteList {
  std::vector<SurveyNote> list;

  void add(SurveyNote::About about, bool grave, std::string text, std::string fix) {
    SurveyNote& note = list.emplace_back();
    note.text = std::move(text);
    note.fix = std::move(fix);
    note.about = about;
    note.grave = grave;
  }
};

}  // namespace halfspace
