// Records of NumPy's arrays to rows.
#include "stream/npy/npy.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/columns/category_numbers.h"
#include "stream/columns/cell_names.h"
#include "stream/columns/column_plan.h"
#include "stream/npy/label_values.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

struct NpyScratch {
  CellNames names;
  NpyLabelScratch labels;
  std::string text;

  void clear() { labels.clear(); }
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
    const auto& scratch = chunk.scratch<NpyScratch>();
    categories_.commit(chunk, scratch.names, refuse_new_labels(chunk, scratch.labels.new_rows, options_, schema),
                       options_, schema);
  }
  bool final_after_parse(const ParsedChunk& chunk) const override {
    return chunk.scratch<NpyScratch>().names.resolved() && chunk.new_labels.empty();
  }

 private:
  const NpyType& type_of(std::uint32_t field) const { return field < shape_.columns ? shape_.values : *shape_.labels; }
  std::string_view cell(std::string_view record, std::uint32_t field) const {
    return record.substr(std::size_t{field} * shape_.values.size, type_of(field).size);
  }
  std::string in_column(std::uint32_t field) const { return " in column " + quote(plan_.names[field]); }

  void learn_columns(Schema& schema);
  void note_label() const;
  std::optional<NpyProblem> parse_row(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk,
                                      std::int32_t& label, double& weight) const;
  std::optional<NpyProblem> add_value(const ColumnPlan::Feature& feature, const char* at, NpyScratch& scratch,
                                      ParsedChunk& chunk) const;

  ReadOptions options_;
  NpyShape shape_;
  ColumnPlan plan_;
  NpyLabels labels_{options_};  // as schema inference left them; none while it looks for them
  CategoryNumbers categories_;  // of commit
};

std::size_t Npy::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                              Schema& schema) {
  labels_.forget();
  learn_columns(schema);
  categories_.know(schema, options_);
  ignore_columns(options_.labels, plan_);
  if (schema.labels.names.empty() && !options_.labels.ignore)
    schema.labels = learn_array_labels(*this, options_, text, whole, more);
  labels_.know(schema.labels);
  return 0;
}

// Columns are named by position, so that a model finds them by position.
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
  note_label();
  plan_ = number_new_features(options_, std::move(names), schema);
}

// A table may have been meant to be rows alone, or labels of a column a class.
void Npy::note_label() const {
  if (!options_.on_note || shape_.labels || !options_.columns.label.empty() || options_.labels.ignore) return;
  options_.on_note({"the last of " + std::to_string(shape_.columns) + " columns is taken for the label",
                    option("label") + " names another; labels in an array of their own are y.npy beside X.npy, or y "
                                      "beside X in an .npz"});
}

void Npy::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  auto& scratch = chunk.scratch<NpyScratch>();
  scratch.clear();
  scratch.names.begin(categories_, chunk);
  const std::size_t size = shape_.record_bytes();
  for (; text.size() >= size; text.remove_prefix(size)) {
    std::int32_t label = -1;
    double weight = 1;
    std::optional<NpyProblem> problem = parse_row(text.substr(0, size), scratch, chunk, label, weight);
    const bool bad = problem.has_value();
    end_array_row(std::move(problem), label, weight, chunk);
    if (bad) {
      scratch.names.drop_row();
      if (stop_at_bad) break;
    } else {
      scratch.names.end_row(chunk.rows);
    }
  }
  scratch.names.finish(chunk);
}

std::optional<NpyProblem> Npy::parse_row(std::string_view record, NpyScratch& scratch, ParsedChunk& chunk,
                                         std::int32_t& label, double& weight) const {
  const std::uint32_t size = shape_.values.size;
  for (const ColumnPlan::Feature& feature : plan_.features) {
    const char* const at = record.data() + std::size_t{feature.field} * size;
    const double value = shape_.values.number(at);
    if (feature.numeric && std::isfinite(value)) {
      chunk.rows.add(feature.feature, value);
    } else if (auto problem = add_value(feature, at, scratch, chunk)) {
      return problem;
    }
  }
  if (plan_.weight != no_field) {
    weight = shape_.values.number(cell(record, plan_.weight).data());
    if (!is_weight(weight)) {
      shape_.values.write(cell(record, plan_.weight).data(), scratch.text);
      return NpyProblem{scratch.text + in_column(plan_.weight) + " is not a weight", what_a_weight_is};
    }
  }
  if (plan_.label == no_field) return std::nullopt;
  // The last check of all: only good rows may bring new labels.
  return labels_.read(type_of(plan_.label), cell(record, plan_.label), plan_.names[plan_.label], scratch.labels, chunk,
                      label);
}

// A value that is missing, infinite, or a category.
std::optional<NpyProblem> Npy::add_value(const ColumnPlan::Feature& feature, const char* at, NpyScratch& scratch,
                                         ParsedChunk& chunk) const {
  const double value = shape_.values.number(at);
  if (std::isnan(value)) {
    chunk.rows.add(scratch.names.missing(feature.column), 1.0);
    return std::nullopt;
  }
  shape_.values.write(at, scratch.text);
  if (std::isinf(value)) {
    return NpyProblem{scratch.text + in_column(feature.field) + " is not finite",
                      "a value that is not known is numpy.nan"};
  }
  scratch.names.add_copy(feature.column, scratch.text, 1.0, chunk.rows);
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape) {
  return std::make_unique<Npy>(options, shape);
}

}  // namespace halfspace::stream
