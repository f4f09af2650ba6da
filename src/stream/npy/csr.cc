// Records of a CSR matrix to rows.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/npy/label_values.h"
#include "stream/npy/npy.h"
#include "stream/source/pieces.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t no_column = 0xffffffff;
constexpr bool little = std::endian::native == std::endian::little;

struct CsrScratch {
  NpyLabelScratch labels;
  std::vector<std::pair<std::uint32_t, double>> sorted;
};

class Csr final : public Format {
 public:
  Csr(const ReadOptions& options, const CsrShape& shape) : options_(options), shape_(shape) {}

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override;
  std::size_t split(std::string_view text) const override;
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override;
  void commit(ParsedChunk& chunk, Schema& schema) override {
    if (final_after_parse(chunk)) return;
    refuse_new_labels(chunk, chunk.scratch<CsrScratch>().labels.new_rows, options_, schema);
  }
  bool final_after_parse(const ParsedChunk& chunk) const override { return chunk.new_labels.empty(); }

 private:
  static std::size_t count_of(const char* record) {
    std::uint32_t count = 0;
    std::memcpy(&count, record, sizeof(count));
    return count;
  }
  std::size_t bytes_of(const char* record) const {
    return shape_.head_bytes() + count_of(record) * shape_.value_bytes();
  }

  std::optional<NpyProblem> read_values(const char* record, CsrScratch& scratch, ParsedChunk& chunk) const;
  void read_columns(const char* from, std::size_t count, std::uint32_t* to) const;
  void read_numbers(const char* from, std::size_t count, double* to) const;
  std::optional<NpyProblem> find_problem(const char* columns, const BlockBuffer::Room& row, std::size_t count) const;

  ReadOptions options_;
  CsrShape shape_;
  NpyLabels labels_{options_};  // as schema inference left them; none while it looks for them
  std::uint64_t feature_limit_ = ~std::uint64_t{0};
};

std::size_t Csr::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                              Schema& schema) {
  labels_.forget();
  if (options_.schema != nullptr && shape_.columns < schema.features) {
    throw Error(ErrorKind::data, "the matrix has " + std::to_string(shape_.columns) +
                                     " columns, and the model was learned from at least " +
                                     std::to_string(schema.features))
        .at(shown_name(options_.path))
        .fix("make it as the matrix was made that the model was learned from: with the same vectorizer");
  }
  schema.format = DataFormat::csr;
  if (schema.labels.names.empty() && !options_.labels.ignore)
    schema.labels = learn_array_labels(*this, options_, text, whole, more);
  labels_.know(schema.labels);
  if (options_.schema != nullptr && !options_.grow) feature_limit_ = schema.features;
  return 0;
}

std::size_t Csr::split(std::string_view text) const {
  std::size_t length = 0;
  while (text.size() - length >= shape_.head_bytes()) {
    const std::size_t size = bytes_of(text.data() + length);
    if (text.size() - length < size) break;
    length += size;
  }
  return length;
}

void Csr::parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const {
  auto& scratch = chunk.scratch<CsrScratch>();
  scratch.labels.clear();
  chunk.rows.expect(text.size() / shape_.value_bytes());
  while (text.size() >= shape_.head_bytes() && text.size() >= bytes_of(text.data())) {
    std::int32_t label = -1;
    std::optional<NpyProblem> problem = read_values(text.data(), scratch, chunk);
    // The last check of all: only good rows may bring new labels.
    if (!problem && shape_.labels && !options_.labels.ignore) {
      problem = labels_.read(*shape_.labels, text.substr(sizeof(std::uint32_t), shape_.labels->size), "y",
                             scratch.labels, chunk, label);
    }
    const bool bad = problem.has_value();
    end_array_row(std::move(problem), label, 1, chunk);
    text.remove_prefix(bytes_of(text.data()));
    if (bad && stop_at_bad) break;
  }
}

