// Records of NumPy's arrays to rows.
#include "stream/npy/npy.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/csv/columns.h"
#include "stream/csv/dictionary.h"
#include "stream/csv/problems.h"
#include "stream/csv/settle.h"
#include "stream/label_inference.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t survey_records = 1024;  // parsed at a time

struct NpyScratch {
  CsvDictionary categories, label_bytes;
  struct Label {
    std::int32_t number = ChunkLabels::none;
    std::string_view text;
  };
  std::vector<Label> label_of;  // by number in `label_bytes`
  ChunkLabels labels;
  std::deque<std::string> own;
  std::string text;
  std::vector<NewLabelRow> new_label_rows;

  void clear() {
    categories.clear();
    label_bytes.clear();
    label_of.clear();
    labels.clear();
    own.clear();
    new_label_rows.clear();
  }
};

class Npy final : public Format {
 public:
  Npy(const ReadOptions& options, const NpyShape& shape) : options_(options), shape_(shape) {}

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  std::size_t split(std::string_view text) const override { return text.size() - text.size() % shape_.record_bytes(); }
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;
  void commit(ParsedChunk& chunk, Schema& schema) override {
    if (final_after_parse(chunk)) return;
    const auto& scratch = *static_cast<const NpyScratch*>(chunk.scratch.get());
    categories_.settle(chunk, refuse_new_labels(chunk, scratch.new_label_rows, schema), options_, schema);
  }
  bool final_after_parse(const ParsedChunk& chunk) const override {
    return chunk.new_categories.empty() && chunk.new_labels.empty();
  }

 private:
  struct Problem {
    std::string reason, hint;
  };

  const NpyType& type_of(std::uint32_t field) const { return field < shape_.columns ? shape_.values : *shape_.labels; }
  std::string_view cell(std::string_view record, std::uint32_t field) const {
    return record.substr(std::size_t{field} * shape_.values.size, type_of(field).size);
  }
  std::string in_column(std::uint32_t field) const { return " in column " + quote(plan_.names[field]); }

  void learn_columns(Schema& schema);
  Labels learn_labels(std::string_view text, bool whole, const std::function<std::string_view()>& more) const;
  std::optional<Problem> parse_row(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk) const;
  std::optional<Problem> add_value(const CsvPlan::Feature& feature, const char* at, NpyScratch& scratch,
                                   ParsedChunk& chunk) const;
  std::optional<Problem> read_label(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk,
                                    std::int32_t& label) const;
  NpyScratch::Label find_label(std::string_view bytes, NpyScratch& scratch, ParsedChunk& chunk) const;

  ReadOptions options_;
  NpyShape shape_;
  CsvPlan plan_;
  Labels labels_;                 // as schema inference left them; none while it looks for them
  bool labels_open_ = true;       // a label that is not among them may be new
  SettledCategories categories_;  // of commit
};

std::size_t Npy::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                              Schema& schema) {
  labels_ = {};
  labels_open_ = true;
  learn_columns(schema);
  categories_.know(schema);
  if (options_.ignore_labels) plan_.label = plan_.weight = no_field;
  if (schema.labels.names.empty() && !options_.ignore_labels) schema.labels = learn_labels(text, whole, more);
  labels_ = schema.labels;
  labels_open_ = has_nameless_class(labels_);
  return 0;
}

// Columns are called by their places, so that a model finds them by these.
void Npy::learn_columns(Schema& schema) {
  std::vector<std::string> names;
  for (std::uint64_t i = 1; i <= shape_.columns; ++i) names.push_back(std::to_string(i));
  if (shape_.labels) names.emplace_back("y");
  if (options_.schema != nullptr) {
    plan_ = match_columns(options_, false, std::move(names), schema);
    return;
  }
  schema.format = DataFormat::npy;
  schema.header = false;
  assign_new_columns(options_, names, schema);
  plan_ = number_new_features(options_, std::move(names), schema);
}

Labels Npy::learn_labels(std::string_view text, bool whole, const std::function<std::string_view()>& more) const {
  LabelInference inference(options_);
  ParsedChunk chunk;
  const auto add = [&](std::string_view records) {
    while (!records.empty()) {
      const std::string_view some = records.substr(0, survey_records * shape_.record_bytes());
      chunk.clear();
      parse(some, false, chunk);
      inference.add(chunk);
      records.remove_prefix(some.size());
    }
  };
  add(text);
  inference.refuse_if_none_is_good();
  while (!whole && more && !inference.enough()) {
    const std::string_view next = more();
    whole = next.empty();
    add(next);
  }
  return inference.labels(whole);
}

