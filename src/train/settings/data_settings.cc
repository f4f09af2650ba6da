// The options of reading data.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "halfspace/base/error.h"
#include "halfspace/train/settings.h"
#include "stream/formats/format_entry.h"
#include "stream/text/number.h"

namespace halfspace {
namespace {

using takes::at_least, takes::between, takes::commas, takes::needs, takes::one_of, takes::output_file, takes::usually;

char delimiter_named(const std::string& text) {
  if (const char mark = mark_named(text); mark != '\0') return mark;
  throw Error(
      ErrorKind::usage,
      option("delimiter") + " takes comma, semicolon, tab, pipe, space or one character, not '" + printable(text) + "'")
      .fix("leave it out to detect it from the first lines");
}

// Returns what sets whether there is a header. Throws Error(usage) if the opposite was set.
OptionSwitch header_switch(TableOptions& table, bool header) {
  return [&table, header] {
    if (table.header.value_or(header) != header)
      throw Error(ErrorKind::usage, option("header") + " and " + option("no-header") + " contradict each other")
          .fix("give one of the two");
    table.header = header;
  };
}

// The names of characters.
OptionTakes quotes() {
  OptionTakes takes = one_of(choices_of<Quote>());
  for (OptionChoice& choice : takes.choices) {
    const std::string mark = choice.name == "double" ? "\"" : choice.name == "single" ? "'" : "";
    choice.spelling = mark;
  }
  return takes;
}

// The formats, from their entries.
OptionTakes data_formats() {
  std::vector<OptionChoice> choices = {
      {std::string(name_of(DataFormat::automatic)), std::string(stream::entry_of(DataFormat::automatic).help)}};
  for (const stream::FormatEntry& entry : stream::all_formats())
    choices.push_back({std::string(entry.name), std::string(entry.help)});
  return one_of(std::move(choices));
}

// Returns text such as "of CSV and ARFF": the formats that support an option.
std::string of_formats(unsigned about) { return "of " + stream::formats_that_take(about); }

// Returns the options that belong to a single format, each once.
std::vector<Option> format_options(ReadOptions& read) {
  std::vector<Option> options;
  std::set<std::string_view> named;
  for (const stream::FormatEntry& entry : stream::all_formats()) {
    for (const stream::FormatOption& each : entry.options) {
      if (!named.insert(each.name).second) continue;
      const std::string name(each.name);
      options.emplace_back(name, std::string(each.value), std::string(each.help),
                           [&read, name](const std::string& text) { read.of_format[name] = text; });
    }
  }
  return options;
}

}  // namespace

namespace {

// Returns one character, which may take several bytes, and removes it from the text.
std::string next_letter(std::string_view& text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  std::string letter(text.substr(0, bytes));
  text.remove_prefix(bytes);
  return letter;
}

// Adds products of namespaces by their first letters, as Vowpal Wabbit names them: `ab`. A colon stands for all
// namespaces, a blank for the one without a name. The order of the letters does not matter.
void add_products(const char* flag, std::size_t factors, const std::vector<std::string>& words,
                  std::vector<std::string>& interactions) {
  std::set<std::vector<std::string>> known;
  for (const std::string& word : words) {
    std::vector<std::string> letters;
    for (std::string_view rest = word; !rest.empty();) letters.push_back(next_letter(rest));
    if (letters.size() != factors || word.find('|') != std::string::npos) {
      const bool pair = factors == 2;
      throw Error(ErrorKind::usage, option(flag) + " takes the first letters of " + (pair ? "two" : "three") +
                                        " namespaces, not '" + printable(word) + "'")
          .fix("write " + option(flag, pair ? "ui" : "uic") +
               ", or whole names: " + option("interactions", pair ? "user:item" : "user:item:city"));
    }
    std::vector<std::string> sorted = letters;
    std::sort(sorted.begin(), sorted.end());
    if (!known.insert(std::move(sorted)).second) continue;
    std::string product;
    for (const std::string& letter : letters)
      product += (product.empty() ? "" : ":") + (letter == " " ? "" : "|" + (letter == ":" ? "" : letter));
    interactions.push_back(std::move(product));
  }
}

// Returns the options that select and multiply the namespaces of Vowpal Wabbit text.
std::vector<Option> namespace_options(DataSettings& flags) {
  ColumnOptions& columns = flags.read.columns;
  const std::string formats = of_formats(stream::about_namespaces);
  return {
      {"quadratic", "AB,CD...",
       "pairs of namespaces " + formats +
           " by first letters, as the -q of Vowpal Wabbit: all that begin with A times all that begin with B; :: all",
       &flags.quadratic, commas()},
      {"cubic", "ABC,DEF...", "the same for triples", &flags.cubic, commas()},
      {"ignore", "NAME,NAME...",
       "namespaces to leave out, " + formats + "; '|u': all that begin with u. A model keeps them out", &columns.ignore,
       commas()},
      {"only", "NAME,NAME...", "namespaces to read, " + formats + ", and no other, as the keep of Vowpal Wabbit does",
       &columns.only, commas()}};
}

// Returns the options that hash names.
std::vector<Option> hashing_options(ReadOptions& read) {
  return {{"hash", "BITS",
           "hash the names " + of_formats(stream::about_hashing) +
               " to 2^BITS features, 18 as Vowpal Wabbit does, so that new names take no memory",
           &read.columns.hash, between(1, HashedNames::most_bits)},
          needs("hash", {"hash-names", "N", "names to keep of those that are hashed, the first ones (default: 10000)",
                         &read.columns.hash_names})};
}

// Returns the options of what columns are learned as.
std::vector<Option> column_options(ReadOptions& read) {
  const std::string columns = of_formats(stream::about_columns);
  return {
      {"categorical", "COL,COL...", "columns to one-hot encode although they look numeric; " + columns,
       &read.columns.categorical, commas()},
      {"numeric", "COL,COL...", "columns to read as numbers, so that a non-number is an error; " + columns,
       &read.columns.numeric, commas()},
      {"text", "COL,COL...",
       "columns of free text, " + of_formats(stream::about_texts) + ": each word is a feature (docs/formats/csv.md)",
       &read.columns.text, commas()},
      usually("1", needs("text", {"ngrams", "N", "runs of up to N adjacent tokens are features, too",
                                  &read.columns.ngrams, between(1, 16)})),
      usually("words", needs("text", {"text-tokens", "WHAT", "what a token of a text is",
                                      by_name(read.columns.text_tokens), one_of(choices_of<TextTokens>())})),
      usually("counts", needs("text", {"text-values", "WHAT", "what a token is worth in a row",
                                       by_name(read.columns.text_values), one_of(choices_of<TextValues>())})),
      {"dates", "COL,COL...",
       "columns of dates, " + of_formats(stream::about_dates) + ": year, month, day, weekday and seconds are features",
       &read.columns.dates, commas()},
      needs("dates", {"date-order", "ORDER", "what the dates begin with (default: what the first rows show)",
                      by_name(read.columns.date_order), one_of(choices_of<DateOrder>())}),
      {"interactions", "A:B,C:D...",
       "pairs of columns " + of_formats(stream::about_columns | stream::about_products) +
           ", or pairs and triples A:B:C of namespaces of VW, whose products are features, too",
       &read.columns.interactions, commas()}};
}

// Returns the options of formats whose features have names.
std::vector<Option> options_of_names(DataSettings& flags) {
  std::vector<Option> options = hashing_options(flags.read);
  for (Option& one : namespace_options(flags)) options.push_back(std::move(one));
  return options;
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

std::vector<Option> table_options(TableOptions& table) {
  return {
      {"header", "", "the first line of CSV names the columns (default: detected from the rows)",
       header_switch(table, true)},
      {"no-header", "", "CSV without a header: columns are 1, 2, 3 ...", header_switch(table, false)},
      {"delimiter", "CHAR",
       "what separates the values of CSV: comma, semicolon, tab, pipe, space (runs of blanks), or the character "
       "(default: "
       "detected from the first lines)",
       [&table](const std::string& text) { table.delimiter = delimiter_named(text); }},
      {"decimal", "MARK", "the mark in the numbers of CSV (default: point; of a model its own)",
       [&table](const std::string& text) { table.decimal = mark_named(text); },
       one_of({{"point", "1.5", "."}, {"comma", "1,5", ","}})},
      {"thousands", "MARK", "the thousands separator in the numbers of CSV (default: none; of a model its own)",
       [&table](const std::string& text) { table.thousands = text == "none" ? '\0' : mark_named(text); },
       one_of({{"comma", "1,234.5", ","},
               {"point", "1.234,5", "."},
               {"space", "1 234.5", " "},
               {"apostrophe", "1'234.5", "'"},
               {"none", "nothing"}})},
      {"quote", "WHAT", "what quotes in CSV are (default: double; of a model its own)", by_name(table.quote), quotes()},
      {"skip-lines", "N", "lines of each CSV file to skip before the table (default: 0; of a model its own)",
       &table.skip_lines},
      {"comment", "CHARS", "lines of CSV that begin with one of these characters are no rows",
       [&table](const std::string& text) { table.comment = text; }}};
}

std::vector<Option> missing_options(TableOptions& table) {
  const std::string formats = of_formats(stream::about_missing | stream::about_keeping);  // with texts in their cells
  return {{"missing", "NAME,NAME...",
           "more texts that stand for a missing value, as an empty cell, ?, -, NA, N/A, NaN, nan, null and None do; " +
               formats,
           &table.missing, commas()},
          {"missing-only", "NAME,NAME...", "the same, but instead of those texts ('': instead of all); " + formats,
           &table.missing_only, commas()}};
}

std::vector<Option> data_options(DataSettings& flags, bool learning) {
  std::vector<Option> options;
  const auto add = [&](std::vector<Option> more) {
    for (Option& one : more) options.push_back(std::move(one));
  };
  ReadOptions& read = flags.read;
  const std::string columns = of_formats(stream::about_columns);
  add({{"format", "FORMAT", "what the data are written in",
        [&read](const std::string& text) { read.format = format_named(text).value_or(DataFormat::automatic); },
        data_formats()},
       {"zero-based", "", "LIBSVM indices begin at 0", &read.zero_based}});
  add(table_options(read.table));
  add(format_options(read));
  add({{"arrays", "X,Y", "of an .npz the array of the rows, and that of the labels (default: by their names)",
        &read.arrays, commas()},
       {"label", "COL",
        "label column, by name or position; " + columns + " (default: label, class, target or y, else the last)",
        &read.columns.label},
       {"id", "COL",
        "column that names the rows, not learned from; " + of_formats(stream::about_names) + " (predict: of VW tag)",
        &read.columns.identifier},
       {"drop", "COL,COL...", "columns to leave out; " + columns, &read.columns.drop, commas()},
       {"on-error", "WHAT", "what to do with a bad row",
        [&read](const std::string& text) { read.on_error = text == "skip" ? OnError::skip : OnError::stop; },
        one_of({{"stop", "stop there, and say where (default)"}, {"skip", "leave it out, and count it"}})},
       {"rejects", "FILE", "with " + option("on-error", "skip") + ": write the bad rows, with line and reason, here",
        &read.rejects, output_file()},
       {"inference-rows", "N",
        "rows that labels and the kinds of columns are inferred from (default: 10000, or what 64 MiB hold)",
        &read.inference_rows, at_least(1)},
       {"threads", "N", "threads for reading (default: all cores); never changes a result", &read.threads}});
  if (!learning) return options;
  add(column_options(flags.read));
  add(options_of_names(flags));
  add(missing_options(read.table));
  add({{"classes", "NAME,NAME...",
        "all classes there are (default: those of the first rows, of a file of all rows); all: each value, however "
        "many",
        &read.labels.classes, commas()},
       {"positive", "NAME", "the positive class (default: the larger number, the later name)", &read.labels.positive}});
  return options;
}

ReadOptions read_options(const DataSettings& flags) {
  ReadOptions read = flags.read;
  if (read.rows == nullptr && read.table_text == nullptr) {
    if (flags.paths.empty())
      throw Error(ErrorKind::usage, "no rows and no file are given").fix("add a file, or give rows");
    read.path = flags.paths.front();
    read.more.assign(flags.paths.begin() + 1, flags.paths.end());
  }
  if (read.labels.classes == std::vector<std::string>{"all"}) {
    read.labels.classes.clear();
    read.labels.any_value = read.labels.scan_all = true;
  }
  add_products("quadratic", 2, flags.quadratic, read.columns.interactions);
  add_products("cubic", 3, flags.cubic, read.columns.interactions);
  if (!read.rejects.empty() && read.on_error == OnError::stop) {
    throw Error(ErrorKind::usage, option("rejects") + " needs " + option("on-error", "skip"))
        .fix("add " + option("on-error", "skip") + ", or leave out " + option("rejects"));
  }
  for (const std::string& text : flags.class_weights) {
    if (text == "balanced" && flags.class_weights.size() == 1) {
      read.labels.balanced = true;
      continue;
    }
    const std::size_t equals = text.rfind('=');
    double weight = -1;
    const bool number =
        equals != std::string::npos && equals > 0 &&
        stream::parse_number(std::string_view(text).substr(equals + 1), weight) == stream::NumberProblem::none;
    if (!number || !is_weight(weight)) {
      throw Error(ErrorKind::usage, option("class-weight") +
                                        " takes NAME=WEIGHT with a weight from 0 to 1e100, or balanced, not '" +
                                        printable(text) + "'")
          .fix("such as " + option("class-weight", "+1=2") + ", which doubles what the rows of +1 weigh");
    }
    read.labels.class_weights.emplace_back(text.substr(0, equals), weight);
  }
  return read;
}

}  // namespace halfspace
