// ARFF as a Format: a header that declares the columns of a table, then its rows, dense or sparse.
//
// Columns, categories and labels follow CSV; docs/formats/arff.md has the grammar and the differences.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/arff/header.h"
#include "stream/columns/table_format.h"
#include "stream/columns/text_cells.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/names/cell_dictionary.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using Type = ArffAttribute::Type;
using Flaw = std::optional<ArffProblem>;

// A value of a row.
struct ArffValue {
  std::uint32_t field;
  ArffToken token;
};

struct ArffScratch {
  CellNames names;
  TextCells text_cells;
  CellDictionary nominal;           // the values of nominal attributes
  std::vector<std::uint8_t> sound;  // of each: it is UTF-8 and declared
  ChunkLabels labels;
  std::deque<std::string> unescaped;
  std::vector<ArffValue> values;
  std::vector<NewLabelRow> new_label_rows;

  void clear() {
    nominal.clear();
    sound.clear();
    labels.clear();
    unescaped.clear();
    new_label_rows.clear();
  }
};

ArffHeader whole_arff_header(std::string_view text, const std::string& file) {
  ArffHeader header = read_arff_header(text, file);
  if (header.complete) return header;
  throw Error(ErrorKind::data, "the header of the ARFF file has no @data")
      .at(file)
      .fix("write @data on a line of its own before the rows");
}

// Rejects a further file that declares other attributes than the first.
void refuse_other_attributes(const std::vector<ArffAttribute>& own, const std::string& file,
                             const std::vector<ArffAttribute>& of_first, const std::string& first) {
  for (std::size_t i = 0; i < std::max(own.size(), of_first.size()); ++i) {
    const bool here = i < own.size(), there = i < of_first.size();
    if (here && there && own[i].same_as(of_first[i])) continue;
    const bool same_name = here && there && own[i].name == of_first[i].name;
    const std::string number = "attribute " + std::to_string(i + 1);
    throw Error(ErrorKind::data,
                !here    ? number + ", " + quote(of_first[i].name) + " in " + first + ", is missing"
                : !there ? number + ", " + quote(own[i].name) + ", is one more than " + first + " has"
                : same_name
                    ? number + ", " + quote(of_first[i].name) + ", has another type or other values than in " + first
                    : number + " is " + quote(own[i].name) + ", and " + quote(of_first[i].name) + " in " + first)
        .at(file, here ? own[i].line : 0)
        .fix("files read as one stream declare the same attributes in one order: read this one by itself");
  }
}

// Returns the trailing attributes that share one list of two values, unlike those before them, or that are called
// labels.
std::vector<std::string> likely_labels(const std::vector<ArffAttribute>& attributes) {
  constexpr std::size_t fewest = 3;
  const std::vector<std::string>& values = attributes.back().values;
  if (values.size() != 2) return {};
  const auto called_label = [](std::string_view name) {
    const std::string lower = lower_case(name);
    return lower.starts_with("class") || lower.starts_with("label") || lower.starts_with("tag") ||
           lower.starts_with("topic");
  };
  std::size_t alike = 0, called = 0;
  for (auto at = attributes.rbegin(); at != attributes.rend() && at->values == values; ++at) {
    called += called == alike && called_label(at->name) ? 1 : 0;
    ++alike;
  }
  const std::size_t labels = called >= fewest ? called : alike == attributes.size() ? 0 : alike;
  std::vector<std::string> names;
  if (labels < fewest) return names;
  for (std::size_t i = attributes.size() - labels; i < attributes.size(); ++i) names.push_back(attributes[i].name);
  return names;
}

