// Turns the counts of a survey into notes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/survey.h"
#include "stream/formats/format_entry.h"
#include "stream/labels/label_doubts.h"
#include "stream/text/notations.h"

namespace halfspace {

class SurveyNotes {
 public:
  SurveyNotes(const Survey& survey, const Schema& schema, const ReadOptions& options)
      : survey_(survey), schema_(schema), options_(options), format_(stream::entry_of(schema.format)) {}

  std::vector<SurveyNote> all();

 private:
  using About = SurveyNote::About;

  static constexpr std::size_t most_words = 50;     // names of columns in one flag
  static constexpr std::size_t most_odd_texts = 5;  // that are named

  void look_at_labels();
  void look_at_targets(std::span<const stream::LabelCount> labels);
  bool may_mean_no_label(const std::string& name) const;
  void look_at_class_of_one_row(std::string_view name, std::uint64_t row);
  void look_at_order();
  void look_at_label_column();
  void look_at_missing();
  void look_at_minus_signs();
  void look_at_marks_of_programs();
  void look_at_far_values();
  bool is_used_elsewhere(double mark, const std::vector<const Column*>& marked) const;
  void look_at_numbers(const Column& column);
  void look_at_categories(const Column& column);
  void look_at_names(const Column& space);
  void look_at_names_with_numbers(const Column& space);
  void look_at_scales();
  template <class F>
  void for_each_text(F&& visit) const;
  void look_at_header_rows();
  bool is_of_header_rows(const Column& column) const;
  void look_at_totals();
  bool holds_totals(const Column& column) const;
  bool spans_rows(const Column& column, std::string_view text) const;
  void look_at_rows_in_quotes();
  // Columns with the same note.
  enum class Kind : std::uint8_t {
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
  static bool are_numbers(Kind kind) {
    return kind >= Kind::decimal_comma && kind <= Kind::oddly_marked && kind != Kind::in_single_quotes;
  }
  static bool ascends(const SurveyedFeature& seen) {
    constexpr std::uint64_t fewest = 10;
    return seen.whole && seen.ascends && seen.values >= fewest;
  }
  bool seems_to_number(const Column& column, const SurveyedFeature& seen) const;
  bool names_rows_by_its_place(const Column& column) const;
  void gather(Kind kind, const Column& column) { columns_[static_cast<std::size_t>(kind)].push_back(&column); }
  bool leaves_no_feature(Kind kind) const;
  void resolve_unsure_commas();
  bool has_names_for_missing() const {
    return format_.columns_are_surveyed && format_.takes_all(stream::about_missing);
  }
  // Returns whether the marks of a table can be chosen.
  bool has_marks() const { return format_.takes_all(stream::about_marks); }
  bool has_header() const { return format_.takes_all(stream::about_header) && schema_.header; }
  void tell(Kind kind, bool grave, const std::string& of_one, const std::string& of_many = {});
  void tell_numbers();
  void tell_columns();
  void tell_more_odd_columns();
  bool was_asked_for(const Column& column) const;
  std::string word_of(const Column& column) const;
  std::string words_of(Kind kind) const;
  std::string fix_of_dates(Kind kind, const std::string& words, const std::string& dropped) const;
  stream::RewrittenCells cells_of(Kind kind) const;
  std::string fix_of_marks(Kind kind) const;
  std::string fix_of_numbers(Kind kind) const;
  const Column* column_in_thousandths() const;
  template <class F>
  bool any_text_of(Kind kind, F&& is) const {
    const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(kind)];
    return std::any_of(columns.begin(), columns.end(), [&](const Column* column) {
      return std::any_of(column->categories.begin(), column->categories.end(), is);
    });
  }
  std::string fix_of_mixed() const;
  std::string fix_by_dropping(Kind kind, const std::string& words) const;
  std::string fix_of_row_names(Kind kind, const std::string& words, const std::string& dropped) const;
  std::string command_to_csv() const;
  std::string fix_of_texts(Kind kind, const std::string& words, const std::string& dropped) const;
  std::string fix_of(Kind kind) const;

  // Statistics of the texts of a categorical column.
  struct Texts {
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
  struct Few {
    Kind kind;
    Texts texts;  // these cells, and one plain number
    std::string first;
    std::uint64_t row = 0;  // the first
  };
  Texts texts_of(const Column& column) const;
  std::optional<Kind> marks_among_numbers(const Texts& texts, bool points) const;
  std::optional<Few> few_of(const Column& column, const Texts& texts) const;
  void gather_few(const Few& few, const Column& column, const Texts& texts);
  static bool is_value_of(const std::string& text, const Column& column);
  static bool has_values(const Texts& texts, const Column& column);
  bool has_a_few_odd(const Texts& texts) const;
  bool is_mixed(const Texts& texts) const;
  void count(const std::string& text, std::uint64_t rows, Texts& texts) const;
  std::optional<Kind> kind_of(const Texts& texts) const;
  std::optional<Kind> marks_of(const Texts& texts) const;
  std::optional<Kind> units_of(const Texts& texts) const;
  static std::uint64_t rows_among_text(const Texts& texts);
  bool is_number(const std::string& text) const;
  void gather_units(Kind kind, const Texts& texts);
  std::optional<Kind> date_kind_of(const Texts& texts) const;
  void look_at_tokens(const Column& column);
  void tell_odd(const Column& column, const Texts& texts);
  void add(SurveyNote::About about, bool grave, std::string text, std::string fix);

  const Survey& survey_;
  const Schema& schema_;
  const ReadOptions& options_;
  const stream::FormatEntry& format_;
  std::vector<SurveyNote> notes_;
  std::vector<const Column*> odd_columns_;
  std::vector<stream::NumberUnit> units_;  // of columns of one unit each
  std::vector<stream::NumberUnit> units_that_differ_;
  std::vector<const stream::NumberNotation*> notations_;                // of columns of numbers
  std::array<std::string, static_cast<std::size_t>(Kind::kinds)> few_;  // of the first column with few of a kind
  std::vector<std::string> mixed_texts_;                                // of columns of numbers and other texts
  bool mixed_have_marks_ = true;                                        // these are all such texts
  std::string among_text_;                     // of the first column of numbers among other text
  std::vector<const Column*> header_columns_;  // that hold names of columns in rows
  std::vector<const Column*> total_columns_;   // that hold words for totals
  std::uint64_t own_name_row_ = 0;             // the first that holds the name of its column
  std::array<std::vector<const Column*>, static_cast<std::size_t>(Kind::kinds)> columns_;  // by kind
  std::array<bool, 3> date_orders_{};                                                      // those that dates are in
};

}  // namespace halfspace
