// A Format driven by hand: parse, commit, finish.
#include "service/row_parser.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/json.h"
#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/csv/scan.h"
#include "stream/formats/format_entry.h"
#include "stream/jsonl/members.h"
#include "stream/pipeline/transform.h"
#include "stream/text/text.h"

namespace halfspace::service {
namespace {

using Kind = Column::Kind;

// What next() parses at a time, at most; of lines that are longer one.
constexpr std::uint64_t piece_lines = 256;
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

// Returns text from which a format learns how its lines match the schema's columns.
std::string example_of(const Schema& schema) {
  if (schema.format != DataFormat::jsonl) return header_of(schema);
  Json members;
  for (const Column& column : schema.columns) {
    if (!column.name.empty() && column.kind != Kind::product) members[column.name] = nullptr;
  }
  return members.dump() + "\n";
}

const Schema& checked(const Schema& schema) {
  const DataFormat format = schema.format;
  if (format == DataFormat::libsvm || format == DataFormat::vw || format == DataFormat::jsonl) return schema;
  const bool is_csv = format == DataFormat::csv;
  if (is_csv && schema.header) return schema;
  throw Error(ErrorKind::usage, "rows for a model of " + stream::format_words(format) +
                                    (is_csv ? " without a header" : "") + " cannot come line by line")
      .fix("train on LIBSVM, CSV with a header, Vowpal Wabbit text or JSON Lines");
}

std::string quoted_json(std::string_view text) { return Json(std::string(text)).dump(); }

[[noreturn]] void refuse_row(const std::string& what, const std::string& fix) {
  throw Error(ErrorKind::data, what).fix(fix);
}

std::vector<Column>::const_iterator column_of_kind(const Schema& schema, Kind kind) {
  return std::find_if(schema.columns.begin(), schema.columns.end(),
                      [&](const Column& each) { return each.kind == kind; });
}

char quote_of(const Schema& schema) {
  return schema.quote == Quote::none ? '\0' : schema.quote == Quote::single_quote ? '\'' : '"';
}

stream::CsvGrammar grammar_of(const Schema& schema, std::size_t limit) {
  return {.delimiter = schema.delimiter,
          .limit = limit,
          .decimal = schema.decimal,
          .quote = quote_of(schema),
          .thousands = schema.thousands};
}

// Returns a text as a cell, in quotes where it needs them.
std::string csv_cell(const Schema& schema, const std::string& name, std::string_view text, bool first) {
  const char quote = quote_of(schema);
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  if (text.find_first_of("\r\n") != std::string_view::npos)
    refuse_row("the value of " + stream::quote(name) + " has a line break", "leave the line break out");
  const bool plain = text.empty()
                         ? schema.delimiter != ' '
                         : text.find(schema.delimiter) == std::string_view::npos && !blank(text.front()) &&
                               !blank(text.back()) && (quote == '\0' || text.find(quote) == std::string_view::npos) &&
                               !(first && schema.comment.find(text.front()) != std::string::npos);
  if (plain) return std::string(text);
  if (quote == '\0')
    refuse_row("the value of " + stream::quote(name) + " cannot stand in a cell", "leave delimiters and blanks out");
  std::string cell(1, quote);
  for (const char c : text) {
    if (c == quote) cell += quote;
    cell += c;
  }
  return cell + quote;
}

std::string text_of_cell(const Schema& schema, const std::string& name, const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.text();
  if (value.is_structured())
    refuse_row("the value of " + stream::quote(name) + " is an object or an array", "give a text or a number");
  std::string text = value.dump();
  if (value.is_number()) std::replace(text.begin(), text.end(), '.', schema.decimal);
  return text;
}

std::string json_with_label(const Schema& schema, std::string_view line, std::string_view label) {
  const auto column = column_of_kind(schema, Kind::label);
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  if (!valid_utf8(label)) refuse_row("the label is not UTF-8", "give one of the model's classes");
  if (begin == line.size() || line[begin] != '{' || column == schema.columns.end())
    refuse_row("the row is no object", "send a JSON object");
  const std::size_t next = line.find_first_not_of(" \t", begin + 1);
  const bool empty = next != std::string_view::npos && line[next] == '}';
  return "{" + quoted_json(column->name) + ":" + quoted_json(label) + (empty ? "" : ",") +
         std::string(line.substr(begin + 1));
}

std::string csv_with_label(const Schema& schema, std::string_view line, std::string_view label) {
  const auto column = column_of_kind(schema, Kind::label);
  const auto place = static_cast<std::size_t>(column - schema.columns.begin());
  const stream::CsvGrammar grammar = grammar_of(schema, line.size() + 1);
  std::vector<stream::CsvField> fields(place + 1);
  const stream::CsvRecord record = stream::scan_record(line.data(), line.data() + line.size(), grammar, fields);
  if (column == schema.columns.end() || record.fields <= place)
    refuse_row("the row has no cell for the label", "leave it empty: the label comes later");
  if (fields[place].begin != fields[place].end) refuse_row("the row has a label already", "leave its cell empty");
  const auto at = static_cast<std::size_t>(fields[place].begin - line.data());
  const std::string cell = stream::csv_field(label);
  if (cell.find('\n') != std::string::npos || (cell != label && grammar.quote != '"'))
    refuse_row("the label cannot stand in a cell", "give one of the model's classes");
  return std::string(line.substr(0, at)) + cell + std::string(line.substr(at));
}

}  // namespace

std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(next_line(text));
  return lines;
}

