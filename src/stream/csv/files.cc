// Tables in several files: the first defines the format and the names of the columns.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv/beginning.h"
#include "stream/csv/csv.h"
#include "stream/csv/problems.h"
#include "stream/csv/walk.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

std::vector<std::string> names_in(const std::vector<CsvField>& fields) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    names.push_back(fields[i].unescaped());
    if (names.back().empty()) names.back() = std::to_string(i + 1);
  }
  return names;
}

std::size_t numbers_in(const std::vector<std::string>& names, const CsvGrammar& grammar) {
  double ignored = 0;
  return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return parse_cell(name, grammar, ignored) != NumberProblem::not_a_number;
  }));
}

}  // namespace

void Csv::begin_files(std::string_view text, bool whole, const Schema& schema) {
  Schema scratch = schema;
  resolve_grammar(text, whole, scratch);
  const std::string_view records = whole_records(text.substr(begin_of_table(text)), whole, *grammar_);
  learn_columns(records, records.size(), *header_);
  Files& files = files_.emplace();
  files.first = shown_name(options_.path);
  if (*header_) files.first_record = plan_.names;
  if (*header_) return;
  std::vector<CsvField> fields;
  for_each_record(records, *grammar_, fields, [&](const CsvRecord& record, std::uint64_t) {
    fields.resize(record.fields);
    scan_record(record.begin, record.next, *grammar_, fields);
    files.first_record = names_in(fields);
    return false;
  });
}

// A file of one column after one of several holds the labels of its rows: they are joined, not read one after the other.
void Csv::refuse_labels_alone(std::string_view records, const std::string& file) const {
  constexpr std::uint64_t looked_at = 11;
  const std::size_t width = files_->first_record.size();
  std::uint64_t rows = 0, alone = 0;
  std::vector<CsvField> none;
  for_each_record(records, *grammar_, none, [&](const CsvRecord& record, std::uint64_t) {
    alone += record.flaw == CsvFlaw::none && record.fields == 1 ? 1 : 0;
    return ++rows < looked_at;
  });
  if (width < 2 || rows < 2 || alone < rows) return;
  const bool named = options_.table.header.value_or(guess_header(records, *grammar_, missing_, nullptr).header);
  const char delimiter = grammar_->delimiter;
  const std::string paste =
      (delimiter == '\t' ? "paste " : "paste -d'" + std::string(1, delimiter) + "' ") + files_->first + " ";
  const std::string line = *header_ == named ? paste + file
                           : named           ? "tail -n +2 " + file + " | " + paste + "-"
                                             : "(echo label; cat " + file + ") | " + paste + "-";
  throw Error(ErrorKind::data, "one column, and " + std::to_string(width) + " in " + files_->first +
                                   ": are these the labels of its rows?")
      .at(file)
      .fix(line + " >NEW writes each row with its label");
}

std::optional<std::size_t> Csv::header_of_file(std::string_view text, bool whole, const std::string& file) const {
  const std::optional<std::size_t> before = bytes_of_lines(text, skip_lines_);
  if (!before) return whole ? std::optional(text.size()) : std::nullopt;
  const std::string_view records = whole_records(text.substr(*before), whole, *grammar_);
  std::vector<CsvField> fields;
  std::optional<std::size_t> size;
  refuse_labels_alone(records, file);
  for_each_record(records, *grammar_, fields, [&](const CsvRecord& record, std::uint64_t line) {
    fields.resize(record.fields);
    scan_record(record.begin, record.next, *grammar_, fields);
    if (*header_) {
      compare_header(record, fields, skip_lines_ + line, file);
    } else {
      refuse_late_header(records, record, skip_lines_ + line, file);
      refuse_second_header(record, fields, skip_lines_ + line, file);
    }
    size = *header_ ? static_cast<std::size_t>(record.next - text.data()) : *before;
    return false;
  });
  if (!size && whole) return text.size();
  return size;
}

