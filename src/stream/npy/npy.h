// NumPy arrays: X with its labels y in a companion file, or one array with the label as a column.
//
// Rows of X, each followed by its label if y is a file of its own, become one stream of records, which the pipeline
// splits and parses like text. Columns are named by their positions from 1, y is named `y`. docs/formats/npy.md has the
// rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "stream/formats/parser.h"
#include "stream/npy/header.h"
#include "stream/source/source.h"

namespace halfspace::stream {

struct NpyShape {
  NpyType values;
  std::uint64_t columns = 0;
  std::optional<NpyType> labels;  // of y; none: there is no y

  std::size_t record_bytes() const noexcept { return columns * values.size + (labels ? labels->size : 0); }
};

// An array in its own file or in an archive. `name` is its name in errors.
struct NpyFile {
  std::string name;
  std::unique_ptr<Source> source;

  // Throws Error(data) if the file continues.
  void expect_end();
};

struct NpyData {
  std::unique_ptr<Source> records;
  NpyShape shape;
};

// Takes over the source of X and opens y next to it. Throws Error: data, no_input, input_output.
NpyData open_npy(const ReadOptions& options, std::unique_ptr<Source> values);
// Reads the header of an array of labels, of which there must be one a row. `of` names the rows. Throws Error(data).
NpyType read_label_type(NpyFile& labels, std::uint64_t rows, const std::string& of);
// Joins X and y, or takes a table alone. Throws Error: data.
NpyData join_arrays(NpyFile values, std::optional<NpyFile> labels);
// Returns possible names of the label file, of which the first existing one counts; none unless the array is named X.
std::vector<std::string> labels_beside_array(const std::string& path);
// Opens the label file that belongs to options.path by name, y.npy for X.npy or X.npz; returns nothing if the name
// implies none. Throws Error(no_input) if it does not exist, and labels are required.
std::optional<NpyFile> open_labels_beside(const ReadOptions& options);
std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape);

// SciPy's sparse matrices: indptr, indices and data of the CSR form as one stream of records, a row each.
//
// A record is the number of values (4 bytes), the label's bytes if there is one, the columns and the values, as in the
// arrays. Features are columns, numbered from 1 as in LIBSVM; stored zeros are kept. The order of the columns in a row
// does not matter: they are sorted. docs/formats/npy.md has the rules.
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

// NumPy archives: X and y, a table alone, or SciPy's sparse matrix in CSR form.
//
// The arrays of one file are read in parallel, so it must be a regular file, not compressed again. docs/formats/npy.md
// has the rules.

// Returns whether the first bytes are those of a zip archive whose first member is an array.
bool recognise_npz(std::string_view first_bytes);
// Returns the same for a file that can be read again.
bool recognise_npz_file(const std::string& path);

struct NpzData {  // one of them
  std::optional<NpyData> dense;
  std::optional<CsrData> sparse;
};

// Opens the arrays that ReadOptions::arrays names, or those chosen by name. Throws Error: data, usage (no such array),
// no_input, input_output.
NpzData open_npz(const ReadOptions& options);

}  // namespace halfspace::stream
