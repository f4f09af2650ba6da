// Notes on rows that are no data, on labels, and on values that may be missing.
#pragma once

#include <algorithm>
#include <vector>

#include "stream/survey/survey_table.h"

namespace halfspace {

// Columns that notes on rows explain.
struct ExplainedColumns {
  std::vector<const Column*> headers;  // hold names of columns in rows
  std::vector<const Column*> totals;   // hold words for totals

  // Returns whether header lines between rows explain why a column holds names of columns.
  bool holds_headers(const Column& column) const { return has(headers, column); }
  bool holds_totals(const Column& column) const { return has(totals, column); }

 private:
  static bool has(const std::vector<const Column*>& columns, const Column& column) {
    return std::find(columns.begin(), columns.end(), &column) != columns.end();
  }
};

// A header line of another file that was appended.
void look_at_header_rows(const SurveyedTable& table, SurveyNoteList& notes, ExplainedColumns& explained);
// A quote that opens in one row and closes in a later one.
void look_at_rows_in_quotes(const SurveyedTable& table, SurveyNoteList& notes);
// Totals among the classes or in the first column.
void look_at_totals(const SurveyedTable& table, SurveyNoteList& notes, ExplainedColumns& explained);
// Classes that are measurements, names of rows, or slips.
void look_at_labels(const SurveyedTable& table, const ExplainedColumns& explained, SurveyNoteList& notes);
void look_at_order(const SurveyedTable& table, SurveyNoteList& notes);
void look_at_label_column(const SurveyedTable& table, SurveyNoteList& notes);

// Numbers and marks that may mean a missing value, and missing values.
void look_at_far_values(const SurveyedTable& table, SurveyNoteList& notes);
void look_at_missing(const SurveyedTable& table, SurveyNoteList& notes);
void look_at_minus_signs(const SurveyedTable& table, SurveyNoteList& notes);
void look_at_marks_of_programs(const SurveyedTable& table, SurveyNoteList& notes);

}  // namespace halfspace
