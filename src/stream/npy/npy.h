// NumPy's arrays: X with its labels y in a file beside it, or one array of which a column is the label.
//
// Rows of X, each followed by its label where y is a file of its own, become one text of records, which the pipeline cuts
// and parses like any other. Columns are named by their places from 1, y as `y`. docs/formats/npy.md has the rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

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

struct NpyData {
  std::unique_ptr<Source> records;
  NpyShape shape;
};

// Takes over the source of X, opens y beside it. Throws Error: data, no_input, input_output.
NpyData open_npy(const ReadOptions& options, std::unique_ptr<Source> values);
std::unique_ptr<Format> make_npy(const ReadOptions& options, const NpyShape& shape);

}  // namespace halfspace::stream
