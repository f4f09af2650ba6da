// Records to rows: the parallel half of CSV. Known columns and kinds, provisional numbers for new texts.
#include <cstring>
#include <limits>

#include "stream/csv.h"

namespace halfspace::stream {
namespace {

constexpr std::int32_t unknown_label = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t not_looked_up = unknown_label + 1;

const char* find_nul(const char* at, const char* end) {
  const void* found = at == end ? nullptr : std::memchr(at, 0, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

void unescape(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
}

std::uint32_t intern(CsvDictionary& dictionary, std::uint32_t column, const CsvField& field, CsvScratch& scratch) {
  if (!field.doubled) return dictionary.find_or_insert(column, field.text()).number;
  unescape(field.text(), scratch.buffer);
  const CsvDictionary::Found found = dictionary.find_or_insert(column, scratch.buffer);
  if (found.inserted) dictionary.rebind(found.number, scratch.unescaped.emplace_back(scratch.buffer));
  return found.number;
}

std::uint64_t column_in(const CsvRecord& record, const char* at) {
  return static_cast<std::uint64_t>(at - record.begin) + 1;
}

}  // namespace

void Csv::parse(std::string_view text, bool stop_at_bad, ParsedPiece& piece) const {
  if (piece.scratch == nullptr) piece.scratch = std::make_shared<CsvScratch>();
  CsvScratch& scratch = *static_cast<CsvScratch*>(piece.scratch.get());
  scratch.fields.resize(plan_.names.size());
  scratch.categories.clear();
  scratch.labels.clear();
  scratch.class_of_label.clear();
  scratch.unescaped.clear();
  scratch.new_label_rows.clear();

  const char* at = text.data();
  const char* const end = at + text.size();
  const char* nul = find_nul(at, end);
  for (;;) {
    piece.lines += skip_blank_lines(at, end, *grammar_);
    if (at == end) break;
    const CsvRecord record = scan_record(at, end, *grammar_, numeric_.data(), scratch.fields);
    if (std::optional<CsvProblem> problem = parse_row(record, nul, scratch, piece)) {
      piece.rows.drop_row();
      // All of an overlong record may not be at hand.
      const std::string_view shown =
          record.flaw == CsvFlaw::overlong ? record.text().substr(0, grammar_->limit + 1) : record.text();
      piece.bad.push_back({piece.lines, piece.data_rows, column_in(record, problem->at), std::move(problem->reason),
                           std::move(problem->hint), std::string(shown)});
      if (stop_at_bad) break;
    } else {
      piece.line_of_row.push_back(piece.lines);
    }
    ++piece.data_rows;
    piece.lines += record.lines;
    at = record.next;
    if (nul < at) nul = find_nul(at, end);
  }
  for (const CsvDictionary::Entry& entry : scratch.categories.entries()) {
    piece.new_categories.push_back({entry.column, entry.text});
  }
}

std::optional<CsvProblem> Csv::parse_row(const CsvRecord& record, const char* nul, CsvScratch& scratch,
                                         ParsedPiece& piece) const {
  if (auto problem = find_structural_problem(record, nul, plan_.names.size())) return problem;
  for (const CsvPlan::Feature& feature : plan_.features) {
    const CsvField& field = scratch.fields[feature.field];
    if (field.parsed) {
      piece.rows.add(feature.feature, field.value);
      continue;
    }
    if (is_missing(field.text())) {
      const std::uint32_t number = scratch.categories.find_or_insert(feature.column, {}).number;
      piece.rows.add(first_provisional + number, 1.0);
    } else if (feature.numeric) {
      double value = 0;
      const NumberProblem problem = parse_number(field.text(), value);
      if (problem != NumberProblem::none) return describe(problem, field, plan_.names[feature.field]);
      piece.rows.add(feature.feature, value);
    } else {
      const std::uint32_t number = intern(scratch.categories, feature.column, field, scratch);
      if (!scratch.categories[number].valid) return describe_invalid_utf8(field, plan_.names[feature.field]);
      piece.rows.add(first_provisional + number, 1.0);
    }
  }
  double weight = 1;
  if (plan_.weight != no_field) {
    const CsvField& field = scratch.fields[plan_.weight];
    if (!parse_weight(field.text(), weight)) return describe_bad_weight(field, plan_.names[plan_.weight]);
  }
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    // The last check of all: only good rows may bring new labels.
    if (auto problem = parse_label(record, scratch, piece, label)) return problem;
  }
  piece.rows.end_row(label, piece.data_rows, weight);
  return std::nullopt;
}

std::optional<CsvProblem> Csv::parse_label(const CsvRecord& record, CsvScratch& scratch, ParsedPiece& piece,
                                           std::int32_t& label) const {
  const CsvField& field = scratch.fields[plan_.label];
  if (is_missing(field.text())) {
    if (options_.labels_optional) return std::nullopt;
    return describe_missing_label(field, plan_.names[plan_.label]);
  }
  const std::uint32_t number = intern(scratch.labels, 0, field, scratch);
  const CsvDictionary::Entry& entry = scratch.labels[number];
  if (!entry.valid) return describe_invalid_utf8(field, plan_.names[plan_.label]);
  if (number >= scratch.class_of_label.size()) scratch.class_of_label.resize(number + 1, not_looked_up);
  std::int32_t& known = scratch.class_of_label[number];
  if (known == not_looked_up) {
    known = labels_.find(entry.text).value_or(unknown_label);
    if (known == unknown_label && labels_open_) {
      known = first_new_label - static_cast<std::int32_t>(piece.new_labels.size());
      piece.new_labels.push_back(entry.text);
    }
  }
  if (known == unknown_label) return describe_unknown_label(field.begin, entry.text, labels_);
  if (known <= first_new_label) {
    scratch.new_label_rows.push_back({piece.rows.rows(), column_in(record, field.begin), record.text()});
  }
  label = known;
  return std::nullopt;
}

}  // namespace halfspace::stream
