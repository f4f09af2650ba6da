// What to do about columns of each kind, in words.
#include <fmt/format.h>

#include <algorithm>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/formats/format_entry.h"
#include "stream/survey/survey_notes.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

// Returns a word for the columns that a flag names, the first `most`.
std::string pronoun_of(std::size_t columns, std::size_t most) {
  return columns == 1 ? "it" : columns <= most ? "them" : fmt::format("the first {} of them", most);
}

}  // namespace

// Names a column on the command line, where commas separate names: by its position if its name has a comma.
std::string SurveyNotes::word_of(const Column& column) const {
  if (column.name.find(',') == std::string::npos || !format_.columns_by_position) return column.name;
  return std::to_string(&column - schema_.columns.data() + 1);
}

std::string SurveyNotes::words_of(Kind kind) const {
  std::string words;
  const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < std::min(most_words, columns.size()); ++i)
    words += (i == 0 ? "" : ",") + word_of(*columns[i]);
  return words;
}

std::string SurveyNotes::fix_of_dates(Kind kind, const std::string& words, const std::string& dropped) const {
  const std::string parts = " makes features of year, month, day, weekday and seconds; " + dropped;
  if (kind == Kind::unread_dates)
    return dropped + "; written as 2024-05-31, they can be features of " + option("dates");
  if (!format_.takes_all(stream::about_dates))
    return dropped + "; of a table in CSV " + option("dates", words) + " makes features of them";
  if (kind == Kind::dates) return option("dates", words) + parts;
  // One order is that of all columns.
  if (date_orders_[0] || (date_orders_[1] && date_orders_[2])) return dropped;
  return option("dates", words) + " " + option("date-order", date_orders_[2] ? "mdy" : "dmy") + parts;
}

// Returns whether no row would have a feature without the columns of this kind, and of those that are left out first.
bool SurveyNotes::leaves_no_feature(Kind kind) const {
  constexpr Kind left_out[] = {Kind::naming, Kind::counting, Kind::numbering, Kind::odd_dates,     Kind::unread_dates,
                               Kind::months, Kind::times,    Kind::scattered, Kind::without_value, Kind::constant};
  const auto has = [&](Kind one, const Column& column) {
    const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(one)];
    return std::find(columns.begin(), columns.end(), &column) != columns.end();
  };
  return std::none_of(schema_.columns.begin(), schema_.columns.end(), [&](const Column& column) {
    using Role = Column::Kind;
    const bool has_features = column.kind != Role::label && column.kind != Role::weight &&
                              column.kind != Role::identifier && column.kind != Role::dropped;
    return has_features && !has(kind, column) &&
           std::none_of(std::begin(left_out), std::end(left_out), [&](Kind one) { return has(one, column); });
  });
}

// Returns a column of numbers that may be groups of thousands, as 5.534 is: all are below 1000, and most have three
// decimals; null if there is none.
const Column* SurveyNotes::column_in_thousandths() const {
  constexpr std::uint64_t fewest = 3;
  const auto found = std::find_if(schema_.columns.begin(), schema_.columns.end(), [&](const Column& column) {
    if (column.kind != Column::Kind::numeric) return false;
    const SurveyedFeature seen = survey_.feature(column.feature);
    return seen.values >= fewest && seen.thousandths * 3 > seen.values * 2 && seen.least > -1000 && seen.most < 1000;
  });
  return found == schema_.columns.end() ? nullptr : &*found;
}

// Returns the flags for both marks of the table's numbers, between thousands and of decimals.
std::string SurveyNotes::fix_of_numbers(Kind kind) const {
  const auto of = [&](Kind one) -> const std::vector<const Column*>& {
    return columns_[static_cast<std::size_t>(one)];
  };
  const auto have_commas = [&](Kind one) {
    return any_text_of(one, [](std::string_view text) { return text.find(',') != std::string_view::npos; });
  };
  const bool commas =
      !of(Kind::decimal_comma).empty() || have_commas(Kind::space_thousands) || have_commas(Kind::apostrophe_thousands);
  const Column* const points = commas && schema_.decimal == '.' ? column_in_thousandths() : nullptr;
  char mark = kind == Kind::space_thousands ? ' ' : kind == Kind::apostrophe_thousands ? '\'' : '\0';
  if (mark == '\0' && schema_.thousands == '\0') {
    mark = !of(Kind::space_thousands).empty()        ? ' '
           : !of(Kind::apostrophe_thousands).empty() ? '\''
           : points != nullptr                       ? '.'
                                                     : '\0';
  }
  std::string flags = mark == '\0' ? "" : stream::option_of_thousands(mark);
  if (commas && schema_.decimal == '.') flags += (flags.empty() ? "" : " ") + option("decimal", "comma");
  flags += " reads them as numbers";
  if (mark == '.') {
    const double value = survey_.feature(points->feature).last;
    flags += fmt::format(", and {:.3f} of {} as {:.0f}", value, stream::quote(points->name), 1000 * value);
  }
  return flags;
}

