// Parses records to rows: the parallel half of CSV, with known columns and kinds and provisional numbers for new texts.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/utf8.h"
#include "stream/csv/csv.h"
#include "stream/csv/walk.h"
#include "stream/text/dates.h"
#include "stream/text/decimals.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::int32_t unknown_label = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t not_looked_up = unknown_label + 1;

const char* find_nul(const char* at, const char* end) {
  const void* found = at == end ? nullptr : std::memchr(at, 0, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

void unescape(std::string_view text, char doubled, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == doubled) ++i;
  }
}

std::uint32_t number_of_label(const CsvField& field, CsvScratch& scratch) {
  if (field.doubled == '\0') return scratch.labels.find_or_insert(0, field.text()).number;
  unescape(field.text(), field.doubled, scratch.buffer);
  const CellDictionary::Found found = scratch.labels.find_or_insert(0, scratch.buffer);
  if (found.inserted) scratch.labels.rebind(found.number, scratch.unescaped.emplace_back(scratch.buffer));
  return found.number;
}

// Joins two categories into one text from which both can be recovered.
std::string_view join(std::string_view first, const std::string& name, std::string_view second, CsvScratch& scratch) {
  std::string& both = scratch.buffer;
  both.clear();
  for (const char c : first) {
    if (c == ':' || c == '\\') both += '\\';
    both += c;
  }
  both += ':';
  both += name;
  both += '=';
  both += second;
  return both;
}

std::uint64_t column_in(const CsvRecord& record, const char* at) {
  return static_cast<std::uint64_t>(at - record.begin) + 1;
}

}  // namespace

void Csv::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  auto& scratch = chunk.scratch<CsvScratch>();
  scratch.fields.resize(plan_.names.size());
  scratch.names.begin(categories_, chunk);
  scratch.factors.resize(plan_.products.empty() ? 0 : plan_.features.size());
  scratch.labels.clear();
  scratch.class_of_label.clear();
  scratch.unescaped.clear();
  scratch.new_label_rows.clear();

  const char* const end = text.data() + text.size();
  walk_records(
      text, *grammar_, plan_.names.size(), scratch.separators,
      [&](const RegularRecord& record) { return parse_regular(record, scratch, chunk); },
      [&](const char*& at) {
        chunk.rows.drop_row();
        scratch.names.drop_row();
        const std::size_t bad = chunk.bad.size();
        at = parse_carefully(at, end, scratch, chunk);
        return !stop_at_bad || chunk.bad.size() == bad;
      });
  scratch.names.finish(chunk);
}

// Adds a category, or gives false where it is not UTF-8. Returns its text in `added`, valid until the row ends.
bool Csv::add_category(std::uint32_t column, const CsvField& field, CsvScratch& scratch, ParsedChunk& chunk,
                       std::string_view& added) {
  added = field.text();
  if (!valid_utf8(added)) return false;
  if (field.doubled == '\0') {
    scratch.names.add(column, added, 1.0, chunk.rows);
  } else {
    unescape(field.text(), field.doubled, scratch.buffer);
    added = scratch.names.add_copy(column, scratch.buffer, 1.0, chunk.rows);
  }
  return true;
}

// Adds the tokens of a cell, or gives false where it is not UTF-8. Quotes within it are doubled, which parts no tokens.
bool Csv::add_text(const ColumnPlan::Feature& feature, std::string_view text, CsvScratch& scratch,
                   ParsedChunk& chunk) const {
  if (!valid_utf8(text)) return false;
  scratch.text_cells.add(feature, text, scratch.names, chunk.rows);
  return true;
}

// Adds the parts of a date, or gives false where the text is none.
bool Csv::add_date(const ColumnPlan::Feature& feature, std::string_view text, CsvScratch& scratch, ParsedChunk& chunk) {
  static constexpr std::array<std::string_view, 7> weekdays = {
      "weekday=Mon", "weekday=Tue", "weekday=Wed", "weekday=Thu", "weekday=Fri", "weekday=Sat", "weekday=Sun"};
  Date date;
  if (!read_date(text, *feature.date, date)) return false;
  chunk.rows.add(feature.feature, date.year);
  chunk.rows.add(feature.feature + 1, date.month);
  chunk.rows.add(feature.feature + 2, date.day);
  scratch.names.add(feature.column, weekdays[static_cast<std::size_t>(date.weekday)], 1, chunk.rows);
  if (date.timed) scratch.names.add(feature.column, "seconds", date.seconds, chunk.rows);
  return true;
}