// Returns the label attributes of rows with several labels, as MEKA declares them after the relation: -C 6 for the
// first six attributes, -C -6 for the last.
std::vector<std::string> declared_labels(const std::string& relation, const std::vector<ArffAttribute>& attributes) {
  constexpr std::string_view mark = "-C ";
  std::vector<std::string> names;
  const std::size_t at = relation.find(mark);
  if (at == std::string::npos) return names;
  std::string_view text = std::string_view(relation).substr(at + mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  long count = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), count).ec != std::errc()) return names;
  const std::size_t size = static_cast<std::size_t>(std::abs(count));
  if (size > attributes.size()) return names;
  // A filter that moved the labels to the end leaves the number as it was.
  if (std::vector<std::string> last = likely_labels(attributes); last.size() == size) return last;
  constexpr std::string_view filters = "weka.filters.unsupervised.attribute.";
  for (std::size_t filter = relation.find(filters, at); filter != std::string::npos;
       filter = relation.find(filters, filter + 1)) {
    const std::string_view name = std::string_view(relation).substr(filter + filters.size());
    if (name.starts_with("Remove") || name.starts_with("Reorder") || name.starts_with("Add")) return names;
  }
  const std::size_t first = count < 0 ? attributes.size() - size : 0;
  for (std::size_t i = first; i < first + size; ++i) names.push_back(attributes[i].name);
  return names;
}

// Warns about several label columns: the other labels of a row would give the label away.
void note_several_labels(const ReadOptions& options, const std::string& relation, std::uint64_t relation_line,
                         const std::vector<ArffAttribute>& attributes) {
  const std::vector<std::string> declared = declared_labels(relation, attributes);
  const bool sure = declared.size() > 1;
  const std::vector<std::string> labels = sure ? declared : likely_labels(attributes);
  const std::string& label =
      options.columns.label.empty() ? labels.empty() ? options.columns.label : labels.back() : options.columns.label;
  std::string others;
  for (const std::string& name : labels) {
    const bool dropped =
        std::find(options.columns.drop.begin(), options.columns.drop.end(), name) != options.columns.drop.end();
    if (name != label && !dropped) others += (others.empty() ? "" : ",") + name;
  }
  if (others.empty() || (!sure && !options.columns.label.empty())) return;
  const std::string count = std::to_string(labels.size());
  const std::string fix = option("label", label) + " " + option("drop", others) + " learns one of them";
  if (sure && options.columns.label.empty() && !options.labels.any_value) {
    throw Error(ErrorKind::data, "the file declares " + count + " columns of labels, and a row has one label to learn")
        .at(shown_name(options.path), relation_line)
        .showing(relation)
        .fix(fix);
  }
  if (!options.on_note) return;
  const std::string found = sure ? "the file declares " + count + " columns of labels"
                                 : "the last " + count + " columns have the same two values, as columns of labels have";
  if (sure && options.columns.label.empty())
    return options.on_note({found + ", and a row has one label to learn", fix});
  options.on_note({found + ": the label is " + quote(label) + ", and the others are features",
                   sure ? option("drop", others) + " leaves them out" : "where they are labels, " + fix});
}

// Parses the weight after its brace, and the end of the line.
Flaw read_weight(ArffTokens& tokens, const ColumnPlan& plan, double& weight) {
  const ArffToken token = tokens.next();
  if (tokens.problem()) return std::nullopt;
  if (!token.is_value() || !parse_weight(token.text, weight)) {
    return ArffProblem{token.at, (token.is_value() ? quote(token.text) + " is" : "this is") + " not a weight",
                       std::string(what_a_weight_is) + ", in braces"};
  }
  if (plan.weight != no_field) {
    return ArffProblem{token.at, "a weight in braces, and the weight is in column " + quote(plan.names[plan.weight]),
                       "leave out " + option("weight") + ", or take out the braces"};
  }
  const ArffToken close = tokens.next();
  const ArffToken end = close.kind == ArffToken::Kind::close ? tokens.next() : close;
  if (tokens.problem() || (close.kind == ArffToken::Kind::close && end.kind == ArffToken::Kind::end))
    return std::nullopt;
  return ArffProblem{end.at, "a } and the end of the line are expected here", "the weight of a row is written {2.5}"};
}