// Returns where a command rewrites the numbers of a kind: in its columns, where they are few and cells are delimited.
stream::RewrittenCells SurveyNotes::cells_of(Kind kind) const {
  constexpr std::size_t most_columns = 8;
  constexpr std::string_view marks = ",;\t|";
  stream::RewrittenCells cells;
  if (!has_marks()) return cells;
  cells.delimiter = schema_.delimiter;
  cells.quoted = schema_.quote == Quote::double_quote;
  const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(kind)];
  if (columns.size() > most_columns || marks.find(schema_.delimiter) == std::string_view::npos ||
      schema_.quote == Quote::single_quote)
    return cells;
  for (const Column* column : columns)
    cells.columns.push_back(static_cast<std::size_t>(column - schema_.columns.data()) + 1);
  return cells;
}

// Returns what reads numbers that are written with other marks.
std::string SurveyNotes::fix_of_marks(Kind kind) const {
  const std::string reads = " reads them as numbers";
  const bool in_text = format_.make != nullptr;
  if (!in_text && (kind == Kind::with_units || kind == Kind::other_notation || kind == Kind::oddly_marked))
    return "write the numbers alone";
  if (kind == Kind::with_units)
    return "take the units out of the file: " + stream::command_without_units(units_, cells_of(kind));
  if (kind == Kind::mixed_units) return "convert them to one unit in the file, and write the numbers alone";
  if (kind == Kind::other_notation) {
    std::string remarks;
    for (const stream::NumberNotation* one : notations_) remarks += one->remark;
    return "rewrite them in the file" + remarks + ": " + stream::command_of(notations_, cells_of(kind));
  }
  // The flag has no column, so that no command to try silences the note.
  if (kind == Kind::among_text)
    return "write each number in a column of its own; where they are names, name the column in " +
           option("categorical");
  if (kind == Kind::oddly_marked) {
    // Commas before one or two digits, or many: decimal commas, which the same command turns into points.
    const bool commas =
        has_marks() && schema_.delimiter != ',' && schema_.decimal == '.' && any_text_of(kind, [](auto text) {
          constexpr std::size_t of_thousands = 4;
          const std::size_t comma = text.rfind(',');
          return comma != std::string_view::npos && text.size() - comma != of_thousands && text.find(')') == text.npos;
        });
    return "write them as -1234.5 is: " +
           stream::edit_command(
               "s/\\xe2\\x88\\x92/-/g; s/\\xe2\\x80\\x93/-/g; s/\\xc2\\xa0//g; s/\\xe2\\x80\\xaf//g; "
               "s/\\xe2\\x80\\x89//g; " +
                   std::string(commas ? "s/([0-9]),([0-9])/\\1.\\2/g; " : "") + "s/\\(([0-9][0-9.,]*)\\)/-\\1/g",
               cells_of(kind));
  }
  if (kind == Kind::in_single_quotes) return option("quote", "single") + " reads the text between them";
  if (kind == Kind::decimal_comma && !has_marks()) return "write them with a point";
  if (kind == Kind::point_thousands) return stream::option_of_thousands('.') + " " + option("decimal", "comma") + reads;
  if (kind == Kind::comma_thousands && !has_marks()) return "write them without";
  // One mark is that of all columns.
  if (kind == Kind::comma_thousands && !columns_[static_cast<std::size_t>(Kind::decimal_comma)].empty())
    return "other columns have decimal commas: write these numbers without";
  if (kind == Kind::comma_thousands) return stream::option_of_thousands(',') + reads;
  if (kind == Kind::decimal_comma || kind == Kind::space_thousands || kind == Kind::apostrophe_thousands)
    return fix_of_numbers(kind);
  if (!has_marks()) return "write them without";
  return option("decimal", "comma") + " reads 1,234 as 1.234, and " + option("thousands", "comma") + " as 1234";
}

// Returns what reads the texts among numbers as missing, if they are few, as the beginning of a fix.
std::string SurveyNotes::fix_of_mixed() const {
  std::vector<std::string> texts = mixed_texts_;
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::string list;
  for (const std::string& text : texts) {
    if (text.find(',') != std::string::npos) return {};
    list += (list.empty() ? "" : ",") + text;
  }
  if (!mixed_have_marks_ || texts.size() > most_odd_texts) return {};
  return option("missing", list) + " reads " + (texts.size() == 1 ? "it" : "them") + " as missing; ";
}

