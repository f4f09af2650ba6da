// Infers from the first records: delimiter, header, column kinds, labels.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/columns/odd_texts.h"
#include "stream/csv/beginning.h"
#include "stream/csv/csv.h"
#include "stream/csv/walk.h"
#include "stream/foreign/foreign_slips.h"
#include "stream/labels/label_inference.h"
#include "stream/source/raw_file.h"
#include "stream/text/dates.h"
#include "stream/text/decimals.h"
#include "stream/text/first_lines.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using Kind = Column::Kind;

constexpr std::uint64_t most_columns = 1 << 20;
const std::string unnamed_column = "1";                          // the first, where the header lacks its name
constexpr std::size_t inference_bytes = std::size_t{256} << 10;  // text parsed at a time

[[noreturn]] void refuse_no_line(bool cut, const ReadOptions& options) {
  throw Error(ErrorKind::data, cut ? "the first line has no end" : "the file holds no line of data")
      .at(shown_name(options.path))
      .fix(cut ? "is this a CSV file? look for an unclosed quote" : "a CSV file has a header and a line per row");
}

// Notes columns whose points may separate thousands: 1.250 beside 980, and no other fraction or number of four digits;
// or 52.857 in all rows of a table between semicolons, whose fractions all have three digits.
void note_points(std::string_view data, const CsvGrammar& grammar, const MissingNames& missing,
                 const ReadOptions& options, const Schema& schema) {
  constexpr std::uint64_t most_rows = 1000, fewest_hundreds = 2, fewest_grouped = 10;
  struct Points {
    std::uint64_t grouped = 0, hundreds = 0;
    bool others = false;
    std::string example{};
  };
  if (!options.on_note || grammar.decimal != '.' || grammar.thousands != '\0' || options.table.decimal) return;
  std::vector<Points> columns(schema.columns.size());
  std::vector<CsvField> fields(columns.size());
  std::uint64_t rows = 0;
  bool fractions = grammar.delimiter != ';';  // none that groups of three digits cannot be
  for_each_record(data, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (record.flaw != CsvFlaw::none || record.fields != fields.size()) return true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Points& its = columns[i];
      const std::string_view text = fields[i].text();
      if (schema.columns[i].kind != Kind::numeric || missing(text)) continue;
      const bool whole = text.find_first_not_of("0123456789") == std::string_view::npos && text.size() <= 3;
      const bool grouped = !whole && may_have_points_for_thousands(text);
      if (grouped && its.grouped++ == 0) its.example = text;
      its.hundreds += whole && text.size() == 3 ? 1 : 0;
      its.others = its.others || (!whole && !grouped);
      fractions = fractions || (!grouped && text.find_first_of(".eE") != std::string_view::npos);
    }
    return ++rows < most_rows;
  });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Points& its = columns[i];
    const bool beside_hundreds = its.hundreds >= fewest_hundreds;
    if (its.others || its.grouped == 0 || !(beside_hundreds || (!fractions && its.grouped >= fewest_grouped))) continue;
    options.on_note({"points may separate thousands in column " + quote(schema.columns[i].name) + ": " +
                         quote(its.example) +
                         (beside_hundreds ? " is among whole numbers below 1000"
                                          : ", and three digits are behind all points of the table"),
                     option_of_thousands('.') + " " + option("decimal", "comma") + " reads it without the point; " +
                         option("decimal", "point") + " confirms it"});
    return;
  }
}

// Notes columns of whole numbers with leading zeros, as codes have: 02139.
void note_leading_zeros(std::string_view data, const CsvGrammar& grammar, const MissingNames& missing,
                        const ReadOptions& options, const std::vector<std::uint32_t>& open, const Schema& schema) {
  if (!options.on_note) return;
  LeadingZeros columns(schema.columns.size());
  std::vector<CsvField> fields(schema.columns.size());
  std::uint64_t rows = 0;
  for_each_record(data, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (record.flaw != CsvFlaw::none || record.fields != fields.size()) return true;
    for (const std::uint32_t i : open) {
      if (!missing(fields[i].text())) columns.add(i, fields[i].text());
    }
    return ++rows < LeadingZeros::most_rows;
  });
  columns.note(options, schema);
}

}  // namespace