// Parses value, value ... [, {weight}], where blanks delimit values as commas do. A complete row may end with a comma.
Flaw read_dense(ArffTokens& tokens, ArffToken token, const ColumnPlan& plan, std::vector<ArffValue>& values,
                double& weight) {
  const std::size_t width = plan.names.size();
  const auto counted = [&](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " value" : " values") + " where " + std::to_string(width) +
           " are declared";
  };
  for (;;) {
    if (!token.is_value()) {
      return ArffProblem{token.at, "a value is expected here", "a missing value is written ?"};
    }
    if (values.size() == width) {
      return ArffProblem{token.at, counted(width + 1) + ", or more",
                         "put a value that holds blanks or commas in quotes"};
    }
    values.push_back({static_cast<std::uint32_t>(values.size()), token});
    token = tokens.next();
    const bool comma = token.kind == ArffToken::Kind::comma;
    if (comma) token = tokens.next();
    if (tokens.problem()) return std::nullopt;
    if (token.kind == ArffToken::Kind::open && values.size() == width) {
      return read_weight(tokens, plan, weight);
    }
    if (token.kind == ArffToken::Kind::end && (!comma || values.size() == width)) break;
  }
  if (values.size() == width) return std::nullopt;
  return ArffProblem{token.at, counted(values.size()), "add the missing values; one that is not known is written ?"};
}

// Parses {index value, index value ...} [, {weight}], after the brace. Indices count from 0 and ascend.
Flaw read_sparse(ArffTokens& tokens, const ColumnPlan& plan, std::vector<ArffValue>& values, double& weight) {
  const std::size_t width = plan.names.size();
  ArffToken token = tokens.next();
  while (token.kind != ArffToken::Kind::close) {
    if (tokens.problem()) return std::nullopt;
    std::uint32_t field = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, field);
    if (token.kind != ArffToken::Kind::word || error != std::errc() || stop != end) {
      return ArffProblem{token.at, "the index of an attribute, a number from 0, is expected here",
                         "a sparse row is written {3 X, 7 Y}"};
    }
    if (field >= width) {
      return ArffProblem{
          token.at,
          "index " + std::to_string(field) + ", and the last attribute has index " + std::to_string(width - 1),
          "indices count from 0"};
    }
    if (!values.empty() && values.back().field >= field) {
      return ArffProblem{token.at,
                         "index " + std::to_string(field) + " after index " + std::to_string(values.back().field),
                         "write the indices of a row in ascending order, each once"};
    }
    token = tokens.next();
    if (tokens.problem()) return std::nullopt;
    if (!token.is_value())
      return ArffProblem{token.at, "a value is expected here", "a sparse row is written {3 X, 7 Y}"};
    values.push_back({field, token});
    token = tokens.next();
    if (token.kind == ArffToken::Kind::close) break;
    if (tokens.problem()) return std::nullopt;
    if (token.kind != ArffToken::Kind::comma)
      return ArffProblem{token.at, "a comma or } is expected here", "a sparse row is written {3 X, 7 Y}"};
    token = tokens.next();
    if (token.kind == ArffToken::Kind::close)
      return ArffProblem{token.at, "a } after a comma", "a sparse row is written {3 X, 7 Y}"};
  }
  token = tokens.next();
  if (token.kind == ArffToken::Kind::comma) {
    token = tokens.next();
    if (token.kind != ArffToken::Kind::open)
      return ArffProblem{token.at, "the weight of the row, in braces, is expected here", "take the comma out"};
  }
  if (token.kind == ArffToken::Kind::open) return read_weight(tokens, plan, weight);
  if (token.kind == ArffToken::Kind::end) return std::nullopt;
  return ArffProblem{token.at, "text after the row", "a row has a line of its own"};
}

std::string_view text_of_token(const ArffToken& token, ArffScratch& scratch) {
  return token.escaped ? scratch.unescaped.emplace_back(without_escapes(token.text)) : token.text;
}