// Returns the command that writes the members of JSON Lines as CSV, behind a colon; nothing of another format.
std::string SurveyNotes::command_to_csv() const {
  if (schema_.format != DataFormat::jsonl) return {};
  std::string names, members;
  for (const Column& column : schema_.columns) {
    if (column.kind == Column::Kind::dropped || column.kind == Column::Kind::product) continue;
    if (column.name.find_first_of(".\"'\\") != std::string::npos) return {};
    names += (names.empty() ? "\"" : ", \"") + column.name + "\"";
    members += (members.empty() ? ".\"" : ", .\"") + column.name + "\"";
  }
  return ": jq -rn '[" + names + "], (inputs | [" + members + "]) | @csv' FILE >NAME.csv";
}

std::string SurveyNotes::fix_of_texts(Kind kind, const std::string& words, const std::string& dropped) const {
  const std::string in_csv = dropped + "; of a table in CSV ", makes = " makes features of ";
  const std::string characters = option("text-tokens", "characters") + " " + option("ngrams", "2");
  if (kind == Kind::long_tokens) return characters + makes + "the characters";
  const bool reads_texts = format_.takes_all(stream::about_texts);
  if (!reads_texts && leaves_no_feature(kind)) {
    return "there is nothing else to learn from: write the table as CSV" + command_to_csv() + "; of that, " +
           option("text") + " makes features of the words";
  }
  if (kind == Kind::prose)
    return reads_texts ? option("text", words) + makes + "the words; " + dropped
                       : in_csv + option("text", words) + makes + "the words";
  return reads_texts ? option("text", words) + " " + characters + makes + "the characters; " + dropped
                     : in_csv + option("text", words) + makes + "them";
}

std::string SurveyNotes::fix_by_dropping(Kind kind, const std::string& words) const {
  if (leaves_no_feature(kind)) return "there is nothing else to learn from: give the rows more columns";
  const std::size_t count = columns_[static_cast<std::size_t>(kind)].size();
  return option("drop", words) + " leaves " + pronoun_of(count, most_words) + " out";
}

std::string SurveyNotes::fix_of_row_names(Kind kind, const std::string& words, const std::string& dropped) const {
  const bool one = columns_[static_cast<std::size_t>(kind)].size() == 1;
  if (!one || leaves_no_feature(kind)) return dropped;
  return option("id", words) + " takes it as the name of the rows, " + dropped;
}

// Returns what to do about the columns of a kind; the first proposal comes first.
std::string SurveyNotes::fix_of(Kind kind) const {
  const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(kind)];
  const bool one = columns.size() == 1;
  const std::string words = words_of(kind);
  const std::string dropped = fix_by_dropping(kind, words);
  switch (kind) {
    case Kind::among_text:
    case Kind::decimal_comma:
    case Kind::unsure_commas:
    case Kind::comma_thousands:
    case Kind::space_thousands:
    case Kind::apostrophe_thousands:
    case Kind::point_thousands:
    case Kind::with_units:
    case Kind::mixed_units:
    case Kind::other_notation:
    case Kind::oddly_marked:
    case Kind::in_single_quotes:
      return fix_of_marks(kind);
    case Kind::dates:
    case Kind::unsure_dates:
    case Kind::unread_dates:
      return fix_of_dates(kind, words, dropped);
    case Kind::prose:
    case Kind::unspaced:
    case Kind::long_tokens:
      return fix_of_texts(kind, words, dropped);
    case Kind::own_name:
      return "is it a second header line? take it out of the file";
    case Kind::own_name_over_numbers:
      return option("numeric", words) + " " + option("on-error", "skip") +
             " leaves the row out; or take the line out of the file";
    case Kind::naming:
    case Kind::counting:
    case Kind::numbering:
      return fix_of_row_names(kind, words, dropped);
    case Kind::ascending:  // or a depth or frequency: no command to try leaves it out
      return "where it numbers the rows, name it in " + option("id") + " or " + option("drop");
    case Kind::inexact:
      return (one && options_.columns.identifier.empty() ? option("id", words) + " takes it as the name of the rows, "
                                                         : std::string()) +
             dropped + ", " + option("categorical", words) + " makes a category of each";
    case Kind::weights:
      return option("weight", word_of(*columns.front())) + " weights the rows by it, " + dropped;
    case Kind::mixed:
      return option("categorical", words) + " confirms it; " + fix_of_mixed() + option("numeric", words) + " " +
             option("on-error", "skip") + " leaves the rows of other texts out";
    case Kind::odd_dates:
    case Kind::months:
    case Kind::times:
    case Kind::scattered:
    case Kind::without_value:
    case Kind::constant:
    case Kind::kinds:
      break;
  }
  return dropped;
}

}  // namespace halfspace
