#include "halfspace/stream/rows.h"

#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

// Blocks of odd sizes and all storages: ones, floats, decimals, doubles, dense, weighted; in the end indices beyond
// 16 bits.
std::vector<BlockBuffer> sample_blocks() {
  std::mt19937_64 random(5);
  std::vector<BlockBuffer> blocks(20);
  std::uint64_t row = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t rows = b == 3 ? Rows::block_rows : 1 + random() % 3000;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t size = b % 4 == 1 ? 5 : static_cast<std::uint32_t>(random() % 6);
      std::uint32_t index = 0;
      for (std::uint32_t k = 0; k < size; ++k) {
        if (b % 4 != 1) index += static_cast<std::uint32_t>(random() % 50);
        const double value = b % 4 == 0   ? 1.0
                             : b % 4 == 2 ? static_cast<double>(static_cast<float>(random() % 1000) / 8)
                             : b % 8 == 1 ? static_cast<double>(random() % 1000) / 1000
                             : b == 11    ? static_cast<double>(random() % 10'000'000) / 1e9
                                          : std::ldexp(static_cast<double>(random()), -70);
        blocks[b].add(index++, value);
        if (b == 17 && i > 100) index += 70'000;
      }
      blocks[b].end_row(static_cast<std::int32_t>(random() % 3) - 1, row += 1 + random() % 3,
                        b == 7 ? static_cast<double>(random() % 4) : 1.0);
    }
  }
  return blocks;
}

std::string dump_all(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.blocks(); ++i) {
    EXPECT_EQ(rows.block(i).rows,
              i + 1 < rows.blocks() ? Rows::block_rows : static_cast<std::size_t>(rows.size() - i * Rows::block_rows));
    UnpackBuffer room;
    dump(rows.block(i).plain(room), text);
  }
  return text;
}

// Others may come, in the room that the first had: nothing of these is left.
TEST(Rows, OfOthersKeepNothingOnceCleared) {
  std::vector<BlockBuffer> blocks = sample_blocks();
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{100'000}}) {
    Rows rows(RowsOptions{memory, {}, true}), fresh(RowsOptions{memory, {}, true});
    for (BlockBuffer& buffer : blocks) rows.append(buffer.finish());
    rows.seal();
    rows.clear();
    EXPECT_EQ(rows.size(), 0U);
    EXPECT_EQ(rows.features(), 0U);
    for (Rows* const to : {&rows, &fresh}) {
      for (std::size_t b = 4; b < 12; ++b) to->append(blocks[b].finish());
      to->seal();
    }
    EXPECT_EQ(dump_all(rows), dump_all(fresh));
    EXPECT_EQ(rows.features(), fresh.features());
    EXPECT_EQ(rows.bytes(), fresh.bytes());
  }
}

TEST(Rows, AreWhatCameInWhereverTheyAreKept) {
  std::vector<BlockBuffer> blocks = sample_blocks();
  std::string expected;
  std::uint64_t count = 0;
  std::uint32_t features = 0;
  for (BlockBuffer& block : blocks) {
    const Block view = block.finish();
    dump(view, expected);
    count += view.rows;
    features = std::max(features, view.features);
  }
  ASSERT_GT(count, 3 * Rows::block_rows);
  const Folder folder;
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{400'000}, std::uint64_t{1} << 30}) {
    for (const int how : {0, 1, 2, 3}) {
      const bool seal_often = how % 2 == 1, packed = how / 2 == 1;
      Rows rows({memory, folder.path(""), packed});
      for (BlockBuffer& block : blocks) {
        rows.append(block.finish());
        if (seal_often) rows.seal();
      }
      rows.seal();
      rows.seal();
      EXPECT_EQ(rows.size(), count);
      EXPECT_EQ(rows.features(), features);
      EXPECT_EQ(rows.spilled(), memory < (1 << 30));
      EXPECT_GT(rows.bytes(), count * 20);
      EXPECT_TRUE(dump_all(rows) == expected);
      std::string by_row;
      for (std::uint64_t i = 0; i < rows.size(); i += 997) {
        UnpackBuffer room, whole;
        rows.with_row(i, room, [&](const auto& x) {
          by_row += std::to_string(x.row) + " ";
          const Block block = rows.block(i / Rows::block_rows).plain(whole);
          block.with_example(i % Rows::block_rows, [&](const auto& y) {
            ASSERT_EQ(x.size, y.size);
            for (std::uint32_t k = 0; k < x.size; ++k) {
              EXPECT_EQ(x.index[k], y.index[k]);
              EXPECT_EQ(x.values()[k], y.values()[k]);
            }
          });
        });
      }
      std::string by_block;
      for (std::uint64_t i = 0; i < rows.size(); i += 997) {
        by_block += std::to_string(rows.block(i / Rows::block_rows).row[i % Rows::block_rows]) + " ";
      }
      EXPECT_EQ(by_row, by_block);
      EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));  // the file has no name
      Rows moved = std::move(rows);
      EXPECT_TRUE(dump_all(moved) == expected);
    }
  }
}

