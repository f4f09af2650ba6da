// Reads cells by column name, with the code that reads examples from CSV.
#include "stream/csv/table.h"

#include <algorithm>
#include <cstring>

#include "base/nearest.h"
#include "stream/csv/beginning.h"
#include "stream/foreign/foreign.h"
#include "stream/source/raw_file.h"
#include "stream/text/cell_commands.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
constexpr std::size_t record_limit = std::size_t{64} << 20;
constexpr std::size_t widest_record = 1'000'000;

}  // namespace

TableReader::TableReader(const TableFileOptions& options)
    : name_(shown_name(options.path)), source_(open_source(options.path, options.interrupt)) {
  read_head(options.table.skip_lines.value_or(0));
  settle(options);
  if (!scan()) {
    throw Error(ErrorKind::data, "the file is empty").at(name_).fix("a table has a line for each round");
  }
  if (record_.fields > widest_record) refuse(record_.begin, "more than a million columns", "is this the right file?");
  // The first scan counts the fields, the second stores them.
  fields_.resize(record_.fields);
  record_ = scan_record(record_.begin, text_.view().data() + whole_, grammar_, fields_);
  if (const auto problem = find_structural_problem(record_, record_.end, fields_.size(), grammar_)) {
    refuse(problem->at, problem->reason, problem->hint);
  }
  read_names();
}

// Reads enough of the text after the lines before the table to detect its grammar.
void TableReader::read_head(std::uint64_t lines_before) {
  for (std::size_t target = read_bytes; !ended_ && text_.size() < target;) {
    text_.reserve(target);
    const std::size_t got = source_->read(text_.end(), target - text_.size());
    ended_ = got == 0;
    text_.grow_by(got);
    if (text_.size() < target || ended_) continue;
    at_ = text_.view().starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    const auto before = bytes_of_lines(text_.view().substr(at_), lines_before);
    if (!before) target += read_bytes;
  }
  at_ = text_.view().starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  at_ += bytes_of_lines(text_.view().substr(at_), lines_before).value_or(text_.size() - at_);
  whole_ = at_;
  line_ = next_line_ = lines_before + 1;
}

// Detects it with the code that reads examples.
void TableReader::settle(const TableFileOptions& options) {
  ReadOptions read;
  read.path = options.path;
  read.line_limit = record_limit;
  read.table = options.table;
  std::string_view head = text_.view().substr(at_);
  const LinesBefore before = options.table.skip_lines ? LinesBefore() : lines_before_table(head, ended_, read);
  if (before.count > 0) {
    whole_ = at_ += bytes_of_lines(head, before.count).value_or(head.size());
    line_ = next_line_ = before.count + 1;
    if (!read.table.delimiter) read.table.delimiter = before.delimiter;
    head = text_.view().substr(at_);
  }
  refuse_foreign(head, name_, options.table.delimiter.has_value());
  grammar_ = guess_grammar(head, ended_, read);
  if (before.count == 0) {
    if (auto preamble = describe_preamble(head, ended_, read)) throw std::move(*preamble);
  }
  Schema schema;
  learn_missing(read, schema);
  missing_ = MissingNames(schema.missing);
  missing_labels_ = missing_labels(read, schema);
  const std::string_view records = whole_records(head, ended_, grammar_);
  names_rows_ = options.table.header.value_or(true) && header_lacks_a_name(records, grammar_);
  if (names_rows_ && options.on_note) {
    options.on_note({note_on_row_names("1").text, option("no-header") + " reads the first line as a row"});
  }
  if (names_rows_ || options.table.header) {
    header_ = names_rows_ || *options.table.header;
    return;
  }
  const HeaderGuess guess = guess_header(records, grammar_, missing_, nullptr);
  header_ = guess.header;
  if (options.on_note && !guess.why.empty()) options.on_note(note_on_header(guess));
}

// The first record has been scanned: it names the columns, or is the first row.
void TableReader::read_names() {
  if (names_rows_) columns_.emplace_back("1");
  for (const CsvField& field : fields_) {
    std::string name = header_ ? field.unescaped() : std::string();
    columns_.push_back(name.empty() ? std::to_string(columns_.size() + 1) : std::move(name));
  }
  fields_.resize(columns_.size());
  const auto begin = static_cast<std::size_t>(record_.begin - text_.view().data());
  other_quotes_ = other_quotes(text_.view().substr(begin, whole_ - begin), grammar_, columns_.size());
  if (header_) return;
  at_ = begin;
  next_line_ = line_;
}

std::size_t TableReader::column(const std::string& name, const std::string& asked_by) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) {
    const std::string near = did_you_mean(name, columns_);
    throw Error(ErrorKind::usage, option(asked_by) + ": there is no column " + quote(name))
        .at(name_)
        .fix(!near.empty() ? near
                           : "the first columns are " + quote(columns_[0]) +
                                 (columns_.size() > 1 ? ", " + quote(columns_[1]) : ""));
  }
  if (std::find(found + 1, columns_.end(), name) != columns_.end()) {
    throw Error(ErrorKind::usage, option(asked_by) + ": two columns have the name " + quote(name))
        .at(name_)
        .fix("rename one");
  }
  return static_cast<std::size_t>(found - columns_.begin());
}

// Reads until a whole record follows at_, or the text ends.
bool TableReader::fill() {
  if (at_ > 0) {
    const std::string rest(text_.view().substr(at_));
    text_.clear();
    text_.append(rest);
    at_ = 0;
  }
  whole_ = 0;
  std::size_t step = read_bytes;
  while (!ended_ && whole_ == 0) {
    text_.reserve(text_.size() + step);
    const std::size_t goal = text_.size() + step;
    while (!ended_ && text_.size() < goal) {
      const std::size_t got = source_->read(text_.end(), goal - text_.size());
      ended_ = got == 0;
      text_.grow_by(got);
    }
    whole_ = end_of_records(text_.view(), grammar_);
    if (text_.size() > record_limit + 3) whole_ = text_.size();  // the scanner rejects overlong records
    step = std::max(step, text_.size());
  }
  if (ended_) whole_ = text_.size();
  return whole_ > 0;
}

