// SciPy's sparse matrices: indptr, indices and data of the CSR form as one stream of records, a row each.
//
// A record is the number of values (4 bytes), the label's bytes if there is one, the columns and the values, as in the
// arrays. Features are columns, numbered from 1 as in LIBSVM; stored zeros are kept. The order of the columns in a row
// does not matter: they are sorted. docs/formats/npy.md has the rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "halfspace/stream/reader.h"
#include "stream/npy/header.h"
#include "stream/npy/npy.h"
#include "stream/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

struct CsrShape {
  NpyType columns_type, values;
  std::optional<NpyType> labels;
  std::uint64_t rows = 0, columns = 0;

  std::size_t value_bytes() const noexcept { return std::size_t{columns_type.size} + values.size; }
  std::size_t head_bytes() const noexcept { return sizeof(std::uint32_t) + (labels ? labels->size : 0); }
  // Of the longest row that is read.
  std::size_t record_bytes() const noexcept;
};

struct CsrArrays {
  std::uint64_t rows = 0, columns = 0;  // of the matrix
  NpyFile indptr, indices, data;
  std::optional<NpyFile> labels;
};

struct CsrData {
  std::unique_ptr<Source> records;
  CsrShape shape;
};

// Throws Error: data, input_output.
CsrData join_csr(CsrArrays arrays);
std::unique_ptr<Format> make_csr(const ReadOptions& options, const CsrShape& shape);

}  // namespace halfspace::stream
