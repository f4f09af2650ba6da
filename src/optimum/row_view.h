// Rows as a solver visits them: in random order, each where it is kept, without unpacking indices.
//
// Sums run in four lanes: product k into lane k mod 4, in order; the lanes are added as (0 + 2) + (1 + 3). So results
// do not depend on how a row is stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "halfspace/kernels/example.h"
#include "kernels/packed.h"
#include "optimum/cholesky.h"

namespace halfspace::optimum {

enum class IndexType : std::uint8_t { dense, narrow, wide };
enum class NumberType : std::uint8_t { ones, floats, doubles, decimals };

// A row's indices and values, in one of the ways that Block stores them.
struct RowView {
  const void* index = nullptr;
  const void* value = nullptr;
  std::uint32_t size = 0;
  IndexType indices = IndexType::dense;
  NumberType numbers = NumberType::ones;
};

inline RowView row_view(const Block& block, std::size_t i) {
  RowView view;
  const std::uint64_t begin = block.offset[i];
  view.size = static_cast<std::uint32_t>(block.offset[i + 1] - begin);
  if (!block.dense) {
    view.indices = block.index != nullptr ? IndexType::wide : IndexType::narrow;
    view.index = block.index != nullptr ? static_cast<const void*>(block.index + begin) : block.narrow_index + begin;
  }
  if (block.value != nullptr && block.value_type == ValueType::float32) {
    view.numbers = NumberType::floats;
    view.value = static_cast<const float*>(block.value) + begin;
  } else if (block.value != nullptr) {
    view.numbers = NumberType::doubles;
    view.value = static_cast<const double*>(block.value) + begin;
  } else if (block.decimal != nullptr) {
    view.numbers = NumberType::decimals;
    view.value = block.decimal + begin;
  }
  return view;
}

// What visitors receive: index(k), value(k) and size.
template <class Index, class Value>
struct RowReader {
  static constexpr bool is_dense = std::is_void_v<Index>;  // the indices are 0 .. size - 1
  const Index* index_at;
  const Value* value_at;
  std::uint32_t size;

  std::size_t index(std::size_t k) const {
    if constexpr (std::is_void_v<Index>) {
      return k;
    } else {
      return index_at[k];
    }
  }
  double value(std::size_t k) const {
    if constexpr (std::is_void_v<Value>) {
      return 1.0;
    } else {
      return static_cast<double>(value_at[k]);
    }
  }
};

namespace detail {

template <class Index, class Use>
decltype(auto) with_numbers(const RowView& row, const Index* index, const Use& use) {
  switch (row.numbers) {
    case NumberType::floats:
      return use(RowReader<Index, float>{index, static_cast<const float*>(row.value), row.size});
    case NumberType::doubles:
    case NumberType::decimals:  // unpacked
      return use(RowReader<Index, double>{index, static_cast<const double*>(row.value), row.size});
    case NumberType::ones:
      break;
  }
  return use(RowReader<Index, void>{index, nullptr, row.size});
}

}  // namespace detail

// Calls use(reader) with the row; decimals are unpacked into `room` first.
template <class Use>
decltype(auto) with_row(RowView row, UnpackBuffer& room, const Use& use) {
  if (row.numbers == NumberType::decimals) {
    const std::size_t wanted = row.size + kernels::row_padding;
    if (room.value.size() < wanted) room.value.resize(wanted);
    kernels::unpack_row(nullptr, static_cast<const std::uint32_t*>(row.value), row.size, 0, nullptr, room.value.data());
    row.value = room.value.data();
  }
  switch (row.indices) {
    case IndexType::narrow:
      return detail::with_numbers(row, static_cast<const std::uint16_t*>(row.index), use);
    case IndexType::wide:
      return detail::with_numbers(row, static_cast<const std::uint32_t*>(row.index), use);
    case IndexType::dense:
      break;
  }
  return detail::with_numbers<void>(row, nullptr, use);
}

// Asks for a row's bytes.
inline void fetch(const RowView& row) {
  constexpr std::size_t line = 64;
  const auto lines = [&](const void* at, std::size_t bytes) {
    if (at == nullptr) return;
    for (std::size_t k = 0; k < bytes; k += line) __builtin_prefetch(static_cast<const char*>(at) + k);
  };
  lines(row.index, row.size * (row.indices == IndexType::narrow ? 2U : 4U));
  lines(row.value, row.size * (row.numbers == NumberType::doubles ? 8U : 4U));
}

template <class Reader>
double dot(const double* w, const Reader& x) {
  double lane[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= x.size; k += 4) {
    lane[0] += w[x.index(k)] * x.value(k);
    lane[1] += w[x.index(k + 1)] * x.value(k + 1);
    lane[2] += w[x.index(k + 2)] * x.value(k + 2);
    lane[3] += w[x.index(k + 3)] * x.value(k + 3);
  }
  for (std::size_t r = 0; k < x.size; ++k, ++r) lane[r] += w[x.index(k)] * x.value(k);
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

template <class Reader>
void add(double* w, double amount, const Reader& x) {
  for (std::size_t k = 0; k < x.size; ++k) w[x.index(k)] += amount * x.value(k);
}

// Adds h x x^T to the lower triangle of a matrix over the features and, after them, a bias of this value.
template <class Reader>
void add_square(double* triangle, std::size_t features, double bias, double h, const Reader& x) {
  double* const bias_row = triangle + triangle_row(features);
  for (std::size_t i = 0; i < x.size; ++i) {
    const double amount = h * x.value(i);
    if constexpr (Reader::is_dense) {
      double* const row = triangle + triangle_row(i);
      for (std::size_t j = 0; j <= i; ++j) row[j] += amount * x.value(j);
    } else {
      for (std::size_t j = 0; j <= i; ++j) {
        // A row's indices need not ascend.
        const auto [low, high] = std::minmax({x.index(i), x.index(j)});
        triangle[triangle_row(high) + low] += amount * x.value(j);
      }
    }
    bias_row[x.index(i)] += amount * bias;
  }
  bias_row[features] += h * bias * bias;
}

}  // namespace halfspace::optimum
