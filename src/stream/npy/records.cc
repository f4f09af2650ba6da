// Joins X and y into one stream of records.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/npy/npy.h"
#include "stream/source/joined_records.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

class NpyRecords final : public JoinedRecords {
 public:
  NpyRecords(NpyFile values, std::optional<NpyFile> labels) : values_(std::move(values)), labels_(std::move(labels)) {
    begin({values_.source.get(), labels_ ? labels_->source.get() : nullptr});
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

  void read_record(std::vector<char>& record) override {
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
