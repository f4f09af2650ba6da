// Scales columns by powers of two, without loss.
#include "train/run/split.h"

#include <algorithm>
#include <type_traits>

#include "stream/columns/logarithms.h"

namespace halfspace::training {

std::vector<std::int16_t> column_exponents(const Rows& rows) {
  std::vector<double> largest(rows.features(), 0.0);
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b).plain(room);
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          largest[x.index[k]] = std::max(largest[x.index[k]], std::abs(x.value_at(k)));
        }
      });
    }
  }
  std::vector<std::int16_t> exponents(largest.size(), 0);
  for (std::size_t j = 0; j < largest.size(); ++j) {
    if (largest[j] == 0) continue;
    int exponent = 0;
    const double fraction = std::frexp(largest[j], &exponent);  // largest = fraction * 2^exponent
    exponents[j] = static_cast<std::int16_t>(fraction == 0.5 ? 1 - exponent : -exponent);
  }
  return exponents;
}

namespace {

// Returns the rows of the blocks that rewrite(block, buffer) writes, sealed.
template <class Rewrite>
Rows rewritten(const Rows& rows, const RowsOptions& memory, const Rewrite& rewrite) {
  Rows result(memory);
  BlockBuffer buffer;
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    buffer.clear();
    rewrite(rows.block(b).plain(room), buffer);
    result.append(buffer.finish());
    rows.release(b);
  }
  result.seal();
  return result;
}

}  // namespace

Rows scaled(const Rows& rows, const std::vector<std::int16_t>& exponents, const RowsOptions& memory) {
  return rewritten(rows, memory, [&](const Block& block, BlockBuffer& buffer) {
    for (std::size_t i = 0; i < block.rows; ++i) buffer.append(block, i);
    for (std::size_t k = 0; k < buffer.values().size(); ++k) {
      const std::uint32_t j = buffer.indices()[k];
      if (j < exponents.size()) buffer.values()[k] = std::ldexp(buffer.values()[k], exponents[j]);
    }
  });
}

Rows with_logarithms(const Rows& rows, const Schema& schema, const RowsOptions& memory) {
  const stream::Logarithms logarithms(schema, true);
  return rewritten(rows, memory, [&](const Block& block, BlockBuffer& buffer) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) buffer.add(x.index[k], x.value_at(k));
        logarithms.add_to_row(buffer);
        buffer.end_row(x.label, x.row, x.weight);
      });
    }
  });
}

}  // namespace halfspace::training
