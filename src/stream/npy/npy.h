// NumPy's arrays: X with its labels y in a file beside it, or one array of which a column is the label.
//
// Rows of X, each followed by its label where y is a file of its own, become one text of records, which the pipeline cuts
// and parses like any other. Columns are named by their places from 1, y as `y`. docs/formats/npy.md has the rules.
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

// An array in a file of its own, or in an archive. `name` is what errors call it.
struct NpyFile {
  std::string name;
  std::unique_ptr<Source> source;

  // Throws Error(data) where it goes on.
  void expect_end();
};

struct NpyData {
  std::unique_ptr<Source> records;
  NpyShape shape;
};

// Takes over the source of X, opens y beside it. Throws Error: data, no_input, input_output.
NpyData open_npy(const ReadOptions& options, std::unique_ptr<Source> values);
// Joins X and y, or takes a table alone. Throws Error: data.
NpyData join_arrays(NpyFile values, std::optional<NpyFile> labels);
// Returns the possible names of the label file, the first existing one counts; none unless the array is named X.
std::vector<std::string> labels_beside_array(const std::string& path);
// Opens the labels' file that belongs to options.path by its name, y.npy beside X.npy or X.npz; nothing where it has none by
// its name. Throws Error(no_input) where it is not there, and labels are asked for.
std::optional<NpyFile> open_labels_beside(const ReadOptions& options);
std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape);

}  // namespace halfspace::stream