std::uint64_t count_lines(std::string_view text) {
  const auto ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.back() == '\n' ? 0 : 1);
}

std::string header_of(const Schema& schema) {
  if (schema.format != DataFormat::csv) return {};
  std::string header;
  for (const Column& column : schema.columns) {
    if (column.kind == Kind::product) break;  // they follow the file's own
    if (!header.empty()) header += schema.delimiter;
    header += stream::csv_field(column.name);
  }
  return header + "\n";
}

std::string with_label(const Schema& schema, std::string_view line, std::string_view label) {
  if (schema.format == DataFormat::csv) return csv_with_label(schema, line, label);
  if (schema.format == DataFormat::jsonl) return json_with_label(schema, line, label);
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  if (schema.format == DataFormat::vw) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) refuse_row("the row has no |", "write features after a |");
    if (bar != begin && line[begin] != '\'')
      refuse_row("the row has a label already", "begin it with the | of its first namespace, or with its 'tag");
  } else {
    const std::string_view first = line.substr(begin, std::min(line.find_first_of(" \t", begin), line.size()) - begin);
    if (!first.empty() && first.find(':') == std::string_view::npos)
      refuse_row("the row has a label already", "begin it with its first feature");
  }
  if (label.empty() || label.find_first_of(" \t\r\n|:") != std::string_view::npos)
    refuse_row("the label cannot stand in the row", "give one of the model's classes");
  return std::string(label) + " " + std::string(line.substr(begin));
}

std::string id_of(const Schema& schema, std::string_view line) {
  const auto column = column_of_kind(schema, Kind::identifier);
  if (column == schema.columns.end()) return {};
  if (schema.format == DataFormat::csv) {
    const auto place = static_cast<std::size_t>(column - schema.columns.begin());
    std::vector<stream::CsvField> fields(place + 1);
    const stream::CsvRecord record =
        stream::scan_record(line.data(), line.data() + line.size(), grammar_of(schema, line.size() + 1), fields);
    return record.fields > place ? fields[place].unescaped() : std::string();
  }
  if (schema.format != DataFormat::jsonl) return {};
  const Json row = Json::parse(line);
  if (!row.is_object() || !row.contains(column->name)) return {};
  const Json& value = row.at(column->name);
  return value.is_string() ? value.text() : value.is_number() ? value.dump() : std::string();
}

std::string csv_of_json(const Schema& schema, std::string_view object) {
  Json row;
  std::string repeated;
  try {
    row = Json::parse(object, {.repeated_key = &repeated});
  } catch (const Json::exception&) {
    refuse_row("the row is no JSON", R"(send an object such as {"age": 3, "colour": "red"})");
  }
  if (!row.is_object()) refuse_row("the row is no object", R"(send an object such as {"age": 3, "colour": "red"})");
  if (!repeated.empty()) refuse_row("the member " + stream::quote(repeated) + " is there twice", "keep one of them");
  std::string line;
  std::size_t known = 0;
  for (const Column& column : schema.columns) {
    if (column.kind == Kind::product) break;  // they follow the file's own
    const bool first = &column == &schema.columns.front();
    if (!first) line += schema.delimiter;
    const auto value = std::as_const(row).find(column.name);
    const bool given = value != std::as_const(row).end();
    known += given ? 1 : 0;
    line += csv_cell(schema, column.name, given ? text_of_cell(schema, column.name, *value) : std::string(), first);
  }
  if (known == row.size() && known > 0) return line;
  const std::string columns = "GET /schema lists the columns";
  for (const auto& member : row.items()) {
    const bool is_column = std::any_of(schema.columns.begin(), schema.columns.end(), [&](const Column& column) {
      return column.kind != Kind::product && column.name == member.first;
    });
    if (!is_column)
      refuse_row("the member " + stream::quote(member.first) + " is no column", "leave it out: " + columns);
  }
  refuse_row("the row has no member", "give it the columns: " + columns);
}

