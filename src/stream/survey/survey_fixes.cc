// What to do about columns of each kind, in words.
#include "stream/survey/survey_fixes.h"

#include <fmt/format.h>

#include <algorithm>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/formats/format_entry.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

// Returns a word for the columns that a flag names, the first `most`.
std::string pronoun_of(std::size_t columns, std::size_t most) {
  return columns == 1 ? "it" : columns <= most ? "them" : fmt::format("the first {} of them", most);
}

// Returns whether a text of one of the columns is such.
template <class F>
bool any_text_of(const std::vector<const Column*>& columns, F&& is) {
  return std::any_of(columns.begin(), columns.end(), [&](const Column* column) {
    return std::any_of(column->categories.begin(), column->categories.end(), is);
  });
}

std::string words_of(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  std::string words;
  const std::vector<const Column*>& of_kind = columns.of(kind);
  for (std::size_t i = 0; i < std::min(most_words, of_kind.size()); ++i)
    words += (i == 0 ? "" : ",") + table.word_of(*of_kind[i]);
  return words;
}

std::string fix_of_dates(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind,
                         const std::string& words, const std::string& dropped) {
  const std::string parts = " makes features of year, month, day, weekday and seconds; " + dropped;
  if (kind == NoteKind::unread_dates)
    return dropped + "; written as 2024-05-31, they can be features of " + option("dates");
  if (!table.format.takes_all(stream::about_dates))
    return dropped + "; of a table in CSV " + option("dates", words) + " makes features of them";
  if (kind == NoteKind::dates) return option("dates", words) + parts;
  // One order is that of all columns.
  if (columns.date_orders[0] || (columns.date_orders[1] && columns.date_orders[2])) return dropped;
  return option("dates", words) + " " + option("date-order", columns.date_orders[2] ? "mdy" : "dmy") + parts;
}

// Returns whether no row would have a feature without the columns of this kind, and of those that are left out first.
bool leaves_no_feature(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  constexpr NoteKind left_out[] = {
      NoteKind::naming, NoteKind::counting, NoteKind::numbering, NoteKind::odd_dates,     NoteKind::unread_dates,
      NoteKind::months, NoteKind::times,    NoteKind::scattered, NoteKind::without_value, NoteKind::constant};
  const auto has = [&](NoteKind one, const Column& column) {
    const std::vector<const Column*>& of_kind = columns.of(one);
    return std::find(of_kind.begin(), of_kind.end(), &column) != of_kind.end();
  };
  return std::none_of(table.schema.columns.begin(), table.schema.columns.end(), [&](const Column& column) {
    using Role = Column::Kind;
    const bool has_features = column.kind != Role::label && column.kind != Role::weight &&
                              column.kind != Role::identifier && column.kind != Role::dropped;
    return has_features && !has(kind, column) &&
           std::none_of(std::begin(left_out), std::end(left_out), [&](NoteKind one) { return has(one, column); });
  });
}

// Returns a column of numbers that may be groups of thousands, as 5.534 is: all are below 1000, and most have three
// decimals; null if there is none.
const Column* column_in_thousandths(const SurveyedTable& table) {
  constexpr std::uint64_t fewest = 3;
  const auto found = std::find_if(table.schema.columns.begin(), table.schema.columns.end(), [&](const Column& column) {
    if (column.kind != Column::Kind::numeric) return false;
    const SurveyedFeature seen = table.survey.feature(column.feature);
    return seen.values >= fewest && seen.thousandths * 3 > seen.values * 2 && seen.least > -1000 && seen.most < 1000;
  });
  return found == table.schema.columns.end() ? nullptr : &*found;
}

// Returns the flags for both marks of the table's numbers, between thousands and of decimals.
std::string fix_of_numbers(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  const auto have_commas = [&](NoteKind one) {
    return any_text_of(columns.of(one), [](std::string_view text) { return text.find(',') != std::string_view::npos; });
  };
  const bool commas = !columns.of(NoteKind::decimal_comma).empty() || have_commas(NoteKind::space_thousands) ||
                      have_commas(NoteKind::apostrophe_thousands);
  const Column* const points = commas && table.schema.decimal == '.' ? column_in_thousandths(table) : nullptr;
  char mark = kind == NoteKind::space_thousands ? ' ' : kind == NoteKind::apostrophe_thousands ? '\'' : '\0';
  if (mark == '\0' && table.schema.thousands == '\0') {
    mark = !columns.of(NoteKind::space_thousands).empty()        ? ' '
           : !columns.of(NoteKind::apostrophe_thousands).empty() ? '\''
           : points != nullptr                                   ? '.'
                                                                 : '\0';
  }
  std::string flags = mark == '\0' ? "" : stream::option_of_thousands(mark);
  if (commas && table.schema.decimal == '.') flags += (flags.empty() ? "" : " ") + option("decimal", "comma");
  flags += " reads them as numbers";
  if (mark == '.') {
    const double value = table.survey.feature(points->feature).last;
    flags += fmt::format(", and {:.3f} of {} as {:.0f}", value, stream::quote(points->name), 1000 * value);
  }
  return flags;
}