std::optional<NpyProblem> Csr::read_values(const char* record, CsrScratch& scratch, ParsedChunk& chunk) const {
  const std::size_t count = count_of(record);
  const char* const columns = record + shape_.head_bytes();
  const BlockBuffer::Room row = chunk.rows.extend(count);
  read_columns(columns, count, row.index);
  read_numbers(columns + count * shape_.columns_type.size, count, row.value);
  bool ascending = true, finite = true, known = true;
  for (std::size_t k = 0; k < count; ++k) {
    known &= row.index[k] < shape_.columns;
    finite &= std::isfinite(row.value[k]);
    ascending &= k == 0 || row.index[k - 1] < row.index[k];
  }
  if (known && !ascending) {
    scratch.sorted.clear();
    for (std::size_t k = 0; k < count; ++k) scratch.sorted.emplace_back(row.index[k], row.value[k]);
    std::sort(scratch.sorted.begin(), scratch.sorted.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    ascending = true;
    for (std::size_t k = 0; k < count; ++k) {
      row.index[k] = scratch.sorted[k].first;
      row.value[k] = scratch.sorted[k].second;
      ascending &= k == 0 || row.index[k - 1] < row.index[k];
    }
  }
  if (!known || !finite || !ascending) return find_problem(columns, row, count);
  std::size_t kept = count;
  while (kept != 0 && row.index[kept - 1] >= feature_limit_) --kept;
  chunk.rows.shorten(count - kept);
  chunk.unknown_features += count - kept;
  return std::nullopt;
}

void Csr::read_columns(const char* from, std::size_t count, std::uint32_t* to) const {
  const NpyType& type = shape_.columns_type;
  if (type.size == sizeof(*to) && type.big_endian != little) {
    if (count != 0) std::memcpy(to, from, count * sizeof(*to));
    return;
  }
  for (std::size_t k = 0; k < count; ++k, from += type.size) {
    const std::int64_t column = type.integer(from);
    to[k] = column < 0 || column >= no_column ? no_column : static_cast<std::uint32_t>(column);
  }
}

void Csr::read_numbers(const char* from, std::size_t count, double* to) const {
  const NpyType& type = shape_.values;
  if (type.kind == NpyType::Kind::real && type.size == sizeof(*to) && type.big_endian != little) {
    if (count != 0) std::memcpy(to, from, count * sizeof(*to));
    return;
  }
  for (std::size_t k = 0; k < count; ++k, from += type.size) to[k] = type.number(from);
}

std::optional<NpyProblem> Csr::find_problem(const char* columns, const BlockBuffer::Room& row,
                                            std::size_t count) const {
  for (std::size_t k = 0; k < count; ++k) {
    if (row.index[k] < shape_.columns) continue;
    return NpyProblem{"column " + std::to_string(shape_.columns_type.integer(columns + k * shape_.columns_type.size)) +
                          " in a matrix of " + std::to_string(shape_.columns) + " columns, which are counted from 0",
                      "write the matrix again with scipy.sparse.save_npz"};
  }
  for (std::size_t k = 1; k < count; ++k) {
    if (row.index[k - 1] != row.index[k]) continue;
    return NpyProblem{"column " + quote(std::to_string(row.index[k] + std::uint64_t{1})) + " is twice in the row",
                      "add them up before it is saved: matrix.sum_duplicates()"};
  }
  std::size_t k = 0;
  while (std::isfinite(row.value[k])) ++k;
  return NpyProblem{(std::isnan(row.value[k]) ? "nan"
                     : row.value[k] < 0       ? "-inf"
                                              : "inf") +
                        std::string(" in column ") + quote(std::to_string(row.index[k] + std::uint64_t{1})) +
                        " is not a finite number",
                    "leave the value out, or give it one"};
}

constexpr std::uint64_t most_csr_values = 1 << 20;  // of a row

Error unsound(const std::string& name, std::string reason) {
  return Error(ErrorKind::data, std::move(reason))
      .at(name)
      .fix("write the matrix again: scipy.sparse.save_npz(NAME, scipy.sparse.csr_array(matrix))");
}

class CsrRecords final : public JoinedRecords {
 public:
  explicit CsrRecords(CsrArrays arrays) : arrays_(std::move(arrays)) {
    join({arrays_.data.source.get(), arrays_.indptr.source.get(), arrays_.indices.source.get(),
          arrays_.labels ? arrays_.labels->source.get() : nullptr});
  }

  const CsrShape& shape() const { return shape_; }

 private:
  static NpyHeader read_list(NpyFile& file, bool whole_numbers) {
    NpyHeader header = read_npy_array(*file.source, file.name);
    if (header.shape.size() != 1) throw unsound(file.name, "the array of a CSR matrix has one dimension");
    if (whole_numbers && !header.type.is_integer())
      throw unsound(file.name, "offsets and columns must be whole numbers");
    if (!header.type.is_number()) throw unsound(file.name, "the values are texts, not numbers");
    return header;
  }

  std::uint64_t read_headers() override {
    const NpyHeader indptr = read_list(arrays_.indptr, true), indices = read_list(arrays_.indices, true),
                    data = read_list(arrays_.data, false);
    shape_ = {indices.type, data.type, std::nullopt, arrays_.rows, arrays_.columns};
    places_ = indptr.type;
    values_ = data.rows;
    if (indptr.rows - 1 != shape_.rows) {
      throw unsound(arrays_.indptr.name,
                    std::to_string(indptr.rows) + " offsets for a matrix of " + std::to_string(shape_.rows) + " rows");
    }
    if (indices.rows != values_) {
      throw unsound(arrays_.indices.name,
                    std::to_string(indices.rows) + " columns for " + std::to_string(values_) + " values");
    }
    if (arrays_.labels) {
      shape_.labels =
          read_label_type(*arrays_.labels, shape_.rows, "a matrix of " + std::to_string(shape_.rows) + " rows");
    }
    place_ = read_place();
    if (place_ != 0)
      throw unsound(arrays_.indptr.name, "the rows begin at value " + std::to_string(place_) + ", not 0");
    return shape_.rows;
  }

  std::int64_t read_place() {
    char bytes[8];
    read_exactly(*arrays_.indptr.source, arrays_.indptr.name, bytes, places_.size);
    return places_.integer(bytes);
  }

  void read_record(std::string& record) override {
    const std::int64_t next = read_place();
    if (next < place_ || static_cast<std::uint64_t>(next) > values_) {
      throw unsound(arrays_.indptr.name, "row " + std::to_string(next_ + 1) + " ends at value " + std::to_string(next) +
                                             ", and must end between " + std::to_string(place_) + " and " +
                                             std::to_string(values_));
    }
    const auto count = static_cast<std::size_t>(next - place_);
    if (count > most_csr_values) {
      throw unsound(arrays_.indptr.name,
                    "more than " + std::to_string(most_csr_values) + " values in row " + std::to_string(next_ + 1));
    }
    place_ = next;
    record.resize(shape_.head_bytes() + count * shape_.value_bytes());
    const auto stored = static_cast<std::uint32_t>(count);
    std::memcpy(record.data(), &stored, sizeof(stored));
    char* to = record.data() + sizeof(stored);
    if (arrays_.labels) {
      read_exactly(*arrays_.labels->source, arrays_.labels->name, to, shape_.labels->size);
      to += shape_.labels->size;
    }
    const auto take = [&](NpyFile& file, std::size_t size) {
      for (std::size_t got = 0; size != 0; size -= got, to += got) {
        got = file.source->read(to, size);
        if (got == 0) throw unsound(file.name, "the array ends before its rows do");
      }
    };
    take(arrays_.indices, count * shape_.columns_type.size);
    take(arrays_.data, count * shape_.values.size);
  }

  void expect_ends() override {
    if (static_cast<std::uint64_t>(place_) != values_) {
      throw unsound(arrays_.indptr.name,
                    "the last row ends at value " + std::to_string(place_) + " of " + std::to_string(values_));
    }
    for (NpyFile* const file : {&arrays_.indptr, &arrays_.indices, &arrays_.data}) file->expect_end();
    if (arrays_.labels) arrays_.labels->expect_end();
  }

  CsrArrays arrays_;
  CsrShape shape_;
  NpyType places_;
  std::uint64_t values_ = 0;  // of the matrix
  std::int64_t place_ = 0;    // of the next row's first
};

}  // namespace

std::unique_ptr<Format> make_csr(const ReadOptions& options, const CsrShape& shape) {
  return std::make_unique<Csr>(options, shape);
}

std::size_t CsrShape::record_bytes() const noexcept { return head_bytes() + most_csr_values * value_bytes(); }

CsrData join_csr(CsrArrays arrays) {
  auto records = std::make_unique<CsrRecords>(std::move(arrays));
  const CsrShape shape = records->shape();
  return {std::move(records), shape};
}

}  // namespace halfspace::stream