std::string fix_of_row(DataFormat format, std::string_view hint) {
  constexpr char mark = '\x1f';
  const std::string text =
      render_options(hint, [](std::string_view, std::string_view) { return std::string(1, mark); });
  std::string fix;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.size(), next = end;
    for (const std::string_view separator : {"; ", ", or "}) {
      const std::size_t found = text.find(separator, at);
      if (found >= end) continue;
      end = found;
      next = found + separator.size();
    }
    std::string_view clause = std::string_view(text).substr(at, end - at);
    at = next;
    if (clause.find(mark) != std::string_view::npos || clause.find(" FILE") != std::string_view::npos) continue;
    for (const std::string_view word : {"else ", "or "}) {
      if (fix.empty() && clause.starts_with(word)) clause.remove_prefix(word.size());
    }
    fix.append(fix.empty() ? "" : "; ").append(clause);
  }
  return fix.empty() ? std::string(stream::entry_of(format).rows_are) : fix;
}

// What a row must have something of.
struct RowParser::Known {
  // JSON Lines: the members that are columns with features, and the features of missing values, ascending.
  stream::JsonMembers members;
  stream::JsonNames names;
  std::vector<std::uint32_t> missing;
  bool hashed = false;  // the features of a row do not tell
  // Vowpal Wabbit.
  std::unordered_set<std::string> namespaces;

  // Returns whether the object of the line has one of the members.
  bool has_member(std::string_view line) {
    bool found = false;
    static_cast<void>(members.read(
        line, names,
        [&](std::string_view, std::uint32_t number, const stream::JsonToken&) -> std::optional<stream::JsonProblem> {
          found = found || number != stream::no_field;
          return std::nullopt;
        }));
    return found;
  }
  // Returns whether one of the line's namespaces is known, or whether it has none.
  bool has_namespace(std::string_view line) const {
    bool none = true;
    for (std::size_t at = line.find('|'); at != std::string_view::npos; at = line.find('|', at + 1)) {
      const std::size_t end = std::min(line.find_first_of(" \t\r:|", at + 1), line.size());
      const std::size_t next = std::min(line.find('|', at + 1), line.size());
      if (line.substr(end, next - end).find_first_not_of(" \t\r") == std::string_view::npos) continue;  // no features
      if (namespaces.contains(std::string(line.substr(at + 1, end - at - 1)))) return true;
      none = false;
    }
    return none;
  }
};

RowParser::RowParser(const Schema& schema, ParseFor purpose, const ClassWeights& class_weights)
    : given_(checked(schema)), schema_(given_) {
  options_.path = "the request";
  options_.schema = &given_;
  options_.grow = purpose == ParseFor::learn;
  options_.labels.ignore = purpose == ParseFor::predict;
  options_.labels.class_weights = class_weights;
  options_.on_error = OnError::skip;
  options_.threads = 1;
  format_ = stream::entry_of(schema_.format).make(options_);
  text_.append(example_of(schema_));
  format_->infer_schema(text_.view(), true, nullptr, schema_);
  format_->begin_pass(schema_);
  class_factors_ = stream::class_factors(options_, schema_.labels);
  if (purpose != ParseFor::learn) know_columns();
}
RowParser::~RowParser() = default;

void RowParser::know_columns() {
  const bool is_vw = schema_.format == DataFormat::vw;
  if (!is_vw && schema_.format != DataFormat::jsonl) return;
  if (is_vw && schema_.hashed.bits != 0) return;  // every name has a feature
  auto known = std::make_unique<Known>();
  known->hashed = schema_.hashed.bits != 0;
  for (const Column& column : schema_.columns) {
    if (is_vw && factors_of_product(column.name) == 1) known->namespaces.insert(column.name);
    if (column.missing_feature != Column::no_feature) known->missing.push_back(column.missing_feature);
    if (!is_vw && Column::gives_features(column.kind) && !column.name.empty()) known->names.add(column.name, false);
  }
  std::sort(known->missing.begin(), known->missing.end());
  if (known->namespaces.empty() && known->names.size() == 0) return;
  known_ = std::move(known);
}

