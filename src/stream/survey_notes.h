// From what a survey has counted to notes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/stream/survey.h"

namespace halfspace {

class SurveyNotes {
 public:
  SurveyNotes(const Survey& survey, const Schema& schema, const ReadOptions& options)
      : survey_(survey), schema_(schema), options_(options) {}

  std::vector<SurveyNote> all();

 private:
  using About = SurveyNote::About;

  void look_at_labels();
  void look_at_order();
  void look_at_label_column();
  void look_at_numbers(const Column& column);
  void look_at_categories(const Column& column);
  void look_at_scales();
  // Columns of which the same is to be said, with those before.
  enum class Kind : std::uint8_t {
    dates,
    months,
    times,
    counting,
    numbering,
    naming,
    prose,
    scattered,
    decimal_comma,
    without_value,
    constant,
    kinds
  };
  bool seems_to_number(const Column& column, const SurveyedFeature& seen) const;
  bool names_rows_by_its_place(const Column& column) const;
  void gather(Kind kind, const Column& column) { columns_[static_cast<std::size_t>(kind)].push_back(column.name); }
  void tell_columns();

  // What the texts of a column of categories are.
  struct Texts {
    std::uint64_t rows = 0, distinct = 0;              // with a value; different values
    std::uint64_t numbers = 0, commas = 0, dates = 0;  // rows
    std::uint64_t months = 0;                          // of the dates
    std::uint64_t times = 0;                           // rows, times of day
    std::uint64_t worded = 0;                          // rows of at least three words
    std::uint64_t own_name = 0, own_name_row = 0;      // rows that hold the column's name; the first
    std::uint64_t distinct_odd = 0, odd_row = 0;       // no numbers; the first row of one
    std::string odd;
  };
  Texts texts_of(const Column& column) const;
  void tell_odd(const Column& column, const Texts& texts);
  void add(SurveyNote::About about, bool grave, std::string text, std::string fix);

  const Survey& survey_;
  const Schema& schema_;
  const ReadOptions& options_;
  std::vector<SurveyNote> notes_;
  std::uint64_t odd_columns_ = 0;
  std::array<std::vector<std::string>, static_cast<std::size_t>(Kind::kinds)> columns_;  // by kind
};

}  // namespace halfspace