// Returns the value that a sparse row leaves out: 0, or the first of the declared values.
ArffToken token_left_out(const ArffAttribute& attribute, std::string_view line) {
  return {ArffToken::Kind::word, false, line.data(),
          attribute.type == Type::nominal ? std::string_view(attribute.values.front()) : std::string_view("0")};
}

// Returns what is wrong with a category or text that is not UTF-8 or not declared. `column`: its name.
ArffProblem unsound(const std::string& column, const ArffToken& token, std::string_view text) {
  const std::string name = quote(column);
  if (!valid_utf8(text)) {
    return ArffProblem{token.at, "invalid UTF-8 in column " + name, to_utf8};
  }
  return ArffProblem{token.at, quote(text) + " is not one of the values declared for " + name,
                     "correct it, or add it to the list of its @attribute"};
}

class Arff final : public TableFormat<ArffScratch> {
 public:
  using TableFormat::TableFormat;

  std::uint64_t lines_before_rows(std::string_view text) const override;
  void begin_files(std::string_view text, bool, const Schema&) override;
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override;
  std::optional<std::size_t> header_of_file(std::string_view text, bool whole, const std::string& file) const override;
  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;

 private:
  void learn_columns(Schema& schema);
  void prepare_sparse_rows(const Schema& schema);
  Flaw parse_line(std::string_view line, ArffScratch& scratch, ParsedChunk& chunk, bool& any) const;
  Flaw add_values(std::string_view line, ArffScratch& scratch, ParsedChunk& chunk, bool sparse) const;
  bool sound(const ColumnPlan::Feature& feature, std::string_view text, ArffScratch& scratch) const;
  Flaw add_value(const ColumnPlan::Feature& feature, const ArffToken& token, ArffScratch& scratch,
                 ParsedChunk& chunk) const;
  Flaw finish_row(std::string_view line, double weight, bool sparse, ArffScratch& scratch, ParsedChunk& chunk) const;
  bool declared(std::uint32_t field, std::string_view text) const {
    return attributes_[field].type != Type::nominal || declared_[field].contains(std::string(text));
  }

  std::string relation_;  // the line of it, and its number
  std::uint64_t relation_line_ = 0;
  std::vector<ArffAttribute> attributes_;
  std::vector<ArffAttribute> of_first_;                    // attributes, of several files
  std::vector<std::unordered_set<std::string>> declared_;  // the values of nominal attributes
  std::vector<std::uint32_t> rank_of_field_;               // rank among the features of the plan; no_field: none
  std::vector<std::uint32_t> never_left_out_;  // ranks of features for which a left-out value means a value, ascending
  Labels labels_;                              // from schema inference; empty during it
  bool labels_open_ = true;                    // new labels are accepted
};

// A header may be longer than the inference sample.
std::uint64_t Arff::lines_before_rows(std::string_view text) const {
  const ArffHeader header = read_arff_header(text.substr(0, split(text)), shown_name(options_.path));
  const std::string_view looked_at = header.complete ? text.substr(0, header.bytes) : text;
  const auto lines = static_cast<std::uint64_t>(std::count(looked_at.begin(), looked_at.end(), '\n'));
  return header.complete ? lines : 4 * lines;
}

void Arff::begin_files(std::string_view text, bool, const Schema&) {
  of_first_ = whole_arff_header(text, shown_name(options_.path)).attributes;
}

std::optional<std::size_t> Arff::header_of_file(std::string_view text, bool whole, const std::string& file) const {
  if (!whole) {
    const std::string_view lines = text.substr(0, split(text));
    if (!read_arff_header(lines, file).complete) return std::nullopt;
    text = lines;
  }
  const ArffHeader header = whole_arff_header(text, file);
  refuse_other_attributes(header.attributes, file, of_first_, shown_name(options_.path));
  return header.bytes;
}

