// Turns the counts of a survey into notes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stream/survey/survey_fixes.h"
#include "stream/survey/survey_rows.h"

namespace halfspace {

class SurveyNotes {
 public:
  SurveyNotes(const Survey& survey, const Schema& schema, const ReadOptions& options);

  std::vector<SurveyNote> all();

 private:
  void look_at_numbers(const Column& column);
  void look_at_categories(const Column& column);
  void look_at_tokens(const Column& column);
  void gather(NoteKind kind, const Column& column) { columns_.of(kind).push_back(&column); }
  void gather_few(const FewNumbers& few, const Column& column, const ColumnTexts& texts);
  void gather_units(NoteKind kind, const ColumnTexts& texts);
  void resolve_unsure_commas();
  void tell(NoteKind kind, bool grave, const std::string& of_one, const std::string& of_many = {});
  void tell_numbers();
  void tell_columns();
  void tell_more_odd_columns();

  SurveyedTable table_;
  SurveyNoteList notes_;
  ExplainedColumns explained_;
  GatheredColumns columns_;
  std::vector<const Column*> odd_columns_;                                  // mostly numbers
  std::array<std::string, static_cast<std::size_t>(NoteKind::kinds)> few_;  // of the first column with few of a kind
  std::string among_text_;          // of the first column of numbers among other text
  std::uint64_t own_name_row_ = 0;  // the first that holds the name of its column
};

}  // namespace halfspace
