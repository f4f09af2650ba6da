// The binary cache: reading it is reading its text, bit for bit; a damaged one is refused, whatever is damaged.

#include "halfspace/stream/cache.h"

#include <cstring>

#include "halfspace/base/random.h"
#include "halfspace/stream/rows.h"
#include "stream/cache/cache.h"
#include "stream/stream_support.h"
#include "support/mend_cache.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& path) {
  const std::string text = content(path);
  return {text.begin(), text.end()};
}
std::string write(const Folder& folder, const std::string& name, const Bytes& bytes) {
  return folder.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string cached(const Folder& folder, const std::string& text, ReadOptions options = {}) {
  options.path = folder.write("text", text);
  convert(options, folder.path("cache"));
  return folder.path("cache");
}

ReadOptions at(const std::string& path) {
  ReadOptions options{.path = path};
  return options;
}

// Rows of every kind of storage, more than a block of them.
std::string sparse_text(std::uint32_t most, bool ones, bool floats) {
  Generator draws(7);
  std::ostringstream text;
  for (int i = 0; i < 5000; ++i) {
    text << (draws.next() < 0.4 ? "+1" : "-1");
    std::uint32_t index = 0;
    while (draws.next() < 0.8) {
      index += 1 + static_cast<std::uint32_t>(draws.next() * most / 20);
      if (index > most) break;
      text << ' ' << index << ':' << (ones ? 1.0 : floats ? 0.25 * std::floor(draws.next() * 40 - 20) : draws.next());
    }
    text << '\n';
  }
  return text.str();
}

const char* const table_of_colours =
    "colour,size,label\nred,1.5,yes\nblue,?,no\nred,2.5,yes\ngreen,-1,no\nblue,0,yes\n?,4,no\n";

void expect_same(const std::string& text, ReadOptions options = {}) {
  const Folder folder;
  ReadOptions of_text = options;
  of_text.path = folder.write("data", text);
  convert(at(of_text.path), folder.path("cache"));
  ReadOptions of_cache = options;
  of_cache.path = folder.path("cache");
  const Reading want = read_all(of_text), got = read_all(of_cache);
  ASSERT_FALSE(want.failed) << want.error.what();
  ASSERT_FALSE(got.failed) << got.error.what();
  EXPECT_TRUE(want.rows == got.rows);
  EXPECT_TRUE(want.schema == got.schema);
  EXPECT_EQ(want.report.rows, got.report.rows);
  EXPECT_EQ(want.report.stored, got.report.stored);
  EXPECT_EQ(want.report.nonzeros, got.report.nonzeros);
  EXPECT_EQ(want.report.class_rows, got.report.class_rows);
  EXPECT_EQ(want.report.bytes, got.report.bytes);
  EXPECT_EQ(want.report.fingerprint, got.report.fingerprint);
}

TEST(Cache, IsReadAsItsText) {
  for (const bool ones : {true, false}) {
    for (const bool floats : {true, false}) {
      for (const std::uint32_t most : {50U, 65'536U, 200'000U}) expect_same(sparse_text(most, ones, floats));
    }
  }
  // On both sides of what indices of 16 bits can say.
  for (const char* last : {"65535", "65536", "65537", "131072"}) {
    expect_same(std::string("+1 1:1 ") + last + ":2\n-1 2:1\n");
  }
  expect_same("1 1:2 2:3\n0 1:4 2:5\n");
  expect_same("+1\n-1 7:1\n");
  expect_same(table_of_colours);
}

TEST(Cache, IsReadAsItsTextUnderTheOptionsOfLearning) {
  ReadOptions options{.row_normalised = true};
  expect_same(sparse_text(300, false, false), options);
  options.single = true;
  expect_same(sparse_text(300, false, false), options);
  options = {};
  options.labels.class_weights = {{"-1", 0.5}};
  expect_same(sparse_text(300, false, true), options);
  options = {};
  options.labels.positive = "no";
  expect_same(table_of_colours, options);
  options = {};
  options.labels.classes = {"yes", "perhaps", "no"};
  expect_same(table_of_colours, options);
  options = {};
  options.threads = 1;
  expect_same(table_of_colours, options);
}

// Rows that borrow from a cache use its values where they are mapped, for as long as they need them.
TEST(Cache, IsBorrowedNotCopied) {
  const Folder folder;
  auto reader = std::make_unique<Reader>(at(cached(folder, sparse_text(300, false, false))));
  const Mapping mapping = reader->mapping();
  Rows rows({.folder = {}, .packed = true});
  rows.borrow(mapping);
  std::string expected;
  reader->read([&](const Block& block) {
    dump(block, expected);
    rows.append(block);
    return true;
  });
  rows.seal();
  reader.reset();
  const auto mapped = [&](const void* place) {
    const auto* const at = static_cast<const std::byte*>(place);
    return at >= mapping.bytes[0].data() && at < mapping.bytes[0].data() + mapping.bytes[0].size();
  };
  const Block stored = rows.block(0);
  EXPECT_TRUE(mapped(stored.decimal) && mapped(stored.narrow_index));
  EXPECT_EQ(stored.value, nullptr);
  EXPECT_EQ(stored.index, nullptr);
  std::string text;
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) dump(rows.block(b).plain(room), text);
  EXPECT_TRUE(text == expected);
  EXPECT_EQ(Reader(at(folder.path("text"))).mapping().owner, nullptr);
}