bool TableReader::scan() {
  for (;;) {
    const char* at = text_.view().data() + at_;
    next_line_ += skip_to_record(at, text_.view().data() + whole_, grammar_);
    at_ = static_cast<std::size_t>(at - text_.view().data());
    if (at_ < whole_) break;
    if (!fill()) return false;
  }
  const char* const begin = text_.view().data();
  record_ = scan_record(begin + at_, begin + whole_, grammar_, fields_);
  at_ = static_cast<std::size_t>(record_.next - begin);
  line_ = next_line_;
  next_line_ += record_.lines;
  return true;
}

bool TableReader::next() {
  if (!scan()) return false;
  ++row_;
  const void* const nul = std::memchr(record_.begin, 0, static_cast<std::size_t>(record_.end - record_.begin));
  const auto problem = find_structural_problem(record_, nul == nullptr ? record_.end : static_cast<const char*>(nul),
                                               fields_.size(), grammar_, other_quotes_);
  if (problem) refuse(problem->at, problem->reason, problem->hint);
  return true;
}

void TableReader::refuse(const char* at, const std::string& reason, const std::string& fix) const {
  // A record may span lines: gives the position in its own line.
  const char* line_begin = at;
  while (line_begin > record_.begin && line_begin[-1] != '\n') --line_begin;
  const auto lines = static_cast<std::uint64_t>(std::count(record_.begin, line_begin, '\n'));
  const char* const line_end = std::find(at, record_.end, '\n');
  throw Error(ErrorKind::data, reason)
      .at(name_, line_ + lines, static_cast<std::uint64_t>(at - line_begin) + 1)
      .showing(std::string(line_begin, line_end))
      .fix(fix);
}

bool TableReader::missing(std::size_t column) const { return missing_(fields_[column].text()); }

bool TableReader::missing_label(std::size_t column) const { return missing_labels_(fields_[column].text()); }

std::string TableReader::text(std::size_t column) const {
  const CsvField& field = fields_[column];
  return field.unescaped();
}

bool TableReader::is_number(std::size_t column, double& value) const {
  return parse_cell(fields_[column].text(), grammar_, value) == NumberProblem::none;
}

std::string TableReader::fix_of_cell(std::size_t column, bool may_be_missing) const {
  if (std::string stray = fix_of_stray_row(); !stray.empty()) return stray;
  const std::string cell = text(column);
  const std::string dropped = option("drop", columns_[column]) + " leaves the column out";
  if (grammar_.decimal == '.' && has_decimal_comma(cell))
    return option("decimal", "comma") + " reads it as a number; " + dropped;
  const bool mark = looks_missing(cell) || means_unknown(cell) || is_in_nines(cell);
  return (may_be_missing && mark ? option("missing", cell) + " reads it as missing; " : "") + dropped;
}

std::string TableReader::fix_of_stray_row() const {
  constexpr std::string_view others[] = {"sum", "mean", "average", "summe", "gesamt"};
  std::size_t names = 0;
  bool total = false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::string cell = lower_case(text(c));
    names += header_ && cell == lower_case(columns_[c]) ? 1 : 0;
    total = total || name_of_total(cell) == std::string_view() ||
            std::find(std::begin(others), std::end(others), cell) != std::end(others);
  }
  const std::string out = "take it out: sed '" + std::to_string(line_) + "d' FILE >NAME";
  if (names == columns_.size()) return "this line is a second header line: " + out;
  return total ? "this row seems to be a total of others: " + out : std::string();
}

std::string TableReader::fix_of_percent(std::size_t column, const std::vector<std::size_t>& columns) const {
  std::string cell = text(column);
  const bool sign = cell.ends_with('%');
  cell = cell.substr(0, cell.find_last_not_of("% ") + 1);
  double value = 0;
  if (grammar_.decimal != '.' || grammar_.quote == '\'' || grammar_.by_blanks()) return {};
  if (parse_number(cell, value) != NumberProblem::none || !(value <= 100 && (value > 1 || (sign && value >= 0))))
    return {};
  RewrittenCells cells{.delimiter = grammar_.delimiter, .quoted = grammar_.quote == '"', .columns = {}};
  for (const std::size_t each : columns) cells.columns.push_back(each + 1);
  return "if it is in percent, divide by 100: " +
         edit_command("s{^(\"?)([0-9.]+) *%?(\"?)$}{$1.$2/100 .$3}e", cells, "perl -pe");
}

double TableReader::number(std::size_t column, const std::string& fix) const {
  double value = 0;
  if (missing(column)) {
    throw error(column, "a number is missing in column " + quote(columns_[column]),
                "give the cell a number; " + option("missing") + " sets the texts of missing values");
  }
  const NumberProblem problem = parse_cell(fields_[column].text(), grammar_, value);
  if (problem != NumberProblem::none) {
    const CsvProblem described = describe(problem, fields_[column], columns_[column]);
    throw error(column, described.reason,
                described.hint.find("decimal") != std::string::npos ? described.hint
                : !fix.empty()                                      ? fix
                               : "write a number such as 0.5, or leave the column out");
  }
  return value;
}

Error TableReader::error(std::size_t column, const std::string& reason, const std::string& fix) const {
  try {
    refuse(fields_[column].begin, reason, fix);
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace halfspace::stream