std::size_t Csv::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                              Schema& schema) {
  if (files_) {
    resolve_missing(schema);
  } else {
    resolve_grammar(text, whole, schema);
  }
  const std::size_t before = begin_of_table(text);
  const std::size_t size = before + whole_records(text.substr(before), whole, *grammar_).size();
  const bool header = *header_;
  labels_ = {};
  labels_open_ = true;
  const std::size_t begin = learn_columns(text.substr(before), size - before, header) + before;
  const std::size_t shown = names_but_one_ ? begin : before;
  other_quotes_ = other_quotes(text.substr(shown, size - shown), *grammar_, plan_.names.size());
  if (names_but_one_) take_row_names(schema);
  const std::string_view data = text.substr(begin);
  if (options_.schema != nullptr) {
    plan_ = match_columns(options_, header, std::move(plan_.names), schema);
    prepare(schema);
  } else {
    schema.format = DataFormat::csv;
    schema.delimiter = grammar_->delimiter;
    schema.decimal = grammar_->decimal;
    schema.thousands = grammar_->thousands;
    schema.quote = grammar_->quote == '\0'   ? Quote::none
                   : grammar_->quote == '\'' ? Quote::single_quote
                                             : Quote::double_quote;
    schema.skip_lines = skip_lines_;
    schema.comment = grammar_->comment;
    schema.header = header;
    const std::vector<std::uint32_t> open =
        assign_new_columns(options_, plan_.names, schema, empty_columns(data.substr(0, size - begin)));
    for (std::uint32_t field = 0; field < schema.columns.size(); ++field) {
      if (schema.columns[field].kind == Kind::label) plan_.label = field;
      if (schema.columns[field].kind == Kind::weight) plan_.weight = field;
    }
    if (schema.columns.size() == 1 && schema.columns[0].kind == Kind::label && !options_.labels.ignore &&
        !options_.table.delimiter) {
      throw Error(ErrorKind::data, "no row has a feature: the table has one column, and that is the label")
          .at(shown_name(options_.path), skip_lines_ + 1, 1)
          .showing(std::string(line_at(text.substr(before), 0)))
          .fix("is its delimiter right? " + option("delimiter") + " sets it");
    }
    learn_kinds(data.substr(0, size - begin), open, schema);
    note_points(data.substr(0, size - begin), *grammar_, missing_, options_, schema);
    note_leading_zeros(data.substr(0, size - begin), *grammar_, missing_, options_, open, schema);
    learn_date_orders(data.substr(0, size - begin), schema);
    plan_ = number_new_features(options_, std::move(plan_.names), schema);
    plan_.kept = kept_fields(options_, plan_.names);
    prepare(schema);
  }
  if (options_.schema == nullptr || schema.labels.names.empty())
    schema.labels = options_.labels.ignore ? Labels() : learn_labels(data.substr(0, size - begin), whole, more);
  ignore_columns(options_.labels, plan_);
  labels_ = schema.labels;
  labels_open_ = has_nameless_class(labels_);
  return begin;
}

// Returns where the table begins in the first text of a file: after the byte order mark and the lines before the table.
std::size_t Csv::begin_of_table(std::string_view text) const {
  const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::optional<std::size_t> lines = bytes_of_lines(text.substr(mark), skip_lines_);
  return lines ? mark + *lines : text.size();
}

// How the text is to be read, as far as its first records tell.
void Csv::resolve_grammar(std::string_view text, bool whole, Schema& schema) {
  const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const LinesBefore before = lines_before_table(text.substr(mark), whole, options_);
  if (before.note && options_.on_note) options_.on_note(*before.note);
  skip_lines_ = before.count;
  if (before.delimiter && !options_.table.delimiter) options_.table.delimiter = before.delimiter;
  const std::string_view table = text.substr(begin_of_table(text));
  grammar_ = guess_grammar(table, whole, options_);
  const std::string_view records = whole_records(table, whole, *grammar_);
  resolve_missing(schema);
  if (skip_lines_ == 0) {
    if (auto preamble = describe_preamble(table, whole, options_)) throw std::move(*preamble);
  }
  if (options_.schema == nullptr && !options_.table.delimiter) refuse_unparted(records);
  names_but_one_ = options_.table.header.value_or(true) && header_lacks_a_name(records, *grammar_);
  if (names_but_one_) {
    // Delimiters within single quotes make rows longer, too.
    std::vector<CsvField> none;
    for_each_record(records, *grammar_, none, [&](const CsvRecord& record, std::uint64_t) {
      names_but_one_ = !other_quotes(records, *grammar_, record.fields).single;
      return false;
    });
  }
  if (names_but_one_ && !has_role(unnamed_column, schema)) refuse_unclear_names(records);
  header_ = names_but_one_ || choose_header(records, schema);
}