TEST(Rows, EachBlockIsStoredAsSmallAsItMay) {
  BlockBuffer buffer;
  for (std::size_t i = 0; i < 2 * Rows::block_rows; ++i) {
    buffer.add(3, i < Rows::block_rows ? 1.0 : 0.5);
    buffer.end_row(1, i + 1);
  }
  Rows rows;
  rows.append(buffer.finish());
  rows.seal();
  EXPECT_EQ(rows.block(0).value_type, ValueType::ones);
  EXPECT_EQ(rows.block(1).value_type, ValueType::float32);
  EXPECT_EQ(rows.blocks(), 2u);
}

TEST(Rows, PackedAreAsSmallAsTheirNumbersAllow) {
  const auto one_block = [](std::uint32_t step, const auto& value) {
    BlockBuffer buffer;
    for (std::size_t i = 0; i < Rows::block_rows; ++i) {
      for (std::uint32_t k = 0; k < 10; ++k) buffer.add(k * step, value(10 * i + k));
      buffer.end_row(1, i + 1);
    }
    Rows rows({.folder = {}, .packed = true});
    rows.append(buffer.finish());
    rows.seal();
    std::string given, kept;
    dump(buffer.finish(), given);
    UnpackBuffer room;
    dump(rows.block(0).plain(room), kept);
    EXPECT_TRUE(kept == given);
    const std::uint64_t each_row = 8 + 8 + 8 + 4;  // offset, number, squared norm, label
    EXPECT_LT(rows.bytes() - Rows::block_rows * each_row - 8, std::uint64_t{1} << 23);
    return (rows.bytes() - Rows::block_rows * each_row - 8) / (10 * Rows::block_rows);
  };
  const auto ones = [](std::size_t) { return 1.0; };
  const auto halves = [](std::size_t i) { return 0.5 * static_cast<double>(i % 3); };
  const auto decimals = [](std::size_t i) { return static_cast<double>(i) / 1e7; };
  const auto thirds = [](std::size_t i) { return static_cast<double>(i) / 3; };
  const auto one_third = [](std::size_t i) { return i == 40'000 ? 1.0 / 3 : static_cast<double>(i) / 1e7; };
  EXPECT_EQ(one_block(3, ones), 2U);
  EXPECT_EQ(one_block(1, ones), 2U);
  EXPECT_EQ(one_block(3, halves), 6U);
  EXPECT_EQ(one_block(1, halves), 4U);
  EXPECT_EQ(one_block(3, decimals), 6U);
  EXPECT_EQ(one_block(1, decimals), 4U);
  EXPECT_EQ(one_block(8000, decimals), 8U);
  EXPECT_EQ(one_block(7281, decimals), 6U);  // indices up to 65529
  EXPECT_EQ(one_block(3, thirds), 10U);
  EXPECT_EQ(one_block(1, one_third), 8U);
  EXPECT_EQ(one_block(8000, one_third), 12U);
}

TEST(Rows, TheLargestNarrowIndexAndTheOneBehindIt) {
  for (const std::uint32_t last : {65535U, 65536U}) {
    Rows rows({.folder = {}, .packed = true});
    for (const std::uint32_t index : {7U, last}) {
      BlockBuffer buffer;
      buffer.add(index, 0.1);
      buffer.end_row(1, index);
      rows.append(buffer.finish());
    }
    rows.seal();
    EXPECT_EQ(rows.block(0).narrow_index != nullptr, last == 65535);
    UnpackBuffer room;
    const Block plain = rows.block(0).plain(room);
    EXPECT_EQ(plain.index[0], 7U);
    EXPECT_EQ(plain.index[1], last);
  }
}

// Some rows of a dense block may all be ones, and blocks of ones are never dense.
TEST(Rows, OnesOutOfADenseBlockHaveTheirIndices) {
  BlockBuffer buffer;
  for (const double value : {1.0, 0.5}) {
    for (std::uint32_t k = 0; k < 3; ++k) buffer.add(k, value);
    buffer.end_row(1, buffer.rows() + 1);
  }
  const Block block = buffer.finish();
  ASSERT_TRUE(block.dense);
  Rows rows({.folder = {}, .packed = true});
  std::string expected, text;
  UnpackBuffer room;
  dump(block, expected);
  rows.append(block, 0);
  rows.seal();
  EXPECT_FALSE(rows.block(0).dense);
  rows.with_row(0, room, [](const auto& x) {
    EXPECT_EQ(std::vector(x.index, x.index + 3), (std::vector{0U, 1U, 2U}));
  });
  dump(rows.block(0).plain(room), text);
  EXPECT_EQ(text, expected.substr(0, expected.find('\n') + 1));
  rows.append(block, 1);
  rows.seal();
  EXPECT_TRUE(rows.block(0).dense);
  text.clear();
  dump(rows.block(0).plain(room), text);
  EXPECT_EQ(text, expected);
  rows.with_row(1, room, [](const auto& x) { EXPECT_EQ(x.index[2], 2U); });
}

TEST(Rows, OneRowAtATime) {
  BlockBuffer buffer;
  buffer.add(1, 2.5);
  buffer.end_row(0, 10);
  buffer.end_row(1, 11, 3.0);
  const Block block = buffer.finish();
  Rows rows;
  rows.append(block, 1);
  rows.append(block, 0);
  rows.seal();
  std::string text;
  dump(rows.block(0), text);
  EXPECT_EQ(text, "11 1 0x1.8p+1 0x0p+0\n10 0 0x1p+0 0x1.9p+2 1:0x1.4p+1\n");
}

// Whole blocks leave what lies in borrowed memory there, wherever the rest goes.
TEST(Rows, WhatIsBorrowedStaysWhereItIs) {
  std::mt19937_64 random(6);
  BlockBuffer buffer;
  for (std::size_t i = 0; i < Rows::block_rows; ++i) {
    for (std::uint32_t k = 0; k < 6; ++k) buffer.add(10 * k + static_cast<std::uint32_t>(random() % 10), 1.0 / 3 * k);
    buffer.end_row(static_cast<std::int32_t>(random() % 2), i + 1);
  }
  Block block = buffer.finish();
  std::string expected;
  dump(block, expected);
  const auto owner = std::make_shared<const std::vector<double>>(
      static_cast<const double*>(block.value), static_cast<const double*>(block.value) + block.stored());
  const std::weak_ptr<const std::vector<double>> watch = owner;
  block.value = owner->data();
  const Folder folder;
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    Rows rows({memory, folder.path("")});
    const std::uint64_t none = rows.bytes();
    rows.append(block);
    const std::uint64_t one = rows.bytes() - none;
    rows.borrow({owner, {std::as_bytes(std::span(*owner))}});
    rows.append(block);
    rows.seal();
    EXPECT_NE(rows.block(0).value, block.value);
    EXPECT_EQ(rows.block(1).value, block.value);
    EXPECT_NE(rows.block(1).index, block.index);
    EXPECT_EQ(rows.bytes() - none, 2 * one - block.stored() * sizeof(double));
    std::string text;
    dump(rows.block(0), text);
    dump(rows.block(1), text);
    EXPECT_TRUE(text == expected + expected);
    EXPECT_GT(watch.use_count(), 1);
  }
  EXPECT_EQ(watch.use_count(), 1);
}