void Npy::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  if (chunk.scratch == nullptr) chunk.scratch = std::make_shared<NpyScratch>();
  auto& scratch = *static_cast<NpyScratch*>(chunk.scratch.get());
  scratch.clear();
  const std::size_t size = shape_.record_bytes();
  for (; text.size() >= size; text.remove_prefix(size)) {
    std::optional<Problem> problem = parse_row(text.substr(0, size), scratch, chunk);
    if (problem) {
      chunk.rows.drop_row();
      BadRow bad;
      bad.line = chunk.lines;
      bad.row = chunk.data_rows;
      bad.reason = std::move(problem->reason);
      bad.hint = std::move(problem->hint);
      chunk.bad.push_back(std::move(bad));
    }
    ++chunk.lines;
    ++chunk.data_rows;
    if (problem && stop_at_bad) break;
  }
  for (const CsvDictionary::Entry& entry : scratch.categories.entries()) {
    chunk.new_categories.push_back({entry.column, entry.text, entry.hash});
  }
}

std::optional<Npy::Problem> Npy::parse_row(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk) const {
  const std::uint32_t size = shape_.values.size;
  for (const CsvPlan::Feature& feature : plan_.features) {
    const char* const at = record.data() + std::size_t{feature.field} * size;
    const double value = shape_.values.number(at);
    if (feature.numeric && std::isfinite(value)) {
      chunk.rows.add(feature.feature, value);
    } else if (auto problem = add_value(feature, at, scratch, chunk)) {
      return problem;
    }
  }
  double weight = 1;
  if (plan_.weight != no_field) {
    weight = shape_.values.number(cell(record, plan_.weight).data());
    if (!(std::isfinite(weight) && weight >= 0)) {
      shape_.values.write(cell(record, plan_.weight).data(), scratch.text);
      return Problem{scratch.text + in_column(plan_.weight) + " is not a weight", "a weight is a finite number >= 0"};
    }
  }
  std::int32_t label = -1;
  if (plan_.label != no_field) {
    // The last check of all: only good rows may bring new labels.
    if (auto problem = read_label(record, scratch, chunk, label)) return problem;
  }
  chunk.line_of_row.push_back(chunk.lines);
  chunk.rows.end_row(label, chunk.data_rows, weight);
  return std::nullopt;
}

// A value that is missing, infinite, or a category.
std::optional<Npy::Problem> Npy::add_value(const CsvPlan::Feature& feature, const char* at, NpyScratch& scratch,
                                           ParsedChunk& chunk) const {
  const double value = shape_.values.number(at);
  if (std::isnan(value)) {
    chunk.rows.add(first_provisional + scratch.categories.find_or_insert(feature.column, {}).number, 1.0);
    return std::nullopt;
  }
  shape_.values.write(at, scratch.text);
  if (std::isinf(value)) {
    return Problem{scratch.text + in_column(feature.field) + " is not finite",
                   "a value that is not known is numpy.nan"};
  }
  const CsvDictionary::Found found = scratch.categories.find_or_insert(feature.column, scratch.text);
  if (found.inserted) scratch.categories.rebind(found.number, scratch.own.emplace_back(scratch.text));
  chunk.rows.add(first_provisional + found.number, 1.0);
  return std::nullopt;
}

std::optional<Npy::Problem> Npy::read_label(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk,
                                            std::int32_t& label) const {
  const NpyScratch::Label found = find_label(cell(record, plan_.label), scratch, chunk);
  label = found.number;
  if (label == ChunkLabels::none) {
    if (found.text.data() == nullptr) {
      return Problem{"the label" + in_column(plan_.label) + " is not valid UTF-8", "convert the labels to UTF-8"};
    }
    if (found.text.empty()) {
      return Problem{"the label" + in_column(plan_.label) + " is missing",
                     "give the row its label, or name another column with " + option("label")};
    }
    if (!chunk.late_label) chunk.late_label = found.text;
    CsvProblem problem = describe_unknown_label(nullptr, found.text, labels_);
    return Problem{std::move(problem.reason), std::move(problem.hint)};
  }
  if (label <= first_new_label) scratch.new_label_rows.push_back({chunk.rows.rows(), 0, {}});
  return std::nullopt;
}

// The label that these bytes are, made text once a chunk. A text without data: none, as it is not UTF-8.
NpyScratch::Label Npy::find_label(std::string_view bytes, NpyScratch& scratch, ParsedChunk& chunk) const {
  const CsvDictionary::Found found = scratch.label_bytes.find_or_insert(0, bytes);
  if (!found.inserted) return scratch.label_of[found.number];
  NpyScratch::Label label;
  const NpyType& type = type_of(plan_.label);
  if (type.write(bytes.data(), scratch.text) && valid_utf8(scratch.text)) {
    const bool missing = type.is_number() && !std::isfinite(type.number(bytes.data()));
    label.text = missing ? std::string_view("") : scratch.own.emplace_back(scratch.text);
    if (!label.text.empty()) label.number = scratch.labels.find(label.text, labels_, labels_open_, chunk);
  }
  scratch.label_of.push_back(label);
  return label;
}

}  // namespace

std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape) {
  return std::make_unique<Npy>(options, shape);
}

}  // namespace halfspace::stream