void Csv::resolve_missing(Schema& schema) {
  learn_missing(options_, schema);
  know_missing(schema);
}

void Csv::know_missing(const Schema& schema) {
  missing_ = MissingNames(schema.missing);
  missing_labels_ = missing_labels(options_, schema);
  reads_plain_ = !missing_.any_number() && grammar_->decimal == '.';
}

// A one-column table has a label and no features: more likely its values have another delimiter.
void Csv::refuse_unparted(std::string_view records) const {
  constexpr std::uint64_t looked_at = 3;
  std::uint64_t seen = 0, alone = 0;
  std::vector<CsvField> none;
  for_each_record(records, *grammar_, none, [&](const CsvRecord& record, std::uint64_t) {
    alone += record.fields <= 1 && record.text().find_first_of(" \t;|:") != std::string_view::npos ? 1 : 0;
    return ++seen < looked_at;
  });
  if (alone < 2 || alone < seen) return;
  const std::optional<char> other = other_delimiter(records, true, *grammar_);
  double ignored = 0;
  std::string_view first = line_at(records, 0);
  bool headless = false;  // names are no numbers
  for (std::string_view word; !(word = next_word(first)).empty();)
    headless = headless || parse_number(word, ignored) != NumberProblem::not_a_number;
  const std::optional<std::string> words = find_labelled_words(records);
  const std::string way_out =
      words                      ? *words
      : has_fixed_width(records) ? std::string(
                                       "columns of a fixed width: python3 -c \"import pandas; "
                                       "pandas.read_fwf('FILE'") +
                                       (headless ? ", header=None).to_csv('NAME.csv', index=False, header=False)\""
                                                 : ").to_csv('NAME.csv', index=False)\"")
      : other ? option("delimiter", *other == ' ' ? "space" : std::string(1, *other)) + " splits them"
              : "is it a table? set its delimiter with " + option("delimiter");
  throw Error(ErrorKind::data, "no comma, semicolon, tab, bar or blank splits the lines into equal numbers of values")
      .at(shown_name(options_.path), skip_lines_ + 1, 1)
      .showing(std::string(line_at(records, 0)))
      .fix(way_out);
}