TEST(Cache, KeepsWeightsAndTheNumbersOfRows) {
  const Folder folder;
  ReadOptions options{.on_error = OnError::skip, .columns = {.weight = "w"}};
  const std::string text = "a,w,label\n1,2,x\nbad,1,y\n3,0.5,y\n4,1,x\n";
  ReadOptions of_text = options;
  of_text.columns.numeric = {"a"};
  of_text.path = folder.write("data", text);
  const ReadReport report = convert(of_text, folder.path("cache"));
  EXPECT_EQ(report.rejected, 1U);
  const Reading want = read_all(of_text), got = read_all(at(folder.path("cache")));
  ASSERT_FALSE(got.failed) << got.error.what();
  EXPECT_EQ(want.rows, got.rows);
  EXPECT_EQ(got.report.rejected, 1U);
}

// Columns and categories go by their names: the numbers of another file mean nothing.
TEST(Cache, FollowsTheColumnsOfAModel) {
  const Folder folder;
  const Schema model = read_text("colour,size,label\ngreen,1,no\nred,2,yes\n").schema;
  for (const bool grow : {true, false}) {
    ReadOptions options{.schema = &model, .grow = grow};
    const Reading want = read_good(table_of_colours, options);
    options.path = cached(folder, table_of_colours);
    const Reading got = read_all(options);
    ASSERT_FALSE(got.failed) << got.error.what();
    EXPECT_EQ(want.rows, got.rows);
    EXPECT_TRUE(want.schema == got.schema);
    EXPECT_EQ(want.report.unknown_features, got.report.unknown_features);
    EXPECT_EQ(got.report.unknown_features > 0, !grow);
  }
  const Schema swapped = read_text("size,colour,label\n1,green,no\n2,red,yes\n").schema;
  ReadOptions in_order{.path = folder.path("cache"), .schema = &swapped};
  EXPECT_TRUE(has(read_all(in_order).error.message(), "another order"));
  const Schema other = read_text("size,weight,label\n1,3,no\n2,4,yes\n").schema;
  const Reading refused = read_all({.path = folder.path("cache"), .schema = &other});
  EXPECT_EQ(refused.error.kind(), ErrorKind::data);
  EXPECT_TRUE(has(refused.error.message(), "weight"));
}

TEST(Cache, FollowsTheFeaturesOfALibsvmModel) {
  const Folder folder;
  const Schema model = read_text("-1 1:1 3:1\n+1 2:1\n").schema;
  const std::string text = "+1 1:0.5 9:2\n-1 3:1\n0 10:1 2:4\n";
  for (const bool grow : {true, false}) {
    ReadOptions options{.schema = &model, .grow = grow};
    const Reading want = read_text(text.substr(0, text.find("0 10")), options);
    options.path = cached(folder, text.substr(0, text.find("0 10")));
    const Reading got = read_all(options);
    EXPECT_EQ(want.rows, got.rows);
    EXPECT_EQ(want.report.unknown_features, got.report.unknown_features);
  }
}

