// Cells by column name, on the record scanner of CSV.
#include "stream/table.h"

#include <algorithm>
#include <cstring>

#include "base/nearest.h"
#include "stream/csv/problems.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
constexpr std::size_t record_limit = std::size_t{64} << 20;
constexpr std::size_t widest_record = 1'000'000;

}  // namespace

void stop_if(const std::atomic<bool>* interrupt) {
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed))
    throw Error(ErrorKind::input_output, "interrupted while reading");
}

TableReader::TableReader(const std::string& path) : name_(shown_name(path)), source_(open_source(path)) {
  grammar_.limit = record_limit;
  fill();
  std::string_view head = text_.view().substr(at_);
  if (head.starts_with(byte_order_mark)) {
    at_ += byte_order_mark.size();
    head.remove_prefix(byte_order_mark.size());
  }
  recognise_delimiter(head);
  whole_ = at_;
  if (!scan()) {
    throw Error(ErrorKind::data, "the file is empty").at(name_).fix("the first line names the columns");
  }
  if (record_.fields > widest_record) refuse(record_.begin, "more than a million columns", "is this the right file?");
  // The first look counted the fields, the second keeps them.
  fields_.resize(record_.fields);
  record_ = scan_record(record_.begin, text_.view().data() + whole_, grammar_, fields_);
  if (const auto problem = find_structural_problem(record_, record_.end, fields_.size())) {
    refuse(problem->at, problem->reason, problem->hint);
  }
  for (const CsvField& field : fields_) columns_.push_back(field.unescaped());
}

// Takes the first that splits the first record; what stands within quotes splits nothing.
void TableReader::recognise_delimiter(std::string_view head) {
  std::vector<CsvField> none;
  const char* const end = head.data() + head.size();
  for (const char delimiter : {',', ';', '\t'}) {
    grammar_.delimiter = delimiter;
    const char* at = head.data();
    skip_blank_lines(at, end, grammar_);
    if (at < end && scan_record(at, end, grammar_, none).fields > 1) return;
  }
  grammar_.delimiter = ',';
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

// Reads on until there is a whole record behind at_, or all there is.
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
    if (text_.size() > record_limit + 3) whole_ = text_.size();  // the scanner refuses what is overlong
    step = std::max(step, text_.size());
  }
  if (ended_) whole_ = text_.size();
  return whole_ > 0;
}

bool TableReader::scan() {
  for (;;) {
    const char* at = text_.view().data() + at_;
    next_line_ += skip_blank_lines(at, text_.view().data() + whole_, grammar_);
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
  const auto problem =
      find_structural_problem(record_, nul == nullptr ? record_.end : static_cast<const char*>(nul), fields_.size());
  if (problem) refuse(problem->at, problem->reason, problem->hint);
  return true;
}

void TableReader::refuse(const char* at, const std::string& reason, const std::string& fix) const {
  // A record may span lines: the place is given in the line that it is on.
  const char* line_begin = at;
  while (line_begin > record_.begin && line_begin[-1] != '\n') --line_begin;
  const auto lines = static_cast<std::uint64_t>(std::count(record_.begin, line_begin, '\n'));
  const char* const line_end = std::find(at, record_.end, '\n');
  throw Error(ErrorKind::data, reason)
      .at(name_, line_ + lines, static_cast<std::uint64_t>(at - line_begin) + 1)
      .showing(std::string(line_begin, line_end))
      .fix(fix);
}

bool TableReader::missing(std::size_t column) const {
  const std::string_view text = fields_[column].text();
  return text.empty() || text == "?" || text == "NA";
}

std::string TableReader::text(std::size_t column) const {
  const CsvField& field = fields_[column];
  return field.unescaped();
}

bool TableReader::is_number(std::size_t column, double& value) const {
  return parse_number(fields_[column].text(), value) == NumberProblem::none;
}

double TableReader::number(std::size_t column) const {
  double value = 0;
  const NumberProblem problem = parse_number(fields_[column].text(), value);
  if (problem != NumberProblem::none) {
    const CsvProblem described = describe(problem, fields_[column], columns_[column]);
    throw error(column, described.reason, "write a number such as 0.5, or leave the column out");
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