// Returns where a command rewrites the numbers of a kind: in its columns, where they are few and cells are delimited.
stream::RewrittenCells cells_of(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  constexpr std::size_t most_columns = 8;
  constexpr std::string_view marks = ",;\t|";
  stream::RewrittenCells cells;
  if (!table.has_marks()) return cells;
  cells.delimiter = table.schema.delimiter;
  cells.quoted = table.schema.quote == Quote::double_quote;
  const std::vector<const Column*>& of_kind = columns.of(kind);
  if (of_kind.size() > most_columns || marks.find(table.schema.delimiter) == std::string_view::npos ||
      table.schema.quote == Quote::single_quote)
    return cells;
  for (const Column* column : of_kind)
    cells.columns.push_back(static_cast<std::size_t>(column - table.schema.columns.data()) + 1);
  return cells;
}

// Returns what reads numbers that are written with other marks.
std::string fix_of_marks(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  const std::string reads = " reads them as numbers";
  const bool in_text = table.format.make != nullptr;
  if (!in_text && (kind == NoteKind::with_units || kind == NoteKind::other_notation || kind == NoteKind::oddly_marked))
    return "write the numbers alone";
  if (kind == NoteKind::with_units)
    return "take the units out of the file: " +
           stream::command_without_units(columns.units, cells_of(table, columns, kind));
  if (kind == NoteKind::mixed_units) return "convert them to one unit in the file, and write the numbers alone";
  if (kind == NoteKind::other_notation) {
    std::string remarks;
    for (const stream::NumberNotation* one : columns.notations) remarks += one->remark;
    return "rewrite them in the file" + remarks + ": " +
           stream::command_of(columns.notations, cells_of(table, columns, kind));
  }
  // The flag has no column, so that no command to try silences the note.
  if (kind == NoteKind::among_text)
    return "write each number in a column of its own; where they are names, name the column in " +
           option("categorical");
  if (kind == NoteKind::oddly_marked) {
    // Commas before one or two digits, or many: decimal commas, which the same command turns into points.
    const bool commas =
        table.has_marks() && table.schema.delimiter != ',' && table.schema.decimal == '.' &&
        any_text_of(columns.of(kind), [](auto text) {
          constexpr std::size_t of_thousands = 4;
          const std::size_t comma = text.rfind(',');
          return comma != std::string_view::npos && text.size() - comma != of_thousands && text.find(')') == text.npos;
        });
    return "write them as -1234.5 is: " +
           stream::edit_command(
               "s/\\xe2\\x88\\x92/-/g; s/\\xe2\\x80\\x93/-/g; s/\\xc2\\xa0//g; s/\\xe2\\x80\\xaf//g; "
               "s/\\xe2\\x80\\x89//g; " +
                   std::string(commas ? "s/([0-9]),([0-9])/\\1.\\2/g; " : "") + "s/\\(([0-9][0-9.,]*)\\)/-\\1/g",
               cells_of(table, columns, kind));
  }
  if (kind == NoteKind::in_single_quotes) return option("quote", "single") + " reads the text between them";
  if (kind == NoteKind::decimal_comma && !table.has_marks()) return "write them with a point";
  if (kind == NoteKind::point_thousands)
    return stream::option_of_thousands('.') + " " + option("decimal", "comma") + reads;
  if (kind == NoteKind::comma_thousands && !table.has_marks()) return "write them without";
  // One mark is that of all columns.
  if (kind == NoteKind::comma_thousands && !columns.of(NoteKind::decimal_comma).empty())
    return "other columns have decimal commas: write these numbers without";
  if (kind == NoteKind::comma_thousands) return stream::option_of_thousands(',') + reads;
  if (kind == NoteKind::decimal_comma || kind == NoteKind::space_thousands || kind == NoteKind::apostrophe_thousands)
    return fix_of_numbers(table, columns, kind);
  if (!table.has_marks()) return "write them without";
  return option("decimal", "comma") + " reads 1,234 as 1.234, and " + option("thousands", "comma") + " as 1234";
}

// Returns what reads the texts among numbers as missing, if they are few, as the beginning of a fix.
std::string fix_of_mixed(const GatheredColumns& columns) {
  std::vector<std::string> texts = columns.mixed_texts;
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::string list;
  for (const std::string& text : texts) {
    if (text.find(',') != std::string::npos) return {};
    list += (list.empty() ? "" : ",") + text;
  }
  if (!columns.mixed_have_marks || texts.size() > most_odd_texts) return {};
  return option("missing", list) + " reads " + (texts.size() == 1 ? "it" : "them") + " as missing; ";
}