TEST(Cache, RefusesWhatItCannotDo) {
  const Folder folder;
  const std::string path = cached(folder, table_of_colours);
  const auto kind = [](const ReadOptions& options) { return read_all(options).error.kind(); };
  ReadOptions options = at(path);
  options.columns.label = "colour";
  EXPECT_EQ(kind(options), ErrorKind::usage);
  options = at(path);
  options.format = DataFormat::csv;
  EXPECT_EQ(kind(options), ErrorKind::usage);
  const std::string packed = folder.write("packed", gzip(content(path)));
  EXPECT_EQ(kind(at(packed)), ErrorKind::data);
  EXPECT_THROW(convert(at(folder.path("text")), folder.path("text")), Error);
  EXPECT_THROW(convert(at(folder.path("text")), "-"), Error);
  ReadOptions weighted = at(folder.path("text"));
  weighted.labels.class_weights = {{"yes", 2.0}};
  EXPECT_THROW(convert(weighted, folder.path("other")), Error);
  // A row that is wrong stops the conversion, and leaves what was there.
  const Bytes before = bytes_of(path);
  const std::string bad = folder.write("bad", "1 1:1\n0 1:x\n");
  EXPECT_THROW(convert(at(bad), path), Error);
  EXPECT_EQ(bytes_of(path), before);
}

Bytes small_cache(const Folder& folder) { return bytes_of(cached(folder, table_of_colours)); }

TEST(Cache, EveryChangedByteIsFound) {
  const Folder folder;
  const Bytes good = small_cache(folder);
  for (std::size_t i = 8; i < good.size(); ++i) {  // before that it is no cache
    Bytes bad = good;
    bad[i] ^= 0x40;
    const Reading outcome = read_all(at(write(folder, "bad", bad)));
    ASSERT_TRUE(outcome.failed) << "byte " << i;
    ASSERT_EQ(outcome.error.kind(), ErrorKind::data) << "byte " << i << ": " << outcome.error.what();
  }
}

TEST(Cache, EveryTruncationIsFound) {
  const Folder folder;
  const Bytes good = small_cache(folder);
  for (std::size_t size = 8; size < good.size(); ++size) {
    const Reading outcome =
        read_all(at(write(folder, "bad", Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)))));
    ASSERT_TRUE(outcome.failed) << size;
    ASSERT_EQ(outcome.error.kind(), ErrorKind::data) << size;
  }
}

// With the checksums made right: every byte takes other values, and whatever is accepted keeps the rules of blocks.
TEST(Cache, WhatStandsBehindTheChecksumsIsCheckedToo) {
  const Folder folder;
  const Bytes good = small_cache(folder);
  const auto open = [&](const Bytes& bytes) { return std::make_unique<stream::Cache>(write(folder, "open", bytes)); };
  std::size_t refused = 0;
  for (std::size_t i = 12; i < good.size(); ++i) {
    for (const int change : {0x01, 0xff}) {
      Bytes bad = good;
      bad[i] = static_cast<std::uint8_t>(bad[i] ^ change);
      testing::mend_all(bad, open);
      const Reading outcome = read_all(at(write(folder, "bad", bad)));
      if (outcome.failed) {
        ++refused;
        ASSERT_EQ(outcome.error.kind(), ErrorKind::data) << i << ": " << outcome.error.what();
      }
    }
  }
  EXPECT_GT(refused, good.size() / 4);
}

// Each rule of a block broken by hand.
TEST(Cache, BlocksThatBreakARuleAreRefused) {
  const Folder folder;
  const Bytes good = bytes_of(cached(folder, "+1 1:0.5 3:2\n-1 2:1\n"));
  const auto open = [&](const Bytes& bytes) { return std::make_unique<stream::Cache>(write(folder, "open", bytes)); };
  // offsets 3 x 8, rows 2 x 8, values 3 x 4 (padded to 16), labels 2 x 4, indices 3 x 2
  const std::size_t offset = 64, row = offset + 24, value = row + 16, label = value + 16, index = label + 8;
  const auto refusal = [&](std::size_t place, const void* data, std::size_t size) {
    Bytes bad = good;
    std::memcpy(bad.data() + place, data, size);
    EXPECT_TRUE(testing::mend_all(bad, open));
    const Reading outcome = read_all(at(write(folder, "bad", bad)));
    return outcome.failed ? outcome.error.message() : std::string("accepted");
  };
  const auto mentions = [&](const std::string& message, const char* what) { EXPECT_TRUE(has(message, what)); };
  const std::uint64_t far = 4;
  mentions(refusal(offset + 8, &far, 8), "offsets");
  mentions(refusal(row + 8, &far, 8), "accepted");  // row numbers may leap
  const std::uint64_t zero = 0;
  mentions(refusal(row, &zero, 8), "row numbers");
  mentions(refusal(row + 8, &zero, 8), "row numbers");
  const float not_finite = std::numeric_limits<float>::infinity(), not_a_number = std::nanf("");
  mentions(refusal(value, &not_finite, 4), "finite");
  mentions(refusal(value + 8, &not_a_number, 4), "finite");
  const std::int32_t two = 2, minus = -1;
  mentions(refusal(label, &two, 4), "label");
  mentions(refusal(label + 4, &minus, 4), "label");
  const std::uint16_t three = 3, first = 0;
  mentions(refusal(index, &three, 2), "beyond");
  mentions(refusal(index + 2, &first, 2), "twice");
}

