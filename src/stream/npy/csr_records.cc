// Walks the arrays of a CSR matrix in parallel, as one stream of records.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/npy/csr.h"
#include "stream/source/joined_records.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_csr_values = 1 << 20;  // of a row

Error unsound(const std::string& name, std::string reason) {
  return Error(ErrorKind::data, std::move(reason))
      .at(name)
      .fix("write the matrix again: scipy.sparse.save_npz(NAME, scipy.sparse.csr_array(matrix))");
}

class CsrRecords final : public JoinedRecords {
 public:
  explicit CsrRecords(CsrArrays arrays) : arrays_(std::move(arrays)) {
    begin({arrays_.data.source.get(), arrays_.indptr.source.get(), arrays_.indices.source.get(),
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

  void read_record(std::vector<char>& record) override {
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

std::size_t CsrShape::record_bytes() const noexcept {
  return head_bytes() + most_csr_values * value_bytes();
}

CsrData join_csr(CsrArrays arrays) {
  auto records = std::make_unique<CsrRecords>(std::move(arrays));
  const CsrShape shape = records->shape();
  return {std::move(records), shape};
}

}  // namespace halfspace::stream
