// Records of NumPy's arrays to rows.
#include "stream/npy/npy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/columns/cell_names.h"
#include "stream/columns/column_plan.h"
#include "stream/npy/label_values.h"
#include "stream/source/pieces.h"
#include "stream/source/raw_file.h"
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

class NpyRecords final : public JoinedRecords {
 public:
  NpyRecords(NpyFile values, std::optional<NpyFile> labels) : values_(std::move(values)), labels_(std::move(labels)) {
    join({values_.source.get(), labels_ ? labels_->source.get() : nullptr});
  }

  const NpyShape& shape() const { return shape_; }

 private:
  std::uint64_t read_headers() override {
    const NpyHeader values = read_npy_header(*values_.source, values_.name);
    if (values.shape.size() < 2) {
      throw Error(ErrorKind::data, "the array has one dimension, and a row an example is read")
          .at(values_.name)
          .fix("name the array of the examples; one value each is saved as array.reshape(-1, 1)");
    }
    if (!values.type.is_number()) {
      throw Error(ErrorKind::data, "the values are texts, not numbers")
          .at(values_.name)
          .fix("write numbers: numpy.save(NAME, array.astype(float))");
    }
    rows_ = values.rows;
    shape_ = {values.type, values.columns, std::nullopt};
    columns_.clear();
    column_at_ = values.fortran_order ? fortran_columns(values.shape) : std::vector<std::size_t>();
    if (labels_)
      shape_.labels = read_label_type(*labels_, rows_, "the " + std::to_string(rows_) + " rows of " + values_.name);
    return rows_;
  }

  // Returns, for each value of a row in C's order, the column it has in Fortran's order.
  static std::vector<std::size_t> fortran_columns(const std::vector<std::uint64_t>& shape) {
    std::vector<std::size_t> columns = {0};
    std::size_t stride = 1;
    for (std::size_t dimension = 1; dimension < shape.size(); ++dimension) {
      std::vector<std::size_t> longer;
      for (const std::size_t column : columns) {
        for (std::uint64_t i = 0; i < shape[dimension]; ++i) longer.push_back(column + stride * i);
      }
      stride *= shape[dimension];
      columns = std::move(longer);
    }
    return columns;
  }

  // Reads the whole array. Its size is only what the header claims: memory grows with what is there.
  void read_columns() {
    constexpr std::uint64_t piece = std::uint64_t{1} << 20, most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t row = shape_.columns * shape_.values.size, all = rows_ > most / row ? most : rows_ * row;
    columns_.reserve(static_cast<std::size_t>(std::min(all, values_.source->total())));
    while (columns_.size() < all) {
      const std::size_t have = columns_.size(), size = static_cast<std::size_t>(std::min(piece, all - have));
      columns_.resize(have + size);
      read_exactly(*values_.source, values_.name, columns_.data() + have, size);
    }
  }

  void gather_row(char* to) {
    if (columns_.empty()) read_columns();
    const std::size_t size = shape_.values.size;
    for (const std::size_t column : column_at_)
      to = std::copy_n(columns_.begin() + static_cast<std::ptrdiff_t>((column * rows_ + next_) * size), size, to);
  }

  void read_record(std::string& record) override {
    record.resize(shape_.record_bytes());
    const std::size_t values = record.size() - (labels_ ? shape_.labels->size : 0);
    if (column_at_.empty()) {
      read_exactly(*values_.source, values_.name, record.data(), values);
    } else {
      gather_row(record.data());
    }
    if (labels_) read_exactly(*labels_->source, labels_->name, record.data() + values, record.size() - values);
  }

  void expect_ends() override {
    values_.expect_end();
    if (labels_) labels_->expect_end();
  }

  NpyFile values_;
  std::optional<NpyFile> labels_;
  NpyShape shape_;
  std::uint64_t rows_ = 0;
  std::vector<char> columns_;           // the values of an array that lies column after column
  std::vector<std::size_t> column_at_;  // of such an array, where the values of a row are
};

// The name of the labels' file: y for X at the beginning of the name; empty where that is not what it begins with.
std::string path_beside(const std::string& path) {
  const std::size_t folder = path.rfind('/');
  const std::size_t name = folder == std::string::npos ? 0 : folder + 1;
  if (path.size() < name + 2 || (path[name] != 'X' && path[name] != 'x')) return {};
  if (std::string_view("._-0123456789").find(path[name + 1]) == std::string_view::npos) return {};
  std::string beside = path;
  beside[name] = 'y';
  if (beside.ends_with(".npz")) beside.back() = 'y';
  return beside;
}

// Opens y, else Y; nothing where neither is there.
std::optional<NpyFile> open_beside(const ReadOptions& options) {
  for (const std::string& path : labels_beside_array(options.path)) {
    try {
      return NpyFile{path, open_source(path, options.interrupt)};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::no_input) throw;
    }
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape) {
  return std::make_unique<Npy>(options, shape);
}

std::vector<std::string> labels_beside_array(const std::string& path) {
  const std::string beside = path_beside(path);
  if (beside.empty()) return {};
  std::string capital = beside;
  capital[path.rfind('/') + 1] = 'Y';  // 0 behind npos
  return {beside, capital};
}

void NpyFile::expect_end() {
  char extra = 0;
  if (source->read(&extra, 1) == 0) return;
  throw Error(ErrorKind::data, "the file continues after its array")
      .at(name)
      .fix("write it again with numpy.save, one array a file");
}

NpyType read_label_type(NpyFile& labels, std::uint64_t rows, const std::string& of) {
  const NpyHeader header = read_npy_header(*labels.source, labels.name);
  if (header.columns != 1) {
    throw Error(ErrorKind::data, std::to_string(header.columns) + " values a row instead of one label")
        .at(labels.name)
        .fix("for one column per class the label is y.argmax(axis=1)");
  }
  if (header.rows != rows) {
    throw Error(ErrorKind::data, std::to_string(header.rows) + " labels for " + of)
        .at(labels.name)
        .fix("take the labels that belong to the rows");
  }
  return header.type;
}

NpyData join_arrays(NpyFile values, std::optional<NpyFile> labels) {
  auto records = std::make_unique<NpyRecords>(std::move(values), std::move(labels));
  const NpyShape shape = records->shape();
  return {std::move(records), shape};
}

std::optional<NpyFile> open_labels_beside(const ReadOptions& options) {
  const std::string beside = path_beside(options.path);
  if (beside.empty() || !options.columns.label.empty()) return std::nullopt;
  std::optional<NpyFile> labels = open_beside(options);
  if (!labels && !options.labels.ignore) {
    throw Error(ErrorKind::no_input, "where are the labels of these rows? " + quote(beside) + " is not there")
        .at(shown_name(options.path))
        .fix("put them there; if a column of the array holds them, name it by its number: " + option("label", "1") +
             " is the first");
  }
  return labels;
}

NpyData open_npy(const ReadOptions& options, std::unique_ptr<Source> values) {
  std::optional<NpyFile> labels = open_labels_beside(options);
  return join_arrays({shown_name(options.path), std::move(values)}, std::move(labels));
}

}  // namespace halfspace::stream