// Returns whether the options or the model use a column of this name.
bool Csv::has_role(const std::string& name, const Schema& schema) const {
  const ColumnOptions& given = options_.columns;
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return given.label == name || given.weight == name || given.identifier == name || among(given.drop) ||
         among(given.categorical) || among(given.numeric) || among(given.text) || among(given.dates) ||
         std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

// A header that lacks a name, above a first column that does not name the rows: which column has no name?
void Csv::refuse_unclear_names(std::string_view records) const {
  const std::string why = why_first_column_is_data(records, *grammar_);
  if (why.empty()) return;
  const char delimiter = grammar_->delimiter;
  const std::string between = delimiter == '\t' ? "\\t" : std::string(1, delimiter);
  const bool returns = line_at(records, 0).ends_with('\r');
  throw Error(ErrorKind::data,
              "the first line has one name fewer than the others have values, and the first column "
              "does not name the rows: " +
                  why)
      .at(shown_name(options_.path), skip_lines_ + 1, 1)
      .showing(std::string(line_at(records, 0)))
      .fix("is the first name missing? " + option("categorical", unnamed_column) +
           " learns from that column; or the last? sed '1s/" + (returns ? "\\r" : "") + "$/" + between +
           "NAME/' FILE >NEW adds it");
}

// The first column names the rows, unless the options give it another role.
void Csv::take_row_names(const Schema& schema) {
  const std::string& name = plan_.names[0];
  if (has_role(name, schema)) return;
  if (options_.schema == nullptr && options_.columns.identifier.empty()) {
    options_.columns.identifier = name;
  } else {
    options_.columns.drop.push_back(name);
  }
  if (options_.on_note) options_.on_note(note_on_row_names(name));
}

// Tells whether the first line names the columns: as the options say, else as the model's columns and what stands below
// the line make likely. Notes what could be meant otherwise.
bool Csv::choose_header(std::string_view records, const Schema& schema) const {
  const Schema* const known = options_.schema == nullptr ? nullptr : &schema;
  if (options_.table.header) return *options_.table.header;
  const HeaderGuess guess =
      guess_header(records, *grammar_, missing_, known != nullptr && known->header ? known : nullptr);
  if (options_.on_note && !guess.why.empty()) options_.on_note(note_on_header(guess));
  return guess.header;
}

// How to read a table whose header, which ends with the line of this number, has equal names.
std::string Csv::fix_of_equal_names(std::string_view below, std::uint64_t line, bool counts) const {
  const HeaderGuess next = guess_header(below, *grammar_, missing_, nullptr);
  const bool named = next.header && next.why.empty();
  const std::string over = option("skip-lines", std::to_string(line));
  if (named) return over + " takes the names of the line below";
  return over + " " + option("no-header") + " skips the " + (counts ? "numbers" : "names") +
         ", and calls the columns 1, 2, 3 ...; else give each its own name";
}

// Returns what is wrong with the structure of one of the first records; `text` holds them all.
std::optional<CsvProblem> Csv::flaw_of(const CsvRecord& record, std::string_view text) const {
  const void* found = std::memchr(record.begin, 0, static_cast<std::size_t>(record.end - record.begin));
  const char* const nul = found == nullptr ? record.next : static_cast<const char*>(found);
  if (record.flaw == CsvFlaw::none) return find_structural_problem(record, nul, record.fields, *grammar_);
  // How many columns there are shows where quotes are text.
  CsvGrammar other = *grammar_;
  other.quote = '\0';
  std::vector<CsvField> fields;
  const std::uint64_t columns = scan_record(record.begin, record.next, other, fields).fields;
  return find_structural_problem(record, nul, columns, *grammar_, other_quotes(text, *grammar_, columns));
}

// The names of the file's columns, into the plan. Returns where the data begin.
std::size_t Csv::learn_columns(std::string_view text, std::size_t size, bool header) {
  plan_ = {};
  std::size_t begin = 0;
  std::vector<CsvField> fields;
  std::optional<Error> first_flaw;
  for_each_record(text.substr(0, size), *grammar_, fields, [&](const CsvRecord& record, std::uint64_t line) {
    const auto fail = [&](const char* at, std::string message, std::string hint) {
      return Error(ErrorKind::data, std::move(message))
          .at(shown_name(options_.path), skip_lines_ + line + 1, static_cast<std::uint64_t>(at - record.begin) + 1)
          .showing(std::string(record.text()))
          .fix(std::move(hint));
    };
    if (!header && record.flaw != CsvFlaw::none) {
      auto problem = flaw_of(record, text.substr(0, size));
      if (!first_flaw) first_flaw = fail(problem->at, std::move(problem->reason), std::move(problem->hint));
      return true;
    }
    if (record.fields > most_columns) {
      throw fail(record.begin, "more than " + std::to_string(most_columns) + " columns", "is this a CSV file?");
    }
    if (!header) {
      for (std::uint64_t i = 1; i <= record.fields; ++i) plan_.names.push_back(std::to_string(i));
      return false;
    }
    fields.resize(record.fields);
    scan_record(record.begin, record.next, *grammar_, fields);
    if (auto problem = flaw_of(record, text.substr(0, size))) {
      throw fail(problem->at, std::move(problem->reason), std::move(problem->hint));
    }
    std::unordered_map<std::string, std::size_t> positions;
    const std::size_t before = names_but_one_ ? 1 : 0;
    if (names_but_one_) {
      plan_.names.emplace_back(unnamed_column);
      positions.emplace(unnamed_column, 1);
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string position = std::to_string(i + 1 + before);
      std::string name = fields[i].unescaped();
      if (name.empty()) name = position;
      if (!valid_utf8(name)) {
        CsvProblem problem = describe_invalid_utf8(fields[i], position);
        throw fail(problem.at, "invalid UTF-8 in the name of column " + position, std::move(problem.hint));
      }
      if (const auto [known, inserted] = positions.emplace(name, i + 1 + before); !inserted) {
        throw fail(fields[i].begin,
                   "columns " + std::to_string(known->second) + " and " + position + " are both named " + quote(name),
                   fix_of_equal_names(text.substr(static_cast<std::size_t>(record.next - text.data())),
                                      skip_lines_ + line + record.lines, counts_columns(fields)));
      }
      plan_.names.push_back(std::move(name));
    }
    begin = static_cast<std::size_t>(record.next - text.data());
    return false;
  });
  if (plan_.names.empty() && first_flaw) throw *first_flaw;
  if (plan_.names.empty()) refuse_no_line(size < text.size(), options_);
  return begin;
}

// Rows that are bad whatever the kinds of their columns must not influence the kinds.
bool Csv::usable_for_kinds(const CsvField& label, const CsvField* weight) const {
  double ignored = 0;
  return !missing_labels_(label.text()) && !has_line_break(label.text()) &&
         (weight == nullptr || parse_weight(weight->text(), *grammar_, ignored)) && valid_utf8(label.text());
}

// Finds trailing columns without a value in the first rows: a delimiter at the end of each line makes one.
std::vector<bool> Csv::empty_columns(std::string_view data) const {
  std::vector<bool> empty(plan_.names.size());
  std::vector<CsvField> fields(plan_.names.size());
  std::uint64_t rows = 0;
  std::size_t valued = 0;
  for_each_record(data, *grammar_, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (record.flaw != CsvFlaw::none || record.fields != fields.size()) return true;
    for (std::size_t i = fields.size(); i-- > valued;) {
      if (!missing_labels_(fields[i].text())) valued = i + 1;
    }
    return valued < fields.size() && ++rows < options_.inference_rows;
  });
  std::fill(empty.begin() + static_cast<std::ptrdiff_t>(valued), empty.end(), true);
  return empty;
}

