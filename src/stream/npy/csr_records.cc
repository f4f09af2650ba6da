// Walks the arrays of a CSR matrix in parallel, as one stream of records.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/npy/csr.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_csr_values = 1 << 20;  // of a row

Error unsound(const std::string& name, std::string reason) {
  return Error(ErrorKind::data, std::move(reason))
      .at(name)
      .fix("write the matrix again: scipy.sparse.save_npz(NAME, scipy.sparse.csr_array(matrix))");
}

class CsrRecords final : public Source {
 public:
  explicit CsrRecords(CsrArrays arrays) : arrays_(std::move(arrays)) { read_headers(); }

  const CsrShape& shape() const { return shape_; }

  // What is there goes out before a failure does.
  std::size_t read(char* to, std::size_t capacity) override {
    if (failure_) std::rethrow_exception(failure_);
    std::size_t given = 0;
    try {
      while (given < capacity && (left_ != 0 || next_part())) {
        const std::size_t wanted = std::min(capacity - given, left_);
        std::size_t count = wanted;
        if (part_ == Part::head) {
          std::memcpy(to + given, head_.data() + head_.size() - left_, count);
        } else {
          NpyFile& file = part_ == Part::columns ? arrays_.indices : arrays_.data;
          count = file.source->read(to + given, wanted);
          if (count == 0) throw unsound(file.name, "the array ends before its rows do");
        }
        left_ -= count;
        given += count;
      }
    } catch (...) {
      if (given == 0) throw;
      failure_ = std::current_exception();
    }
    return given;
  }

  std::string_view peek() override { return {}; }  // recognised already

  void rewind() override {
    for (NpyFile* const file : {&arrays_.indptr, &arrays_.indices, &arrays_.data}) file->source->rewind();
    if (arrays_.labels) arrays_.labels->source->rewind();
    read_headers();
  }
  bool rewindable() const override { return !arrays_.labels || arrays_.labels->source->rewindable(); }
  std::uint64_t done() const override { return arrays_.data.source->done(); }
  std::uint64_t total() const override { return arrays_.data.source->total(); }
  std::string compression() const override { return arrays_.data.source->compression(); }
  bool same_file(const std::string& path) const override {
    return arrays_.data.source->same_file(path) || (arrays_.labels && arrays_.labels->source->same_file(path));
  }

 private:
  enum class Part : std::uint8_t { head, columns, values };

  static NpyHeader read_list(NpyFile& file, bool whole_numbers) {
    NpyHeader header = read_npy_array(*file.source, file.name);
    if (header.shape.size() != 1) throw unsound(file.name, "the array of a CSR matrix has one dimension");
    if (whole_numbers && !header.type.is_integer())
      throw unsound(file.name, "offsets and columns must be whole numbers");
    if (!header.type.is_number()) throw unsound(file.name, "the values are texts, not numbers");
    return header;
  }

  void read_headers() {
    next_ = 0;
    left_ = 0;
    part_ = Part::values;
    ended_ = false;
    failure_ = nullptr;
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
    if (arrays_.labels) read_label_header();
    head_.assign(shape_.head_bytes(), 0);
    place_ = read_place();
    if (place_ != 0)
      throw unsound(arrays_.indptr.name, "the rows begin at value " + std::to_string(place_) + ", not 0");
  }

  void read_label_header() {
    NpyFile& file = *arrays_.labels;
    const NpyHeader labels = read_npy_header(*file.source, file.name);
    if (labels.columns != 1) {
      throw Error(ErrorKind::data, std::to_string(labels.columns) + " values a row instead of one label")
          .at(file.name)
          .fix("for one column per class the label is y.argmax(axis=1)");
    }
    if (labels.rows != shape_.rows) {
      throw Error(ErrorKind::data,
                  std::to_string(labels.rows) + " labels for a matrix of " + std::to_string(shape_.rows) + " rows")
          .at(file.name)
          .fix("take the labels that belong to the rows");
    }
    shape_.labels = labels.type;
  }

  std::int64_t read_place() {
    char bytes[8];
    read_exactly(*arrays_.indptr.source, arrays_.indptr.name, bytes, places_.size);
    return places_.integer(bytes);
  }

  // Moves to the next nonempty part of a row. Returns false at the end.
  bool next_part() {
    while (left_ == 0) {
      if (part_ == Part::head) {
        part_ = Part::columns;
        left_ = count_ * shape_.columns_type.size;
      } else if (part_ == Part::columns) {
        part_ = Part::values;
        left_ = count_ * shape_.values.size;
      } else if (next_ == shape_.rows) {
        end();
        return false;
      } else {
        begin_row();
      }
    }
    return true;
  }

  void begin_row() {
    const std::int64_t next = read_place();
    if (next < place_ || static_cast<std::uint64_t>(next) > values_) {
      throw unsound(arrays_.indptr.name, "row " + std::to_string(next_ + 1) + " ends at value " + std::to_string(next) +
                                             ", and must end between " + std::to_string(place_) + " and " +
                                             std::to_string(values_));
    }
    count_ = static_cast<std::size_t>(next - place_);
    if (count_ > most_csr_values) {
      throw unsound(arrays_.indptr.name,
                    "more than " + std::to_string(most_csr_values) + " values in row " + std::to_string(next_ + 1));
    }
    place_ = next;
    const auto count = static_cast<std::uint32_t>(count_);
    std::memcpy(head_.data(), &count, sizeof(count));
    if (arrays_.labels) {
      read_exactly(*arrays_.labels->source, arrays_.labels->name, head_.data() + sizeof(count),
                   head_.size() - sizeof(count));
    }
    part_ = Part::head;
    left_ = head_.size();
    ++next_;
  }

  void end() {
    if (ended_) return;
    if (static_cast<std::uint64_t>(place_) != values_) {
      throw unsound(arrays_.indptr.name,
                    "the last row ends at value " + std::to_string(place_) + " of " + std::to_string(values_));
    }
    for (NpyFile* const file : {&arrays_.indptr, &arrays_.indices, &arrays_.data}) file->expect_end();
    if (arrays_.labels) arrays_.labels->expect_end();
    ended_ = true;
  }

  CsrArrays arrays_;
  CsrShape shape_;
  NpyType places_;
  std::uint64_t values_ = 0, next_ = 0;  // of the matrix; the next row
  std::int64_t place_ = 0;               // of its first value
  std::size_t count_ = 0;                // values of the row at hand
  std::vector<char> head_;
  Part part_ = Part::values;
  std::size_t left_ = 0;  // bytes of that part
  bool ended_ = false;
  std::exception_ptr failure_;  // occurred after the last returned bytes
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