// Adds the products of the current row's values. A missing value has none.
std::optional<CsvProblem> Csv::add_products(const char* at, CsvScratch& scratch, ParsedChunk& chunk) const {
  const auto number_of = [&](const CsvScratch::Factor& factor) {
    return factor.text.empty() ? chunk.rows.values()[factor.place] : 1;
  };
  for (const ColumnPlan::Product& product : plan_.products) {
    const CsvScratch::Factor &first = scratch.factors[product.first], &second = scratch.factors[product.second];
    if (first.missing || second.missing) continue;
    const double value = number_of(first) * number_of(second);
    if (!std::isfinite(value)) {
      const std::string &a = plan_.names[plan_.features[product.first].field],
                        &b = plan_.names[plan_.features[product.second].field];
      return CsvProblem{at, "the product of " + quote(a) + " and " + quote(b) + " is too large for a double",
                        "scale the columns down"};
    }
    if (product.feature != Column::no_feature) {
      chunk.rows.add(product.feature, value);
      continue;
    }
    if (!first.text.empty() && !second.text.empty()) {
      add_pair(product, scratch, chunk);
    } else {
      scratch.names.add_copy(product.column, first.text.empty() ? second.text : first.text, value, chunk.rows);
    }
  }
  return std::nullopt;
}

// Adds the product of two categories. Where names are hashed, its hash is made of theirs.
void Csv::add_pair(const ColumnPlan::Product& product, CsvScratch& scratch, ParsedChunk& chunk) const {
  const std::string_view first = scratch.factors[product.first].text, second = scratch.factors[product.second].text;
  const ColumnPlan::Feature &a = plan_.features[product.first], &b = plan_.features[product.second];
  const auto name = [&] { return join(first, plan_.names[b.field], second, scratch); };
  const NameHasher* const hasher = scratch.names.hasher();
  if (hasher == nullptr) {
    scratch.names.add_copy(product.column, name(), 1, chunk.rows);
    return;
  }
  const std::array<std::uint64_t, 2> factors = {hasher->hash(a.column, first), hasher->hash(b.column, second)};
  scratch.names.add_hashed(product.column, hash_of_hashes(factors, hasher->seed(product.column)), 1, name, chunk.rows);
}