// Decides the kinds of the open columns from the first inference_rows usable rows, and which of their texts are missing.
void Csv::learn_kinds(std::string_view data, const std::vector<std::uint32_t>& open, Schema& schema) {
  const std::size_t columns = plan_.names.size();
  Separators separators;
  std::vector<CsvField> fields(columns);
  std::vector<double> values(columns + decimals_slack);
  std::vector<std::uint8_t> rest(columns / 8 + 1);
  std::uint64_t usable = 0;
  std::vector<OddTexts> odd(columns);
  // What is written as a number makes no category, even when it is too large or not finite: it is bad input.
  // `looked_at` are the open columns that may hold something else.
  const auto note = [&](const std::vector<std::uint32_t>& looked_at, auto&& field) {
    const CsvField weight = plan_.weight == no_field ? CsvField{} : field(plan_.weight);
    if (!usable_for_kinds(field(plan_.label), plan_.weight == no_field ? nullptr : &weight)) return;
    for (const std::uint32_t i : looked_at) {
      if (!valid_utf8(field(i).text())) return;
    }
    ++usable;
    for (const std::uint32_t i : looked_at) {
      const std::string_view text = field(i).text();
      double value = 0;
      if (missing_(text) || parse_cell(text, *grammar_, value) != NumberProblem::not_a_number) continue;
      odd[i].add(text);
      schema.columns[i].kind = Kind::categorical;
    }
  };
  std::vector<std::uint32_t> looked_at;
  walk_records(
      data, *grammar_, columns, separators,
      [&](const RegularRecord& record) {
        if (usable == options_.inference_rows) return false;
        looked_at.clear();
        const bool points = grammar_->decimal == '.';
        if (!points || !read_decimals(record.text, record.at, columns, values.data(), rest.data())) {
          for (const std::uint32_t i : open) {
            if (!points || (rest[i / 8] >> i % 8 & 1) != 0) looked_at.push_back(i);
          }
        }
        note(looked_at, [&](std::uint32_t i) { return record.field(i, *grammar_); });
        return true;
      },
      [&](const char*& at) {
        const char* const end = data.data() + data.size();
        skip_to_record(at, end, *grammar_);
        if (usable == options_.inference_rows || at == end) return false;
        const CsvRecord record = scan_record(at, end, *grammar_, fields);
        at = record.next;
        const void* found = std::memchr(record.begin, 0, static_cast<std::size_t>(record.next - record.begin));
        const char* const nul = found == nullptr ? record.next : static_cast<const char*>(found);
        if (!find_structural_problem(record, nul, columns, *grammar_)) {
          note(open, [&](std::uint32_t i) { return fields[i]; });
        }
        return true;
      });
  if (!options_.table.missing_only) learn_marks(data, usable, std::move(odd), schema);
}