// Adds the rows that have nothing that the model knows to the bad ones.
void RowParser::refuse_unfit() {
  const bool is_vw = schema_.format == DataFormat::vw;
  const std::span<const std::uint64_t> offset = chunk_.rows.offsets();
  const std::span<const std::uint32_t> indices = chunk_.rows.indices();
  for (std::size_t i = 0; i < chunk_.rows.rows(); ++i) {
    const std::span<const std::uint32_t> row = indices.subspan(offset[i], offset[i + 1] - offset[i]);
    const bool has_value = std::any_of(row.begin(), row.end(), [&](std::uint32_t index) {
      return !std::binary_search(known_->missing.begin(), known_->missing.end(), index);
    });
    if (has_value && !known_->hashed && !is_vw) continue;
    const std::string_view line = lines_[chunk_.line_of_row[i]];
    if (is_vw ? known_->has_namespace(line) : known_->has_member(line)) continue;
    chunk_.bad.push_back(
        {chunk_.line_of_row[i], chunk_.rows.row_numbers()[i], 0,
         is_vw ? "the row has none of the model's namespaces" : "the row has none of the model's members",
         is_vw ? "namespaces stand right behind a |; GET /schema lists the model's"
               : "check their names; GET /schema lists the model's",
         std::string(line)});
  }
}

RowParser::Parsed RowParser::parse(std::string_view lines) {
  chunk_.clear();
  text_.clear();
  text_.append(lines);
  chunk_.text = text_.view();
  format_->parse(chunk_.text, false, chunk_);
  if (!format_->final_after_parse(chunk_)) format_->commit(chunk_, schema_);
  if (known_) {
    lines_ = lines_of(chunk_.text);
    refuse_unfit();
  }
  transforms_ = {schema_.exponents, schema_.row_normalised, schema_.single, true};
  const Block block = stream::finish_rows(transforms_, class_factors_, false, chunk_);
  if (options_.grow) schema_.features = std::max(schema_.features, block.features);
  for (stream::BadRow& bad : chunk_.bad) {
    bad.reason = render_options(bad.reason);
    bad.hint = fix_of_row(schema_.format, bad.hint);
  }
  return {block, chunk_.bad, chunk_.lines};
}

// Finds the lines of the good rows among those that were parsed, and adds lines that are neither rows nor blank to the
// bad ones. Returns false if rows are not lines, such as records of CSV with a line break in quotes.
bool RowParser::sort_out_lines(std::size_t rows) {
  lines_ = lines_of(chunk_.text);
  good_.clear();
  auto bad = chunk_.bad.begin();
  for (const std::uint64_t line : chunk_.line_of_row) {
    while (bad != chunk_.bad.end() && bad->line < line) ++bad;
    if (bad == chunk_.bad.end() || bad->line != line) good_.push_back(line);
  }
  std::vector<stream::BadRow> others;
  bad = chunk_.bad.begin();
  auto good = good_.begin();
  bool are_lines = good_.size() == rows;
  for (std::uint64_t line = 0; line < lines_.size(); ++line) {
    std::size_t found = 0;
    for (; bad != chunk_.bad.end() && bad->line == line; ++bad) ++found;
    for (; good != good_.end() && *good == line; ++good) ++found;
    are_lines = are_lines && found <= 1;
    if (found == 0 && lines_[line].find_first_not_of(" \t\r") != std::string_view::npos)
      others.push_back({line, 0, 0, "the line is no row", "leave empty lines and comments out", {}});
  }
  are_lines = are_lines && good == good_.end() && bad == chunk_.bad.end();
  if (lines_.size() > 1) return are_lines && others.empty();
  if (!are_lines) {
    good_.clear();
    chunk_.bad.clear();
    others = {{0, 0, 0, "the line is no row", "send one row a line", {}}};
  }
  for (stream::BadRow& other : others) chunk_.bad.push_back(std::move(other));
  return true;
}

// Leaves one bad line, which is not parsed: that would take a multiple of its size.
void RowParser::refuse_long() {
  chunk_.clear();
  good_.clear();
  chunk_.bad.push_back({0,
                        0,
                        0,
                        "the row has more than " + std::to_string(longest_row) + " bytes",
                        "leave out what the model does not need",
                        {}});
}

RowParser::Piece RowParser::next(std::string_view& text) {
  Piece piece;
  std::size_t size = 0;
  for (const std::uint64_t most = singly_ > 0 ? 1 : piece_lines;
       piece.lines < most && size < text.size() && (size < piece_bytes || piece.lines == 0); ++piece.lines) {
    const std::size_t end = std::min(text.find('\n', size), text.size() - 1) + 1;
    if (piece.lines > 0 && end - size > longest_row) break;
    size = end;
  }
  if (piece.lines == 1 && size > longest_row) {
    refuse_long();
  } else if (piece.block = parse(text.substr(0, size)).block; !sort_out_lines(piece.block.rows)) {
    singly_ = piece.lines;
    return next(text);
  }
  if (singly_ > 0) --singly_;
  text.remove_prefix(size);
  if (good_.empty()) piece.block.rows = 0;
  piece.good = good_;
  piece.bad = chunk_.bad;
  return piece;
}

}  // namespace halfspace::service
