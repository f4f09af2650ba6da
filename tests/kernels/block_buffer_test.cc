// BlockBuffer: what goes in comes out, in the smallest storage that holds it exactly.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/kernels/example.h"

namespace halfspace {
namespace {

using Row = std::vector<std::pair<std::uint32_t, double>>;

void add_row(BlockBuffer& buffer, const Row& row, std::int32_t label = 1, std::uint64_t number = 1, double weight = 1) {
  for (const auto& [index, value] : row) buffer.add(index, value);
  buffer.end_row(label, number, weight);
}

Row row_of(const Block& block, std::size_t i) {
  return block.with_example(i, [](const auto& x) {
    Row row;
    for (std::uint32_t k = 0; k < x.size; ++k) {
      if constexpr (std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
        row.emplace_back(x.index[k], 1.0);
      } else {
        row.emplace_back(x.index[k], static_cast<double>(x.value[k]));
      }
    }
    return row;
  });
}

ValueType type_of(const std::vector<double>& values) {
  BlockBuffer buffer;
  for (const double value : values) add_row(buffer, {{3, value}});
  return buffer.finish().value_type;
}

TEST(BlockBuffer, ChoosesTheSmallestValueTypeThatLosesNothing) {
  EXPECT_EQ(type_of({}), ValueType::ones);
  EXPECT_EQ(type_of({1, 1, 1}), ValueType::ones);
  EXPECT_EQ(type_of({1, 0}), ValueType::float32);  // a stored zero is not a one
  EXPECT_EQ(type_of({1, -1}), ValueType::float32);
  EXPECT_EQ(type_of({0.5, 0x1.fffffep127, 0x1p-149, -0.0}), ValueType::float32);
  EXPECT_EQ(type_of({16777216}), ValueType::float32);
  EXPECT_EQ(type_of({16777217}), ValueType::float64);
  EXPECT_EQ(type_of({1, 0.1}), ValueType::float64);
  EXPECT_EQ(type_of({0.1, 1}), ValueType::float64);
  EXPECT_EQ(type_of({1e300}), ValueType::float64);
  EXPECT_EQ(type_of({0x1p-150}), ValueType::float64);
  EXPECT_EQ(type_of({std::numeric_limits<double>::denorm_min()}), ValueType::float64);
}

TEST(BlockBuffer, KeepsTheSignOfZero) {
  BlockBuffer buffer;
  add_row(buffer, {{0, -0.0}, {1, 0.0}});
  const Row row = row_of(buffer.finish(), 0);
  EXPECT_TRUE(std::signbit(row[0].second));
  EXPECT_FALSE(std::signbit(row[1].second));
}

TEST(BlockBuffer, IsDenseWhenEveryRowHasTheFirstIndicesInOrder) {
  const auto dense = [](const std::vector<Row>& rows) {
    BlockBuffer buffer;
    for (const Row& row : rows) add_row(buffer, row);
    return buffer.finish().dense;
  };
  EXPECT_TRUE(dense({{{0, 2.0}, {1, 3.0}}, {{0, 4.0}, {1, 5.0}}}));
  EXPECT_TRUE(dense({{{0, 2.0}, {1, 3.0}}, {{0, 4.0}}, {}}));  // shorter rows are
  EXPECT_FALSE(dense({{{0, 2.0}, {1, 3.0}}, {{1, 4.0}}}));
  EXPECT_FALSE(dense({{{0, 2.0}, {2, 3.0}}}));
  EXPECT_FALSE(dense({{{1, 2.0}, {0, 3.0}}}));
  EXPECT_FALSE(dense({{{0, 1.0}, {1, 1.0}}}));  // ones have no dense form
}

TEST(BlockBuffer, GivesBackRowsLabelsWeightsNumbersAndNorms) {
  BlockBuffer buffer;
  add_row(buffer, {{2, 3.0}, {7, -4.0}}, 0, 10);
  add_row(buffer, {}, 1, 11);
  add_row(buffer, {{9, 0.1}}, 1, 13, 2.5);
  const Block block = buffer.finish();
  ASSERT_EQ(block.rows, 3U);
  EXPECT_EQ(block.features, 10U);
  EXPECT_EQ(block.stored(), 3U);
  EXPECT_EQ(buffer.stored(), 3U);
  EXPECT_EQ(row_of(block, 0), (Row{{2, 3.0}, {7, -4.0}}));
  EXPECT_EQ(row_of(block, 1), Row{});
  EXPECT_EQ(row_of(block, 2), (Row{{9, 0.1}}));
  block.with_example(0, [](const auto& x) {
    EXPECT_EQ(x.label, 0);
    EXPECT_EQ(x.sign(), -1.0);
    EXPECT_EQ(x.row, 10U);
    EXPECT_EQ(x.weight, 1.0);
    EXPECT_EQ(x.squared_norm, 25.0);
  });
  block.with_example(1, [](const auto& x) { EXPECT_EQ(x.squared_norm, 0.0); });
  block.with_example(2, [](const auto& x) {
    EXPECT_EQ(x.sign(), 1.0);
    EXPECT_EQ(x.row, 13U);
    EXPECT_EQ(x.weight, 2.5);
    EXPECT_EQ(x.squared_norm, 0.1 * 0.1);
  });
}

TEST(BlockBuffer, KeepsWeightsOnlyWhenSomeDiffersFromOne) {
  BlockBuffer buffer;
  add_row(buffer, {{0, 2.0}});
  EXPECT_EQ(buffer.finish().weight, nullptr);
  add_row(buffer, {{0, 2.0}}, 1, 2, 0.0);
  add_row(buffer, {{0, 2.0}}, 1, 3);
  const Block block = buffer.finish();
  ASSERT_NE(block.weight, nullptr);
  EXPECT_EQ(block.weight[0], 1.0);
  EXPECT_EQ(block.weight[1], 0.0);
  EXPECT_EQ(block.weight[2], 1.0);
}

TEST(BlockBuffer, DropRowForgetsTheUnfinishedRowOnly) {
  BlockBuffer buffer;
  add_row(buffer, {{0, 1.0}, {4, 1.0}});
  buffer.add(99, 0.1);
  buffer.add(100, 7.0);
  buffer.drop_row();
  buffer.drop_row();  // nothing left to forget
  add_row(buffer, {{2, 1.0}});
  const Block block = buffer.finish();
  EXPECT_EQ(block.rows, 2U);
  EXPECT_EQ(block.features, 5U);
  EXPECT_EQ(block.value_type, ValueType::ones);
  EXPECT_EQ(row_of(block, 0), (Row{{0, 1.0}, {4, 1.0}}));
  EXPECT_EQ(row_of(block, 1), (Row{{2, 1.0}}));
}

TEST(BlockBuffer, ClearForgetsAll) {
  BlockBuffer buffer;
  add_row(buffer, {{5, 0.1}}, 1, 1, 3.0);
  buffer.finish();
  buffer.clear();
  EXPECT_EQ(buffer.rows(), 0U);
  add_row(buffer, {{1, 1.0}});
  const Block block = buffer.finish();
  EXPECT_EQ(block.rows, 1U);
  EXPECT_EQ(block.features, 2U);
  EXPECT_EQ(block.value_type, ValueType::ones);
  EXPECT_EQ(block.weight, nullptr);
}

// Random blocks of every storage: each row appended to another buffer is the same row, and copying all rows gives the
// same block.
TEST(BlockBuffer, AppendIsLossless) {
  Generator draws(41);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t storage = pick(draws, 3);
    const bool dense = pick(draws, 2) == 0;
    const bool weighted = pick(draws, 2) == 0;
    BlockBuffer buffer;
    const std::uint64_t rows = pick(draws, 20);
    for (std::uint64_t r = 0; r < rows; ++r) {
      const std::uint64_t size = pick(draws, 12);
      for (std::uint32_t k = 0; k < size; ++k) {
        const double value = storage == 0 ? 1.0 : storage == 1 ? std::floor(draws.next() * 64) / 8 : draws.next() - 0.5;
        buffer.add(dense ? k : 3 * k + 1, value);
      }
      buffer.end_row(static_cast<std::int32_t>(pick(draws, 4)), 7 * r + 1, weighted ? draws.next() : 1.0);
    }
    const Block block = buffer.finish();
    BlockBuffer copies;
    for (std::size_t i = 0; i < block.rows; ++i) copies.append(block, i);
    const Block copy = copies.finish();
    ASSERT_EQ(copy.rows, block.rows);
    EXPECT_EQ(copy.features, block.features);
    EXPECT_EQ(copy.value_type, block.value_type);
    EXPECT_EQ(copy.dense, block.dense);
    EXPECT_EQ(copy.weight == nullptr, block.weight == nullptr);
    for (std::size_t i = 0; i < block.rows; ++i) {
      EXPECT_EQ(row_of(copy, i), row_of(block, i));
      EXPECT_EQ(copy.label[i], block.label[i]);
      EXPECT_EQ(copy.row[i], block.row[i]);
      EXPECT_EQ(copy.squared_norm[i], block.squared_norm[i]);
      if (block.weight != nullptr) {
        EXPECT_EQ(copy.weight[i], block.weight[i]);
      }
    }
  }
}

}  // namespace
}  // namespace halfspace