// Adds a flawless record. Returns false for any other, and parse_carefully starts it over.
bool Csv::parse_regular(const RegularRecord& record, CsvScratch& scratch, ParsedChunk& chunk) const {
  const bool multiplies = !plan_.products.empty();
  for (const ColumnPlan::Run& run : plan_.runs) {
    for (std::uint32_t i = 0; multiplies && i < run.count; ++i)
      scratch.factors[run.rank + i] = {chunk.rows.indices().size() + i, {}, false};
    if (!run.numeric) {
      const CsvField text_of = record.field(run.field, *grammar_);
      if (missing_(text_of.text())) {
        chunk.rows.add(scratch.names.missing(run.column), 1.0);
        if (multiplies) scratch.factors[run.rank].missing = true;
        continue;
      }
      if (run.ngrams > 0 || run.date) {
        const bool made = run.date ? add_date(run.only(), text_of.text(), scratch, chunk)
                                   : add_text(run.only(), text_of.text(), scratch, chunk);
        if (!made) return false;
        continue;
      }
      std::string_view added;
      if (!add_category(run.column, text_of, scratch, chunk, added)) return false;
      if (multiplies) scratch.factors[run.rank].text = added;
      continue;
    }
    if (scratch.rest.size() < run.count / 8 + 1) scratch.rest.resize(run.count / 8 + 1);
    const BlockBuffer::Room room = chunk.rows.extend(run.count + decimals_slack);
    std::iota(room.index, room.index + run.count, run.feature);
    const bool all =
        reads_plain_ && read_decimals(record.text, record.at + run.field, run.count, room.value, scratch.rest.data());
    for (std::uint32_t i = 0; !all && i < run.count; ++i) {
      if (reads_plain_ && (scratch.rest[i / 8] >> i % 8 & 1) == 0) continue;
      const CsvField number = record.field(run.field + i, *grammar_);
      if (missing_(number.text())) {
        room.index[i] = scratch.names.missing(run.column + i);
        room.value[i] = 1.0;
        if (multiplies) scratch.factors[run.rank + i].missing = true;
      } else if (parse_cell(number.text(), *grammar_, room.value[i]) != NumberProblem::none) {
        return false;
      }
    }
    chunk.rows.shorten(decimals_slack);
  }
  if (multiplies && add_products(record.begin(), scratch, chunk)) return false;
  double weight = 1;
  if (plan_.weight != no_field && !parse_weight(record.field(plan_.weight, *grammar_).text(), *grammar_, weight))
    return false;
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    CsvRecord whole;
    whole.begin = record.begin();
    whole.end = record.text.data() + record.at[plan_.names.size() - 1];
    if (parse_label(whole, record.field(plan_.label, *grammar_), scratch, chunk, label)) return false;
  }
  chunk.line_of_row.push_back(chunk.lines++);
  end_row(label, weight, scratch, chunk);
  ++chunk.data_rows;
  return true;
}

// The record at `at`, after blank lines, whatever it is. Returns where the next begins.
const char* Csv::parse_carefully(const char* at, const char* end, CsvScratch& scratch, ParsedChunk& chunk) const {
  chunk.lines += skip_to_record(at, end, *grammar_);
  if (at == end) return end;
  const CsvRecord record = scan_record(at, end, *grammar_, scratch.fields);
  const char* const nul = find_nul(record.begin, record.next);
  if (std::optional<CsvProblem> problem = parse_row(record, nul, scratch, chunk)) {
    chunk.rows.drop_row();
    scratch.names.drop_row();
    // All of an overlong record may not be at hand.
    const std::string_view shown =
        record.flaw == CsvFlaw::overlong ? record.text().substr(0, grammar_->limit + 1) : record.text();
    chunk.bad.push_back({chunk.lines, chunk.data_rows, column_in(record, problem->at), std::move(problem->reason),
                         std::move(problem->hint), std::string(shown), problem->reads_as_text});
  } else {
    chunk.line_of_row.push_back(chunk.lines);
  }
  ++chunk.data_rows;
  chunk.lines += record.lines;
  return record.next;
}

// Describes a cell that is no number. Its row may be in another encoding, which is the reason where all rows are: none of
// them shows that the column has categories.
CsvProblem Csv::describe_cell(NumberProblem problem, const CsvField& field, std::uint32_t number,
                              const CsvScratch& scratch) const {
  for (std::size_t i = 0; i < plan_.names.size(); ++i) {
    if (!valid_utf8(scratch.fields[i].text())) return describe_invalid_utf8(scratch.fields[i], plan_.names[i]);
  }
  return describe(problem, field, plan_.names[number], options_.schema != nullptr, skip_lines_);
}