// Makes columns numeric whose other texts mean missing values; a class does not, nor a repeated header.
void Csv::learn_marks(std::string_view data, std::uint64_t usable, std::vector<OddTexts> odd, Schema& schema) {
  struct Mixed {
    std::size_t field;
    std::uint64_t numbers = 0;
    std::set<double> different{};
    bool has_class = false;
  };
  std::vector<Mixed> mixed;
  for (std::size_t i = 0; i < odd.size(); ++i) {
    if (odd[i].any() && odd[i].are_marks(usable, usable) && !odd[i].contains(plan_.names[i])) mixed.push_back({i});
  }
  if (mixed.empty()) return;
  std::vector<CsvField> fields(plan_.names.size());
  std::uint64_t rows = 0;
  for_each_record(data, *grammar_, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (record.flaw != CsvFlaw::none || record.fields != fields.size()) return true;
    if (!usable_for_kinds(fields[plan_.label], plan_.weight == no_field ? nullptr : &fields[plan_.weight])) return true;
    for (Mixed& column : mixed) {
      column.has_class = column.has_class || odd[column.field].contains(fields[plan_.label].text());
      const std::string_view text = fields[column.field].text();
      double value = 0;
      if (missing_(text) || parse_cell(text, *grammar_, value) == NumberProblem::not_a_number) continue;
      ++column.numbers;
      if (column.different.size() < OddTexts::enough_numbers) column.different.insert(value);
    }
    return ++rows < usable;
  });
  FoundMarks found;
  for (const Mixed& column : mixed) {
    if (column.has_class || !odd[column.field].are_marks(column.numbers, column.different.size())) continue;
    schema.columns[column.field].kind = Kind::numeric;
    found.emplace_back(plan_.names[column.field], std::move(odd[column.field]));
  }
  add_marks(found, usable, options_, schema);
  know_missing(schema);
}

// Returns the order in which most of a column's texts are dates, if there is one.
void Csv::learn_date_orders(std::string_view data, Schema& schema) const {
  constexpr std::size_t orders = 3;
  const std::size_t columns = plan_.names.size();
  std::vector<std::uint32_t> dated;
  for (std::uint32_t i = 0; i < columns; ++i) {
    if (schema.columns[i].kind == Kind::date) dated.push_back(i);
  }
  if (dated.empty()) return;
  std::vector<std::array<std::uint64_t, orders>> fitting(dated.size());
  std::vector<std::string> first(dated.size());
  std::vector<CsvField> fields(columns);
  std::uint64_t rows = 0;
  for_each_record(data, *grammar_, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (record.flaw != CsvFlaw::none || record.fields != columns) return true;
    for (std::size_t k = 0; k < dated.size(); ++k) {
      const std::string_view text = fields[dated[k]].text();
      if (missing_(text)) continue;
      if (first[k].empty()) first[k] = text;
      Date date;
      for (std::size_t order = 0; order < orders; ++order)
        fitting[k][order] += read_date(text, static_cast<DateOrder>(order), date) ? 1 : 0;
    }
    return ++rows < options_.inference_rows;
  });
  for (std::size_t k = 0; k < dated.size(); ++k) {
    schema.columns[dated[k]].date_order = options_.columns.date_order
                                              ? *options_.columns.date_order
                                              : order_of(fitting[k], plan_.names[dated[k]], first[k]);
  }
}