std::size_t Arff::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                               Schema& schema) {
  ArffHeader header = whole_arff_header(text, shown_name(options_.path));
  if (options_.schema == nullptr && options_.columns.label.empty())
    refuse_unknown_output(header, shown_name(options_.path));
  relation_ = std::move(header.relation);
  relation_line_ = header.relation_line;
  attributes_ = std::move(header.attributes);
  if (options_.schema == nullptr && options_.columns.label.empty()) options_.columns.label = header.output;
  declared_.resize(attributes_.size());
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    declared_[i].insert(attributes_[i].values.begin(), attributes_[i].values.end());
  }
  labels_ = {};
  labels_open_ = true;
  learn_columns(schema);
  prepare_sparse_rows(schema);
  categories_.know(schema, options_);
  ignore_columns(options_.labels, plan_);
  if (schema.labels.names.empty() && !options_.labels.ignore) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(header.bytes), '\n');
    schema.labels = learn_labels(
        options_, LabelsAre::texts, text.substr(header.bytes), whole, more,
        [&](std::string_view rows, ParsedChunk& chunk) { parse(rows, false, chunk); },
        static_cast<std::uint64_t>(lines), plan_.names[plan_.label]);
  }
  labels_ = schema.labels;
  labels_open_ = has_nameless_class(labels_);
  return header.bytes;
}

void Arff::learn_columns(Schema& schema) {
  std::vector<std::string> names;
  for (const ArffAttribute& attribute : attributes_) names.push_back(attribute.name);
  if (options_.schema != nullptr) {
    plan_ = match_columns(options_, true, std::move(names), schema);
    return;
  }
  schema.format = DataFormat::arff;
  note_several_labels(options_, relation_, relation_line_, attributes_);
  for (const std::uint32_t field : assign_new_columns(options_, names, schema)) {
    if (attributes_[field].type != Type::numeric) schema.columns[field].kind = Column::Kind::categorical;
  }
  plan_ = number_new_features(options_, std::move(names), schema);
  plan_.kept = kept_fields(options_, plan_.names);
}

void Arff::prepare_sparse_rows(const Schema& schema) {
  rank_of_field_.assign(attributes_.size(), no_field);
  never_left_out_.clear();
  for (std::uint32_t rank = 0; rank < plan_.features.size(); ++rank) {
    const ColumnPlan::Feature& feature = plan_.features[rank];
    rank_of_field_[feature.field] = rank;
    // Left-out values of numeric attributes are 0 and add nothing, unless there is a logarithm of theirs.
    const bool left_out = feature.numeric && attributes_[feature.field].type == Type::numeric;
    if (!left_out || has_logarithm(schema, feature.column)) never_left_out_.push_back(rank);
  }
}

void Arff::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  auto& scratch = chunk.scratch<ArffScratch>();
  scratch.clear();
  scratch.names.begin(categories_, chunk);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    bool any = true;
    Flaw problem;
    if (line.size() > options_.line_limit) {
      problem = ArffProblem{line.data() + options_.line_limit,
                            "the line is longer than the limit of " + std::to_string(options_.line_limit) + " bytes",
                            "split the line, or raise the limit"};
    } else {
      problem = parse_line(line, scratch, chunk, any);
    }
    if (problem) {
      chunk.rows.drop_row();
      scratch.names.drop_row();
      chunk.bad.push_back({chunk.lines, chunk.data_rows, static_cast<std::uint64_t>(problem->at - line.data()) + 1,
                           std::move(problem->reason), std::move(problem->hint),
                           std::string(line.substr(0, options_.line_limit))});
    }
    if (any) ++chunk.data_rows;
    ++chunk.lines;
    if (problem && stop_at_bad) break;
  }
  scratch.names.finish(chunk);
}