std::optional<CsvProblem> Csv::parse_row(const CsvRecord& record, const char* nul, CsvScratch& scratch,
                                         ParsedChunk& chunk) const {
  if (auto problem = find_structural_problem(record, nul, plan_.names.size(), *grammar_, other_quotes_)) return problem;
  for (std::size_t rank = 0; rank < plan_.features.size(); ++rank) {
    const ColumnPlan::Feature& feature = plan_.features[rank];
    const CsvField& field = scratch.fields[feature.field];
    std::string_view added;
    const std::size_t place = chunk.rows.indices().size();
    const bool missing = missing_(field.text());
    if (missing) {
      chunk.rows.add(scratch.names.missing(feature.column), 1.0);
    } else if (feature.numeric) {
      double value = 0;
      const NumberProblem problem = parse_cell(field.text(), *grammar_, value);
      if (problem != NumberProblem::none) return describe_cell(problem, field, feature.field, scratch);
      chunk.rows.add(feature.feature, value);
    } else if (feature.ngrams > 0) {
      if (!add_text(feature, field.text(), scratch, chunk))
        return describe_invalid_utf8(field, plan_.names[feature.field]);
    } else if (feature.date) {
      if (!add_date(feature, field.text(), scratch, chunk))
        return describe_no_date(field, plan_.names[feature.field], *feature.date);
    } else if (!add_category(feature.column, field, scratch, chunk, added)) {
      return describe_invalid_utf8(field, plan_.names[feature.field]);
    }
    if (!plan_.products.empty()) scratch.factors[rank] = {place, added, missing};
  }
  if (auto problem = add_products(record.begin, scratch, chunk)) return problem;
  double weight = 1;
  if (plan_.weight != no_field) {
    const CsvField& field = scratch.fields[plan_.weight];
    if (!parse_weight(field.text(), *grammar_, weight)) return describe_bad_weight(field, plan_.names[plan_.weight]);
  }
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    // Checks the label last: only good rows may add labels.
    if (auto problem = parse_label(record, scratch.fields[plan_.label], scratch, chunk, label)) return problem;
  }
  end_row(label, weight, scratch, chunk);
  return std::nullopt;
}

std::optional<CsvProblem> Csv::parse_label(const CsvRecord& record, const CsvField& field, CsvScratch& scratch,
                                           ParsedChunk& chunk, std::int32_t& label) const {
  if (missing_labels_(field.text())) {
    return describe_missing_label(field, plan_.names[plan_.label], missing_);
  }
  const std::uint32_t number = number_of_label(field, scratch);
  const CellDictionary::Entry& entry = scratch.labels[number];
  if (!entry.valid) return describe_invalid_utf8(field, plan_.names[plan_.label]);
  if (number >= scratch.class_of_label.size()) scratch.class_of_label.resize(number + 1, not_looked_up);
  std::int32_t& known = scratch.class_of_label[number];
  if (known == not_looked_up) {
    known = labels_.find(entry.text).value_or(unknown_label);
    if (known == unknown_label && labels_open_ && !has_line_break(entry.text)) {
      known = first_new_label - static_cast<std::int32_t>(chunk.new_labels.size());
      chunk.new_labels.push_back(entry.text);
    }
  }
  if (known == unknown_label) {
    if (!chunk.late_label && !has_line_break(entry.text)) chunk.late_label = entry.text;
    LabelProblem problem = describe_unknown(entry.text, labels_, options_);
    return CsvProblem{field.begin, std::move(problem.reason), std::move(problem.hint)};
  }
  if (known <= first_new_label) {
    scratch.new_label_rows.push_back({chunk.rows.rows(), column_in(record, field.begin), record.text()});
  }
  label = known;
  return std::nullopt;
}

// Returns the kept texts of a bad record: those before its flaw, as far as known, are reliable.
void Csv::keep(std::span<const std::string_view> records, KeptTexts& kept) const {
  if (plan_.kept.empty()) return;
  std::vector<CsvField> fields(*std::max_element(plan_.kept.begin(), plan_.kept.end()) + std::size_t{1});
  for (const std::string_view text : records) {
    std::fill(fields.begin(), fields.end(), CsvField());
    const CsvRecord record = scan_record(text.data(), text.data() + text.size(), *grammar_, fields);
    for (const std::uint32_t number : plan_.kept) {
      const CsvField& field = fields[number];
      const bool there = field.begin != nullptr && (record.flaw == CsvFlaw::none || field.end <= record.flaw_at);
      if (!there) {
        kept.texts.emplace_back();
      } else if (field.doubled != '\0') {
        kept.texts.emplace_back(kept.own.emplace_back(field.unescaped()));
      } else {
        kept.texts.push_back(field.text());
      }
    }
  }
}

}  // namespace halfspace::stream