// Returns the command that writes the members of JSON Lines as CSV, behind a colon; nothing of another format.
std::string command_to_csv(const Schema& schema) {
  if (schema.format != DataFormat::jsonl) return {};
  std::string names, members;
  for (const Column& column : schema.columns) {
    if (column.kind == Column::Kind::dropped || column.kind == Column::Kind::product) continue;
    if (column.name.find_first_of(".\"'\\") != std::string::npos) return {};
    names += (names.empty() ? "\"" : ", \"") + column.name + "\"";
    members += (members.empty() ? ".\"" : ", .\"") + column.name + "\"";
  }
  return ": jq -rn '[" + names + "], (inputs | [" + members + "]) | @csv' FILE >NAME.csv";
}

std::string fix_of_texts(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind,
                         const std::string& words, const std::string& dropped) {
  const std::string in_csv = dropped + "; of a table in CSV ", makes = " makes features of ";
  const std::string characters = option("text-tokens", "characters") + " " + option("ngrams", "2");
  if (kind == NoteKind::long_tokens) return characters + makes + "the characters";
  const bool reads_texts = table.format.takes_all(stream::about_texts);
  if (!reads_texts && leaves_no_feature(table, columns, kind)) {
    return "there is nothing else to learn from: write the table as CSV" + command_to_csv(table.schema) +
           "; of that, " + option("text") + " makes features of the words";
  }
  if (kind == NoteKind::prose)
    return reads_texts ? option("text", words) + makes + "the words; " + dropped
                       : in_csv + option("text", words) + makes + "the words";
  return reads_texts ? option("text", words) + " " + characters + makes + "the characters; " + dropped
                     : in_csv + option("text", words) + makes + "them";
}

std::string fix_by_dropping(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind,
                            const std::string& words) {
  if (leaves_no_feature(table, columns, kind)) return "there is nothing else to learn from: give the rows more columns";
  const std::size_t count = columns.of(kind).size();
  return option("drop", words) + " leaves " + pronoun_of(count, most_words) + " out";
}

std::string fix_of_row_names(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind,
                             const std::string& words, const std::string& dropped) {
  const bool one = columns.of(kind).size() == 1;
  if (!one || leaves_no_feature(table, columns, kind)) return dropped;
  return option("id", words) + " takes it as the name of the rows, " + dropped;
}

}  // namespace

std::string fix_of_columns(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind) {
  const std::vector<const Column*>& of_kind = columns.of(kind);
  const bool one = of_kind.size() == 1;
  const std::string words = words_of(table, columns, kind);
  const std::string dropped = fix_by_dropping(table, columns, kind, words);
  switch (kind) {
    case NoteKind::among_text:
    case NoteKind::decimal_comma:
    case NoteKind::unsure_commas:
    case NoteKind::comma_thousands:
    case NoteKind::space_thousands:
    case NoteKind::apostrophe_thousands:
    case NoteKind::point_thousands:
    case NoteKind::with_units:
    case NoteKind::mixed_units:
    case NoteKind::other_notation:
    case NoteKind::oddly_marked:
    case NoteKind::in_single_quotes:
      return fix_of_marks(table, columns, kind);
    case NoteKind::dates:
    case NoteKind::unsure_dates:
    case NoteKind::unread_dates:
      return fix_of_dates(table, columns, kind, words, dropped);
    case NoteKind::prose:
    case NoteKind::unspaced:
    case NoteKind::long_tokens:
      return fix_of_texts(table, columns, kind, words, dropped);
    case NoteKind::own_name:
      return "is it a second header line? take it out of the file";
    case NoteKind::own_name_over_numbers:
      return option("numeric", words) + " " + option("on-error", "skip") +
             " leaves the row out; or take the line out of the file";
    case NoteKind::naming:
    case NoteKind::counting:
    case NoteKind::numbering:
      return fix_of_row_names(table, columns, kind, words, dropped);
    case NoteKind::ascending:  // or a depth or frequency: no command to try leaves it out
      return "where it numbers the rows, name it in " + option("id") + " or " + option("drop");
    case NoteKind::inexact:
      return (one && table.options.columns.identifier.empty()
                  ? option("id", words) + " takes it as the name of the rows, "
                  : std::string()) +
             dropped + ", " + option("categorical", words) + " makes a category of each";
    case NoteKind::weights:
      return option("weight", table.word_of(*of_kind.front())) + " weights the rows by it, " + dropped;
    case NoteKind::mixed:
      return option("categorical", words) + " confirms it; " + fix_of_mixed(columns) + option("numeric", words) + " " +
             option("on-error", "skip") + " leaves the rows of other texts out";
    case NoteKind::odd_dates:
    case NoteKind::months:
    case NoteKind::times:
    case NoteKind::scattered:
    case NoteKind::without_value:
    case NoteKind::constant:
    case NoteKind::kinds:
      break;
  }
  return dropped;
}

}  // namespace halfspace
