// A Format driven by hand: parse, commit, finish.
#include "service/row_parser.h"

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/class_factors.h"
#include "stream/csv/scan.h"
#include "stream/format_entry.h"
#include "stream/pipeline/finish_rows.h"
#include "stream/text/text.h"

namespace halfspace::service {
namespace {

using Kind = Column::Kind;

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

std::string quoted_json(std::string_view text) {
  return Json(std::string(text)).dump();
}

[[noreturn]] void refuse_row(const std::string& what, const std::string& fix) {
  throw Error(ErrorKind::data, what).fix(fix);
}

std::vector<Column>::const_iterator label_column(const Schema& schema) {
  return std::find_if(schema.columns.begin(), schema.columns.end(),
                      [](const Column& each) { return each.kind == Kind::label; });
}

std::string json_with_label(const Schema& schema, std::string_view line, std::string_view label) {
  const auto column = label_column(schema);
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
  const auto column = label_column(schema);
  const auto place = static_cast<std::size_t>(column - schema.columns.begin());
  const stream::CsvGrammar grammar{.delimiter = schema.delimiter,
                                   .limit = line.size() + 1,
                                   .decimal = schema.decimal,
                                   .quote = schema.quote == Quote::none           ? '\0'
                                            : schema.quote == Quote::single_quote ? '\''
                                                                                  : '"',
                                   .thousands = schema.thousands};
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

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
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
}

RowParser::Parsed RowParser::parse(std::string_view lines) {
  chunk_.clear();
  text_.clear();
  text_.append(lines);
  chunk_.text = text_.view();
  format_->parse(chunk_.text, false, chunk_);
  if (!format_->final_after_parse(chunk_)) format_->commit(chunk_, schema_);
  transforms_ = {schema_.exponents, schema_.row_normalised, schema_.single, true};
  const Block block = stream::finish_rows(transforms_, class_factors_, false, chunk_);
  if (options_.grow) schema_.features = std::max(schema_.features, block.features);
  return {block, chunk_.bad, chunk_.lines};
}

}  // namespace halfspace::service
