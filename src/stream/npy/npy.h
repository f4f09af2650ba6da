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
#include <vector>

#include "halfspace/stream/reader.h"
#include "stream/npy/header.h"
#include "stream/parser.h"
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

}  // namespace halfspace::stream
