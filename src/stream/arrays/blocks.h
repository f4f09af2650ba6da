// Shared by blocks of rows in memory: 4096 rows each, numbered from 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/rows.h"

namespace halfspace::stream {

inline std::size_t blocks_of(std::uint64_t rows) {
  return static_cast<std::size_t>((rows + Rows::block_rows - 1) / Rows::block_rows);
}

struct RowRange {
  std::uint64_t first;  // from 0
  std::size_t count;
};
inline RowRange rows_of_block(std::size_t i, std::uint64_t rows) {
  const std::uint64_t first = std::uint64_t{i} * Rows::block_rows;
  return {first, static_cast<std::size_t>(std::min<std::uint64_t>(Rows::block_rows, rows - first))};
}

inline void number_rows(Block& block, std::uint64_t first, SourceBuffer& buffer) {
  buffer.row.resize(block.rows);
  std::iota(buffer.row.begin(), buffer.row.end(), first + 1);
  block.row = buffer.row.data();
}

template <class Value>
void sum_squares(Block& block, const Value* values, SourceBuffer& buffer) {
  buffer.squared_norm.resize(block.rows);
  kernels::squared_norms(values, block.offset, block.rows, buffer.squared_norm.data());
  block.squared_norm = buffer.squared_norm.data();
}

// Returns whether LIBSVM text can hold this label.
inline bool label_of_libsvm(std::string_view label) {
  return !label.empty() && std::all_of(label.begin(), label.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && c != ':' && c != '#';
  });
}

}  // namespace halfspace::stream