Flaw Arff::parse_line(std::string_view line, ArffScratch& scratch, ParsedChunk& chunk, bool& any) const {
  ArffTokens tokens(line);
  const ArffToken first = tokens.next();
  if (tokens.problem()) return tokens.problem();
  any = first.kind != ArffToken::Kind::end;
  if (!any) return std::nullopt;
  scratch.values.clear();
  double weight = 1;
  const bool sparse = first.kind == ArffToken::Kind::open;
  Flaw problem = sparse ? read_sparse(tokens, plan_, scratch.values, weight)
                        : read_dense(tokens, first, plan_, scratch.values, weight);
  if (tokens.problem()) return tokens.problem();
  if (problem) return problem;
  return finish_row(line, weight, sparse, scratch, chunk);
}

// Returns the kept texts of a bad row: those before its flaw, as far as known, are reliable.
void Arff::keep(std::span<const std::string_view> records, KeptTexts& kept) const {
  if (plan_.kept.empty()) return;
  ArffScratch scratch;
  for (const std::string_view text : records) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    scratch.values.clear();
    ArffTokens tokens(line.substr(0, options_.line_limit));
    const ArffToken first = tokens.next();
    const bool sparse = first.kind == ArffToken::Kind::open;
    double weight = 1;
    bool sound = !tokens.problem();
    if (sound)
      sound = !(sparse ? read_sparse(tokens, plan_, scratch.values, weight)
                       : read_dense(tokens, first, plan_, scratch.values, weight));
    const bool whole = sound && !tokens.problem();
    for (const std::uint32_t field : plan_.kept) {
      const auto found = std::find_if(scratch.values.begin(), scratch.values.end(),
                                      [&](const ArffValue& value) { return value.field == field; });
      const bool left_out_by_it = sparse && whole && attributes_[field].type != Type::text;
      if (found == scratch.values.end()) {
        kept.texts.push_back(left_out_by_it ? token_left_out(attributes_[field], line).text : std::string_view());
      } else if (found->token.escaped) {
        kept.texts.emplace_back(kept.own.emplace_back(without_escapes(found->token.text)));
      } else {
        kept.texts.push_back(found->token.text);
      }
    }
  }
}

// Adds the features in the order of the schema's columns, so that equal rows give equal bits for any column order.
Flaw Arff::add_values(std::string_view line, ArffScratch& scratch, ParsedChunk& chunk, bool sparse) const {
  std::vector<ArffValue>& values = scratch.values;
  if (!sparse) {
    for (const ColumnPlan::Feature& feature : plan_.features) {
      if (Flaw problem = add_value(feature, values[feature.field].token, scratch, chunk)) return problem;
    }
    return std::nullopt;
  }
  const auto rank = [&](const ArffValue& value) { return rank_of_field_[value.field]; };
  std::sort(values.begin(), values.end(), [&](const ArffValue& a, const ArffValue& b) { return rank(a) < rank(b); });
  auto missing = never_left_out_.begin();
  const auto add_left_out = [&](std::uint32_t before) -> Flaw {
    for (; missing != never_left_out_.end() && *missing < before; ++missing) {
      const ColumnPlan::Feature& feature = plan_.features[*missing];
      if (attributes_[feature.field].type == Type::text) {
        return ArffProblem{
            line.data(),
            "the sparse row leaves out " + quote(plan_.names[feature.field]) + ", whose values have no first",
            "write its value, or leave the column out with " + option("drop")};
      }
      if (Flaw problem = add_value(feature, token_left_out(attributes_[feature.field], line), scratch, chunk))
        return problem;
    }
    return std::nullopt;
  };
  for (const ArffValue& value : values) {
    if (rank(value) == no_field) break;
    if (Flaw problem = add_left_out(rank(value))) return problem;
    if (missing != never_left_out_.end() && *missing == rank(value)) ++missing;
    if (Flaw problem = add_value(plan_.features[rank(value)], value.token, scratch, chunk)) return problem;
  }
  return add_left_out(no_field);
}