DateOrder Csv::order_of(const std::array<std::uint64_t, 3>& fitting, const std::string& name,
                        const std::string& first) const {
  const auto [ymd, dmy, mdy] = fitting;
  if (ymd + dmy + mdy == 0) {
    throw Error(ErrorKind::data, first.empty() ? "no date is in column " + quote(name)
                                               : quote(first) + " in column " + quote(name) +
                                                     " is not a date, nor is any other of the first rows")
        .at(shown_name(options_.path))
        .fix("dates are written 2026-11-22, 22.11.2026 or 11/22/2026, perhaps with a time such as 10:00");
  }
  if (ymd >= std::max(dmy, mdy)) return DateOrder::ymd;
  if (dmy != mdy) return dmy > mdy ? DateOrder::dmy : DateOrder::mdy;
  throw Error(ErrorKind::usage, "the first rows do not show whether day or month comes first in column " + quote(name) +
                                    ": " + quote(first) + " may be either")
      .at(shown_name(options_.path))
      .fix(option("date-order", "dmy") + " or " + option("date-order", "mdy") + " decides it");
}

Labels Csv::learn_labels(std::string_view data, bool whole, const std::function<std::string_view()>& more) const {
  LabelInference inference(options_, LabelsAre::texts, 0, plan_.names[plan_.label]);
  ParsedChunk chunk;
  std::optional<BadRow> first_bad;
  const auto add = [&](std::string_view records) {
    while (!records.empty()) {
      std::string_view some = records.substr(0, inference_bytes);
      const std::size_t length = some.size() == records.size() ? records.size() : end_of_records(some, *grammar_);
      some = records.substr(0, length == 0 ? records.size() : length);
      chunk.clear();
      parse(some, false, chunk);
      if (!first_bad && !chunk.bad.empty()) first_bad = chunk.bad.front();
      inference.add(chunk);
      records.remove_prefix(some.size());
    }
  };
  add(data);
  if (!inference.any_labels() && first_bad) {
    BadRow& bad = *first_bad;
    throw Error(ErrorKind::data, "no row can be used; the first: " + bad.reason)
        .at(shown_name(options_.path))
        .showing(std::move(bad.text))
        .fix(std::move(bad.hint));
  }
  while (!whole && more && !inference.enough()) {
    const std::string_view next = more();
    whole = next.empty();
    add(next);
  }
  if (!inference.any_rows()) {
    throw Error(ErrorKind::data, "no data rows")
        .at(shown_name(options_.path))
        .fix("a CSV file has a header and a line per row; without a header use " + option("no-header"));
  }
  return inference.labels(whole);
}

// Prepares what parse and commit look up, from the columns of the schema.
void Csv::prepare(const Schema& schema) {
  plan_.runs.clear();
  std::uint32_t rank = 0;
  for (const ColumnPlan::Feature& next : plan_.features) {
    ++rank;
    if (!plan_.runs.empty()) {
      ColumnPlan::Run& run = plan_.runs.back();
      if (run.numeric && next.numeric && next.field == run.field + run.count && next.column == run.column + run.count &&
          next.feature == run.feature + run.count) {
        ++run.count;
        continue;
      }
    }
    plan_.runs.push_back({next.field, 1, next.column, next.feature, next.numeric, next.ngrams, next.binary, next.tokens,
                          next.date, rank - 1});
  }
  categories_.know(schema, options_);
}

// Before schema inference `text` is the beginning of the data, and the delimiter is recognised in what there is of it.
std::size_t Csv::split(std::string_view text) const {
  if (grammar_) return end_of_records(text, *grammar_);
  const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const LinesBefore lines = lines_before_table(text.substr(mark), false, options_);
  const std::optional<std::size_t> before = bytes_of_lines(text.substr(mark), lines.count);
  if (!before) return 0;
  const std::string_view records = text.substr(mark + *before);
  CsvGrammar grammar = guess_grammar(records, false, options_);
  if (!options_.table.delimiter) grammar.delimiter = lines.delimiter.value_or(grammar.delimiter);
  const std::size_t length = end_of_records(records, grammar);
  return length == 0 ? 0 : mark + *before + length;
}

std::unique_ptr<Format> make_csv(const ReadOptions& options) { return std::make_unique<Csv>(options); }

}  // namespace halfspace::stream