// The second block's rows must come after the first one's.
TEST(Cache, ABlockThatBeginsBeforeTheOneBeforeEndedIsRefused) {
  const Folder folder;
  std::string text;
  for (std::size_t i = 0; i < Rows::block_rows + 2; ++i) text += i % 2 == 0 ? "+1 1:1\n" : "-1 2:1\n";
  Bytes bad = bytes_of(cached(folder, text));
  const auto open = [&](const Bytes& bytes) { return std::make_unique<stream::Cache>(write(folder, "open", bytes)); };
  const stream::CachedBlock second = open(bad)->entry(1);
  ASSERT_EQ(second.rows, 2U);
  const std::size_t row = second.at + (second.rows + 1) * 8;
  ASSERT_EQ(testing::get(bad, row), Rows::block_rows + 1);
  testing::put(bad, row, Rows::block_rows);
  ASSERT_TRUE(testing::mend_all(bad, open));
  const Reading outcome = read_all(at(write(folder, "bad", bad)));
  EXPECT_TRUE(has(outcome.error.message(), "block 2: its row numbers do not ascend"));
}

TEST(Cache, OfALaterVersionSaysSo) {
  const Folder folder;
  const Bytes good = small_cache(folder);
  const auto of_version = [&](std::uint8_t version) {
    Bytes bytes = good;
    bytes[8] = version;
    testing::mend_trailer(bytes);
    return read_all(at(write(folder, "other", bytes)));
  };
  EXPECT_TRUE(has(of_version(2).error.message(), "version 2"));
  EXPECT_TRUE(has(of_version(0).error.message(), "0 is not a version"));
  EXPECT_FALSE(of_version(1).failed);
}

// Short decimals take four bytes, whatever they are as doubles; one number that is none makes its block doubles.
TEST(Cache, KeepsShortDecimalsInFourBytes) {
  const Folder folder;
  std::string text;
  for (std::size_t i = 0; i < Rows::block_rows + 10; ++i) {
    text += (i % 2 == 0 ? "+1 1:0." : "-1 1:-0.0") + std::to_string(1000 + i) + " 3:" + std::to_string(i) + "e-7\n";
  }
  expect_same(text);
  text += "+1 2:0.12345678901234567\n";
  expect_same(text);
  const stream::Cache cache(cached(folder, text));
  ASSERT_EQ(cache.blocks(), 2U);
  EXPECT_EQ(cache.entry(0).value_type, stream::CachedValues::decimal);
  EXPECT_EQ(cache.entry(1).value_type, stream::CachedValues::float64);
  EXPECT_EQ(stream::bytes_of(cache.entry(0)), Rows::block_rows * (8 + 8 + 4 + 2 * (4 + 2)) + 64);
  Reader reader(at(folder.path("cache")));
  Rows rows({.folder = {}, .packed = true});
  rows.borrow(reader.mapping());
  std::string expected, kept;
  reader.read([&](const Block& block) {
    dump(block, expected);
    rows.append(block);
    return true;
  });
  rows.seal();
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) dump(rows.block(b).plain(room), kept);
  EXPECT_TRUE(kept == expected);
  EXPECT_EQ(rows.block(0).value, nullptr);
  EXPECT_GT(static_cast<const void*>(rows.block(0).decimal),
            static_cast<const void*>(reader.mapping().bytes[0].data()));
  EXPECT_LT(rows.bytes(), Rows::block_rows * 12);  // squared norms, and the rows of the block that is not whole
}

}  // namespace
}  // namespace halfspace