// Rejects a first line that differs from the first file's: where it differs, and how to fix it.
void Csv::compare_header(const CsvRecord& record, const std::vector<CsvField>& fields, std::uint64_t line,
                         const std::string& file) const {
  const std::vector<std::string>& wanted = files_->first_record;
  const std::vector<std::string> names = names_in(fields);
  if (names == wanted) return;
  const std::size_t both = std::min(names.size(), wanted.size());
  const auto differs = std::mismatch(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(both), wanted.begin());
  const auto at = static_cast<std::size_t>(differs.first - names.begin());
  std::string why = "column " + std::to_string(at + 1);
  if (at == names.size()) {
    why += ", " + quote(wanted[at]) + " in " + files_->first + ", is missing";
  } else if (at == wanted.size()) {
    why += ", " + quote(names[at]) + ", is one more than " + files_->first + " has";
  } else {
    why += " is " + quote(names[at]) + ", and " + quote(wanted[at]) + " in " + files_->first;
  }
  const char* const place = at < fields.size() ? fields[at].begin : record.end;
  std::string fix = "files read as one stream have the same columns: read this one by itself";
  if (std::is_permutation(names.begin(), names.end(), wanted.begin(), wanted.end())) {
    why = "the columns are those of " + files_->first + " in another order: " + why;
    fix = "write them in one order, with pandas: read_csv(FILE)[read_csv(FIRST).columns].to_csv(NAME, index=False)";
  } else if (numbers_in(names, *grammar_) > numbers_in(wanted, *grammar_)) {
    fix = "does it lack the header? give it that of " + files_->first;
    if (!options_.table.header) fix += "; if no file has one, give " + option("no-header");
  }
  throw Error(ErrorKind::data, std::move(why))
      .at(file, line + 1, static_cast<std::uint64_t>(place - record.begin) + 1)
      .showing(std::string(record.text()))
      .fix(std::move(fix));
}

// If the first file has no header: texts in all columns that are numeric there, above numbers, are names.
void Csv::refuse_late_header(std::string_view records, const CsvRecord& record, std::uint64_t line,
                             const std::string& file) const {
  const std::vector<std::string>& first = files_->first_record;
  if (record.flaw != CsvFlaw::none || record.fields != first.size()) return;
  std::vector<CsvField> fields(record.fields);
  scan_record(record.begin, record.next, *grammar_, fields);
  const auto is_number = [&](std::string_view text) {
    double ignored = 0;
    return parse_cell(text, *grammar_, ignored) != NumberProblem::not_a_number;
  };
  const CsvField* name = nullptr;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string_view text = fields[i].text();
    if (!is_number(first[i]) || missing_(first[i])) continue;
    if (is_number(text) || missing_(text)) return;
    if (name == nullptr) name = &fields[i];
  }
  if (name == nullptr || !guess_header(records, *grammar_, missing_, nullptr).header) return;
  throw Error(ErrorKind::data, "the first line names the columns, such as " + quote(name->text()) + ", and " +
                                   files_->first + " has no such line")
      .at(file, line + 1, static_cast<std::uint64_t>(name->begin - record.begin) + 1)
      .showing(std::string(record.text()))
      .fix("give each file the header, or none: tail -n +2 FILE leaves it out");
}

// The same line at the front of two files, with a text in it, is more likely a header than a row.
void Csv::refuse_second_header(const CsvRecord& record, const std::vector<CsvField>& fields, std::uint64_t line,
                               const std::string& file) const {
  const std::vector<std::string>& first = files_->first_record;
  if (options_.table.header || first.empty() || numbers_in(first, *grammar_) == first.size() ||
      names_in(fields) != first)
    return;
  throw Error(ErrorKind::data,
              "the first line is that of " + files_->first + ": is it a row, or the names of the columns?")
      .at(file, line + 1, 1)
      .showing(std::string(record.text()))
      .fix("give " + option("header") + " or " + option("no-header"));
}

}  // namespace halfspace::stream