Flaw Arff::add_value(const ColumnPlan::Feature& feature, const ArffToken& token, ArffScratch& scratch,
                     ParsedChunk& chunk) const {
  const auto in_column = [&] { return " in column " + quote(plan_.names[feature.field]); };
  if (token.is_missing()) {
    chunk.rows.add(scratch.names.missing(feature.column), 1.0);
    return std::nullopt;
  }
  const std::string_view text = text_of_token(token, scratch);
  if (feature.numeric) {
    double value = 0;
    const NumberProblem problem = parse_number(text, value);
    chunk.rows.add(feature.feature, value);
    if (problem == NumberProblem::none) return std::nullopt;
    const char* const what = problem == NumberProblem::not_finite ? " is not finite"
                             : problem == NumberProblem::overflow ? " is too large for a double"
                                                                  : " is not a number";
    return ArffProblem{token.at, quote(text) + in_column() + what,
                       "write a number such as 1.5, or ? if the value is not known"};
  }
  if (feature.ngrams > 0) {
    if (!valid_utf8(text) || !declared(feature.field, text)) return unsound(plan_.names[feature.field], token, text);
    scratch.text_cells.add(feature, text, scratch.names, chunk.rows);
    return std::nullopt;
  }
  if (!sound(feature, text, scratch)) return unsound(plan_.names[feature.field], token, text);
  scratch.names.add(feature.column, text, 1.0, chunk.rows);
  return std::nullopt;
}

// Returns whether a category is UTF-8 and declared.
bool Arff::sound(const ColumnPlan::Feature& feature, std::string_view text, ArffScratch& scratch) const {
  if (attributes_[feature.field].type != Type::nominal) return valid_utf8(text);
  const CellDictionary::Found found = scratch.nominal.find_or_insert(feature.column, text);
  if (found.inserted)
    scratch.sound.push_back(scratch.nominal[found.number].valid && declared(feature.field, text) ? 1 : 0);
  return scratch.sound[found.number] != 0;
}

Flaw Arff::finish_row(std::string_view line, double weight, bool sparse, ArffScratch& scratch,
                      ParsedChunk& chunk) const {
  const auto token_of = [&](std::uint32_t field) {
    if (!sparse) return scratch.values[field].token;
    for (const ArffValue& value : scratch.values) {
      if (value.field == field) return value.token;
    }
    return token_left_out(attributes_[field], line);
  };
  if (Flaw problem = add_values(line, scratch, chunk, sparse)) return problem;
  if (plan_.weight != no_field) {
    const ArffToken token = token_of(plan_.weight);
    if (!parse_weight(token.text, weight)) {
      return ArffProblem{token.at,
                         quote(token.text) + " in column " + quote(plan_.names[plan_.weight]) + " is not a weight",
                         what_a_weight_is};
    }
  }
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    const ArffToken token = token_of(plan_.label);
    const std::string& name = plan_.names[plan_.label];
    if (token.is_missing()) {
      return ArffProblem{token.at, "the label in column " + quote(name) + " is missing",
                         "give the row its label, or name another column with " + option("label")};
    }
    // Checks the label last: only good rows may add labels.
    const std::string_view text = text_of_token(token, scratch);
    if (!valid_utf8(text) || !declared(plan_.label, text)) return unsound(name, token, text);
    label = attributes_[plan_.label].type == Type::numeric
                ? scratch.labels.find_number(written_once(text, scratch.unescaped), labels_, labels_open_, chunk)
                : scratch.labels.find(text, labels_, labels_open_, chunk);
    if (label == ChunkLabels::none) {
      LabelProblem problem = describe_unknown(text, labels_, options_);
      return ArffProblem{token.at, std::move(problem.reason), std::move(problem.hint)};
    }
    if (label <= first_new_label) {
      const auto column = static_cast<std::uint64_t>(token.at - line.data()) + 1;
      scratch.new_label_rows.push_back({chunk.rows.rows(), column, line});
    }
  }
  chunk.line_of_row.push_back(chunk.lines);
  end_row(label, weight, scratch, chunk);
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Format> make_arff(const ReadOptions& options) { return std::make_unique<Arff>(options); }

}  // namespace halfspace::stream