TEST(Rows, EmptyIsFine) {
  Rows rows;
  rows.seal();
  EXPECT_EQ(rows.size(), 0u);
  EXPECT_EQ(rows.blocks(), 0u);
  EXPECT_FALSE(rows.spilled());
}

TEST(Rows, NoRoomIsAnError) {
  std::vector<BlockBuffer> blocks = sample_blocks();
  const Folder folder;
  Rows rows({0, folder.path("missing")});
  const Error error = error_from([&] {
    for (BlockBuffer& block : blocks) rows.append(block.finish());
  });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
  EXPECT_EQ(error.file(), folder.path("missing"));
}

TEST(BlockBuffer, RowsAreTakenOut) {
  for (const std::vector<std::size_t>& removed :
       std::vector<std::vector<std::size_t>>{{}, {0}, {4}, {1, 3}, {0, 1, 2, 3, 4}, {2, 3, 4}}) {
    BlockBuffer buffer, expected;
    for (std::size_t i = 0; i < 5; ++i) {
      for (BlockBuffer* to : {&buffer, &expected}) {
        if (to == &expected && std::find(removed.begin(), removed.end(), i) != removed.end()) continue;
        for (std::uint32_t k = 0; k < i; ++k) to->add(k, 0.5 + k + static_cast<double>(i));
        to->end_row(static_cast<std::int32_t>(i % 2), i, i == 3 ? 2.0 : 1.0);
      }
    }
    buffer.remove_rows(removed);
    std::string a, b;
    const Block left = buffer.finish(), right = expected.finish();
    dump(left, a);
    dump(right, b);
    EXPECT_EQ(a, b);
    EXPECT_EQ(left.weight == nullptr, right.weight == nullptr);
  }
}

}  // namespace
}  // namespace halfspace
