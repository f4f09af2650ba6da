// What the texts of a column of categories look like: numbers in other notations, dates, prose, names of rows.
//
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stream/survey/survey_table.h"
#include "stream/text/notations.h"

namespace halfspace {

inline constexpr std::size_t most_odd_texts = 5;  // that are named

// Columns with the same note.
enum class NoteKind : std::uint8_t {
  dates,
  unsure_dates,
  odd_dates,
  unread_dates,
  months,
  times,
  counting,
  numbering,
  ascending,
  inexact,
  weights,
  naming,
  prose,
  unspaced,
  long_tokens,
  scattered,
  decimal_comma,
  unsure_commas,
  comma_thousands,
  point_thousands,
  space_thousands,
  apostrophe_thousands,
  in_single_quotes,
  with_units,
  mixed_units,
  other_notation,
  among_text,
  oddly_marked,
  own_name,
  own_name_over_numbers,
  mixed,
  without_value,
  constant,
  kinds
};
inline bool are_numbers(NoteKind kind) {
  return kind >= NoteKind::decimal_comma && kind <= NoteKind::oddly_marked && kind != NoteKind::in_single_quotes;
}

// Statistics of the texts of a column.
struct ColumnTexts {
  std::uint64_t rows = 0, distinct = 0;        // with a value; different values
  std::uint64_t numbers = 0, commas = 0;       // rows: with a decimal comma
  std::array<std::uint64_t, 4> thousands{};    // rows: marked by comma, point, space, apostrophe
  std::uint64_t grouped_by_points = 0;         // rows: 1.234, which may be 1234
  std::uint64_t plain_thousands = 0;           // of the commas, those that may separate thousands
  std::uint64_t three_digits = 0, longer = 0;  // rows: of such whole numbers without a mark
  std::uint64_t units = 0, known_units = 0;    // rows: of numbers with a unit, with one that is a measure
  std::vector<stream::NumberUnit> units_seen;  // a few
  std::uint64_t marked = 0;                    // rows: of numbers with a comma or marks between thousands
  std::array<std::uint64_t, stream::notation_count> notations{};  // rows of numbers in each
  std::uint64_t among_text = 0, measured = 0;    // rows of numbers among other text; with a unit that is no measure
  std::string among;                             // the first of these
  std::uint64_t oddly_marked = 0;                // rows of numbers with odd marks
  std::uint64_t dates = 0, months = 0;           // rows
  std::array<std::uint64_t, 3> orders{};         // of dates in each order
  std::uint64_t times = 0;                       // rows, times of day
  std::uint64_t worded = 0, unspaced = 0;        // rows of at least three words; of words without blanks between them
  std::uint64_t quoted = 0;                      // rows in single quotes
  std::uint64_t own_name = 0, own_name_row = 0;  // rows that hold the column's name; the first
  std::uint64_t distinct_odd = 0, odd_row = 0;   // no numbers; the first row of one
  std::vector<std::string> odd;                  // some of them, by their rows
};

// Numbers that few cells of a column hold, in one notation.
struct FewNumbers {
  NoteKind kind;
  ColumnTexts texts;  // these cells, and one plain number
  std::string first;
  std::uint64_t row = 0;  // the first
};

ColumnTexts texts_of(const SurveyedTable& table, const Column& column);
// Returns whether the values are numbers, or most are and the others are a few texts that marks could be.
bool has_a_few_odd(const SurveyedTable& table, const ColumnTexts& texts);
// Returns whether numbers and other texts share the column: many of either, or a few texts that repeat.
bool is_mixed(const SurveyedTable& table, const ColumnTexts& texts);
// Returns whether some of the odd texts of a column are values of it.
bool has_values(const ColumnTexts& texts, const Column& column);
// Returns the rows of numbers among other text.
std::uint64_t rows_among_text(const ColumnTexts& texts);
std::optional<NoteKind> kind_of(const SurveyedTable& table, const ColumnTexts& texts);
// Returns the notation of the first number that is not plain, of a column in which few are not.
std::optional<FewNumbers> few_of(const SurveyedTable& table, const Column& column, const ColumnTexts& texts);

}  // namespace halfspace
