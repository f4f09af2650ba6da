// The flags that say how data are read.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "stream/format_entry.h"
#include "stream/parser.h"

namespace halfspace::cli {

namespace {

char delimiter_named(const std::string& text) {
  if (const char mark = mark_named(text); mark != '\0') return mark;
  throw Error(ErrorKind::usage,
              "--delimiter takes comma, semicolon, tab, pipe, space or one character, not '" + printable(text) + "'")
      .fix("leave it out to have it told by the first lines");
}

// The words of the library, and the characters that they stand for.
Takes quotes() {
  Takes takes = one_of(choices_of<Quote>());
  for (FlagChoice& choice : takes.choices) {
    const std::string mark = choice.name == "double" ? "\"" : choice.name == "single" ? "'" : "";
    choice.spelling = mark;
  }
  return takes;
}

// The formats, as their entries have them.
Takes data_formats() {
  std::vector<FlagChoice> choices = {
      {std::string(name_of(DataFormat::automatic)), std::string(stream::entry_of(DataFormat::automatic).help)}};
  for (const stream::FormatEntry& entry : stream::all_formats())
    choices.push_back({std::string(entry.name), std::string(entry.help)});
  return one_of(std::move(choices));
}

// "of CSV and ARFF": the formats that take an option.
std::string of_formats(unsigned about) {
  return "of " + stream::formats_that_take(about);
}

// The options that one format has alone, each once.
std::vector<Row> format_rows(ReadOptions& read) {
  std::vector<Row> rows;
  std::set<std::string_view> named;
  for (const stream::FormatEntry& entry : stream::all_formats()) {
    for (const stream::FormatOption& each : entry.options) {
      if (!named.insert(each.name).second) continue;
      const std::string name(each.name);
      rows.emplace_back("--" + name, std::string(each.value), std::string(each.help),
                        [&read, name](const std::string& text) { read.of_format[name] = text; });
    }
  }
  return rows;
}

}  // namespace

char mark_named(const std::string& word) {
  static constexpr std::pair<std::string_view, char> names[] = {{"comma", ','}, {"semicolon", ';'},  {"tab", '\t'},
                                                                {"pipe", '|'},  {"space", ' '},      {"point", '.'},
                                                                {"\\t", '\t'},  {"apostrophe", '\''}};
  for (const auto& [name, character] : names) {
    if (word == name) return character;
  }
  return word.size() == 1 ? word[0] : '\0';
}

std::vector<Row> table_rows(TableFlags& flags) {
  return {
      {"--header", "", "the first line of CSV names the columns (default: told by what stands below it)",
       &flags.header},
      {"--no-header", "", "CSV without a header: columns are 1, 2, 3 ...", &flags.no_header},
      {"--delimiter", "CHAR",
       "what parts the values of CSV: comma, semicolon, tab, pipe, space (runs of blanks), or the character (default: "
       "told by the first lines)",
       [&flags](const std::string& text) { flags.delimiter = delimiter_named(text); }},
      {"--decimal", "MARK", "the mark in the numbers of CSV (default: point; of a model its own)", &flags.decimal,
       one_of({{"point", "1.5", "."}, {"comma", "1,5", ","}})},
      {"--thousands", "MARK",
       "what stands between thousands in the numbers of CSV (default: nothing; of a model its own)", &flags.thousands,
       one_of({{"comma", "1,234.5", ","},
               {"point", "1.234,5", "."},
               {"space", "1 234.5", " "},
               {"apostrophe", "1'234.5", "'"},
               {"none", "nothing"}})},
      {"--quote", "WHAT", "what quotes in CSV are (default: double; of a model its own)", &flags.quote, quotes()},
      {"--skip-lines", "N", "so many lines of each CSV file stand before the table (default: 0; of a model its own)",
       &flags.skip_lines},
      {"--comment", "CHARS", "lines of CSV that begin with one of these characters are no rows",
       [&flags](const std::string& text) { flags.comment = text; }}};
}

std::vector<Row> missing_rows(TableFlags& flags) {
  const std::string formats = of_formats(stream::about_missing | stream::about_keeping);  // with texts in their cells
  return {{"--missing", "NAME,NAME...",
           "more texts that stand for a missing value, as an empty cell, ?, -, NA, N/A, NaN, nan, null and None do; " +
               formats,
           &flags.missing, commas()},
          {"--missing-only", "NAME,NAME...", "the same, but instead of those texts ('': instead of all); " + formats,
           &flags.missing_only, commas()}};
}

bool say(const ReadNote& note) {
  // Folds, searches and the rows behind the first tell the same again. Of the label less is known at first.
  static std::set<std::string> said;
  if (!said.insert(note.on_label ? std::string() : note.text).second) return false;
  tell(fmt::format("{} {}\n  fix: {}\n", bold("note:", false), printable(with_flags(note.text)),
                   printable(with_flags(note.fix))));
  return true;
}

std::function<void(const ReadNote&)> say_note() {
  return [](const ReadNote& note) { say(note); };
}

Row json_row(bool& json) {
  return {"--json", "", "one JSON object on stdout", &json};
}

Row confidence_row(double& confidence) {
  return {"--confidence", "P", "how sure what is said of new rows is to be (default 0.95)", &confidence};
}

Row data_row(DataFlags& flags, const std::string& what) {
  return required(
      {"DATA", "", what + "; several, and patterns such as 'part-*.csv', are one stream", &flags.paths, data_files()});
}

std::string data_words(const DataFlags& flags) {
  constexpr std::size_t most = 3;
  if (flags.paths.size() > most) return "DATA...";
  std::string words;
  for (const std::string& path : flags.paths) words += (words.empty() ? "" : " ") + printable(path);
  return words;
}

void add_data_flags(Command& command, DataFlags& flags, bool learning) {
  ReadOptions& read = flags.read;
  const std::string columns = of_formats(stream::about_columns);
  command.add(kDataGroup, {{"--format", "FORMAT", "what the data are written in", &flags.format, data_formats()},
                           {"--zero-based", "", "LIBSVM indices begin at 0", &read.zero_based}});
  command.add(kDataGroup, table_rows(flags.table));
  command.add(kDataGroup, format_rows(read));
  command.add(
      kDataGroup,
      {{"--arrays", "X,Y", "of an .npz the array of the rows, and that of the labels (default: told by their names)",
        &read.arrays, commas()},
       {"--label", "COL",
        "label column, by name or position; " + columns + " (default: label, class, target or y, else the last)",
        &read.label},
       {"--id", "COL",
        "column that names the rows, not learned from; " + of_formats(stream::about_names) + " (predict: of VW tag)",
        &read.identifier},
       {"--drop", "COL,COL...", "columns to leave out; " + columns, &read.drop, commas()},
       {"--on-error", "WHAT", "what to do with a bad row", &flags.on_error,
        one_of({{"stop", "stop there, and say where (default)"}, {"skip", "leave it out, and count it"}})},
       {"--rejects", "FILE", "with --on-error skip: write the bad rows, with place and reason, here", &read.rejects,
        output_file()},
       {"--threads", "N", "threads for reading (default: all cores); never changes a result", &read.threads}});
  if (!learning) return;
  command.add(
      kDataGroup,
      {{"--categorical", "COL,COL...", "columns to one-hot encode although they look numeric; " + columns,
        &read.categorical, commas()},
       {"--numeric", "COL,COL...", "columns to read as numbers, so that a non-number is an error; " + columns,
        &read.numeric, commas()},
       {"--text", "COL,COL...",
        "columns of free text, " + of_formats(stream::about_texts) + ": each word is a feature (docs/formats/csv.md)",
        &read.text, commas()},
       usually("1", needs("text", {"--ngrams", "N", "runs of up to N adjacent tokens are features, too", &read.ngrams,
                                   between(1, 16)})),
       usually("words", needs("text", {"--text-tokens", "WHAT", "what a token of a text is", &flags.text_tokens,
                                       one_of(choices_of<TextTokens>())})),
       usually("counts", needs("text", {"--text-values", "WHAT", "what a token is worth in a row", &flags.text_values,
                                        one_of(choices_of<TextValues>())})),
       {"--dates", "COL,COL...",
        "columns of dates, " + of_formats(stream::about_dates) + ": year, month, day, weekday and seconds are features",
        &read.dates, commas()},
       needs("dates", {"--date-order", "ORDER", "what the dates begin with (default: what the first rows show)",
                       &flags.date_order, one_of(choices_of<DateOrder>())}),
       {"--interactions", "A:B,C:D...",
        "pairs of columns " + of_formats(stream::about_columns | stream::about_products) +
            ", or of namespaces of VW, whose products are features, too",
        &read.interactions, commas()}});
  command.add(kDataGroup, missing_rows(flags.table));
  command.add(
      kDataGroup,
      {{"--classes", "NAME,NAME...",
        "all classes there are (default: those of the first rows, of a file of all rows); all: each value, however "
        "many",
        &read.classes, commas()},
       {"--positive", "NAME", "the positive class (default: the larger number, the later name)", &read.positive}});
}

ReadOptions read_options(const DataFlags& flags) {
  ReadOptions read = flags.read;
  read.path = flags.paths.at(0);
  read.interrupt = &interrupted();
  read.more.assign(flags.paths.begin() + 1, flags.paths.end());
  read_table_flags(flags.table, read);
  read.text_values = value_named<TextValues>(flags.text_values);
  read.text_tokens = value_named<TextTokens>(flags.text_tokens);
  read.date_order = value_named<DateOrder>(flags.date_order);
  read.format = format_named(flags.format).value_or(DataFormat::automatic);
  if (read.classes == std::vector<std::string>{"all"}) {
    read.classes.clear();
    read.any_label = read.all_labels = true;
  }
  read.on_error = flags.on_error == "skip" ? OnError::skip : OnError::stop;
  if (!read.rejects.empty() && read.on_error == OnError::stop) {
    throw Error(ErrorKind::usage, "--rejects needs --on-error skip").fix("add --on-error skip, or leave out --rejects");
  }
  for (const std::string& text : flags.class_weights) {
    const std::size_t equals = text.rfind('=');
    double weight = -1;
    const bool number =
        equals != std::string::npos && equals > 0 &&
        stream::parse_number(std::string_view(text).substr(equals + 1), weight) == stream::NumberProblem::none;
    if (!number || weight < 0) {
      throw Error(ErrorKind::usage,
                  "--class-weight takes NAME=WEIGHT with a weight of at least 0, not '" + printable(text) + "'")
          .fix("such as --class-weight +1=2, which doubles what the rows of +1 weigh");
    }
    read.class_weights.emplace_back(text.substr(0, equals), weight);
  }
  return read;
}

}  // namespace halfspace::cli
