// NumPy's arrays through the whole reader: types, orders, labels beside them, what is refused and where.

#include <cstring>

#include "npy_support.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

// X and y, or X alone, in a folder of their own.
Reading read_npy(const std::string& x, const std::string& y = "", ReadOptions options = {}) {
  const Folder folder;
  options.path = folder.write("X_train.npy", x);
  if (!y.empty()) folder.write("y_train.npy", y);
  return read_all(options);
}

// The same table as CSV without header gives the same bits.
TEST(Npy, GivesWhatCsvGives) {
  std::mt19937_64 random(3);
  std::vector<double> values;
  std::string csv;
  for (int i = 0; i < 500; ++i) {
    for (int c = 0; c < 4; ++c) {
      const bool missing = i > 3 && random() % 7 == 0 && c < 3;
      values.push_back(missing  ? std::nan("")
                       : c == 3 ? static_cast<double>(random() % 3)
                                : std::ldexp(static_cast<double>(random() % 1000), -5));
      csv += (missing ? "" : (std::ostringstream() << std::setprecision(17) << values.back()).str()) +
             (c == 3 ? "\n" : ",");
    }
  }
  const std::string text = shaped("<f8", "(500, 4)", npy_bytes(values));
  for (const std::string label : {"", "4"}) {
    for (const bool chosen : {false, true}) {
      ReadOptions options, as_csv;
      options.columns.label = as_csv.columns.label = label;
      if (chosen) {
        options.columns.categorical = as_csv.columns.categorical = {"2"};
        options.columns.drop = as_csv.columns.drop = {"1"};
      }
      as_csv.table.header = false;
      const Folder folder;
      options.path = folder.write("table.npy", text);
      const Reading outcome = read_all(options), expected = read_text(csv, as_csv);
      ASSERT_FALSE(outcome.failed) << outcome.error.what();
      EXPECT_EQ(outcome.rows, expected.rows);
      EXPECT_EQ(outcome.schema.columns, expected.schema.columns);
      EXPECT_EQ(outcome.schema.labels, expected.schema.labels);
      EXPECT_EQ(outcome.schema.format, DataFormat::npy);
    }
  }
}

TEST(Npy, EveryTypeAndOrderOfBytesIsRead) {
  const std::string expected = "1 0 0x1p+0 0x1.4p+2 0:0x1p+0 1:0x1p+1\n2 1 0x1p+0 0x1.9p+4 0:0x1.8p+1 1:0x1p+2\n";
  const std::string y = shaped("|u1", "(2,)", std::string("\0\1", 2));
  const auto expect = [&](const std::string& descr, const std::string& values) {
    const Reading outcome = read_npy(shaped(descr, "(2, 2)", values), y);
    EXPECT_EQ(outcome.rows, expected) << descr << outcome.error.what();
  };
  const auto both = [&]<class T>(const std::string& type, T) {
    const std::vector<T> values = {1, 2, 3, 4};
    expect((std::endian::native == std::endian::little ? "<" : ">") + type, npy_bytes(values));
    expect((std::endian::native == std::endian::little ? ">" : "<") + type, npy_bytes(values, true));
  };
  both("f4", float());
  both("f8", double());
  both("i2", std::int16_t());
  both("i4", std::int32_t());
  both("i8", std::int64_t());
  both("u2", std::uint16_t());
  both("u4", std::uint32_t());
  both("u8", std::uint64_t());
  expect("|i1", "\1\2\3\4");
  expect("|u1", "\1\2\3\4");
  const Reading negative = read_npy(shaped("|i1", "(2, 1)", "\xff\x80"), y);
  EXPECT_EQ(negative.rows, "1 0 0x1p+0 0x1p+0 0:-0x1p+0\n2 1 0x1p+0 0x1p+14 0:-0x1p+7\n");
  EXPECT_EQ(read_npy(shaped("|b1", "(2, 1)", std::string("\0\1", 2)), y).rows,
            "1 0 0x1p+0 0x0p+0 0:0x0p+0\n2 1 0x1p+0 0x1p+0 0:0x1p+0\n");
  for (const int version : {2, 3}) {
    EXPECT_EQ(read_npy(shaped("|u1", "(2, 2)", "\1\2\3\4", version), y).rows, expected);
  }
  // Rows of several dimensions are flattened.
  EXPECT_EQ(read_npy(shaped("|u1", "(2, 1, 2)", "\1\2\3\4"), y).rows, expected);
}

TEST(Npy, AnArrayInFortransOrderHasTheSameRows) {
  const std::string y = shaped("|u1", "(2,)", std::string("\0\1", 2));
  const struct {
    std::string shape, type, in_c, in_fortran;
  } cases[] = {{"(2, 1)", "|u1", "\1\2", "\1\2"},
               {"(2, 3)", "|u1", "\1\2\3\4\5\6", "\1\4\2\5\3\6"},
               {"(2, 2)", "<i2", npy_bytes<std::int16_t>({1, 2, 3, 4}), npy_bytes<std::int16_t>({1, 3, 2, 4})},
               // Value i, j, k is at i + 2 j + 4 k.
               {"(2, 2, 3)", "|u1", "\1\2\3\4\5\6\7\10\11\12\13\14", "\1\7\4\12\2\10\5\13\3\11\6\14"}};
  for (const auto& one : cases) {
    const std::string array =
        npy_text("{'descr': '" + one.type + "', 'fortran_order': True, 'shape': " + one.shape + ", }", one.in_fortran);
    const Reading expected = read_npy(shaped(one.type, one.shape, one.in_c), y);
    const Reading outcome = read_npy(array, y);
    EXPECT_FALSE(outcome.failed) << outcome.error.what();
    EXPECT_EQ(outcome.rows, expected.rows) << one.shape;
    const Folder archive;
    ReadOptions zipped;
    zipped.path = archive.write("a.npz", zip({{"X.npy", array}, {"y.npy", y}}, {.deflate = true}));
    EXPECT_EQ(read_all(zipped).rows, expected.rows) << one.shape;
  }
  // The label may be one of its columns.
  const Folder folder;
  ReadOptions options;
  options.path = folder.write(
      "X.npy", npy_text("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }", std::string("\0\1\5\6", 4)));
  options.columns.label = "1";
  EXPECT_EQ(read_all(options).rows, "1 0 0x1p+0 0x1.9p+4 0:0x1.4p+2\n2 1 0x1p+0 0x1.2p+5 0:0x1.8p+2\n");
  // A header may claim any size.
  options.path = folder.write(
      "X.npy", npy_text("{'descr': '<f8', 'fortran_order': True, 'shape': (4611686018427387904, 3), }", "\1\2\3"));
  EXPECT_EQ(read_all(options).error.message(), "the file ends before its array does");
}

TEST(Npy, LabelsMayBeNumbersTextsOrTruth) {
  const std::string x = shaped("|u1", "(2, 1)", "\1\2");
  const auto names = [&](const std::string& y) { return read_npy(x, y).schema.labels.names; };
  EXPECT_EQ(names(shaped("<f4", "(2,)", npy_bytes<float>({1.5F, -2}))), (Names{"-2", "1.5"}));
  EXPECT_EQ(names(shaped("<i8", "(2, 1)", npy_bytes<std::int64_t>({9007199254740993, 1}))),
            (Names{"1", "9007199254740993"}));
  EXPECT_EQ(names(shaped("|b1", "(2,)", std::string("\1\0", 2))), (Names{"false", "true"}));
  EXPECT_EQ(names(shaped("|S3", "(2,)", std::string("ab\0xyz", 6))), (Names{"ab", "xyz"}));
  EXPECT_EQ(names(shaped("<U2", "(2,)", npy_bytes<std::uint32_t>({0xe9, 0, 0x1f600, 0x61}))), (Names{"\xc3\xa9",
                                                                                                     "\xf0\x9f\x98\x80"
                                                                                                     "a"}));
}

TEST(Npy, WhatIsWrongWithAFileIsNamed) {
  const std::string y = shaped("|u1", "(2,)", std::string("\0\1", 2)), x = shaped("|u1", "(2, 2)", "\1\2\3\4");
  const std::string name = "a" + std::string(3, '\0');
  const struct {
    std::string x, y, reason;
  } cases[] = {
      {x, "", "where are the labels of these rows?"},
      {x, shaped("|u1", "(3,)", "\1\2\3"), "3 labels for the 2 rows of "},
      {x, shaped("|u1", "(2, 2)", "\1\2\3\4"), "2 values a row instead of one label"},
      {x.substr(0, x.size() - 1), y, "the file ends before its array does"},
      {x + "z", y, "the file continues after its array"},
      {x, y + "z", "the file continues after its array"},
      {x, "no array", "this is no array that numpy.save has written"},
      {shaped("|O", "(2, 2)", ""), y, "the values are Python objects, and to read these may run any program"},
      {x, shaped("|O", "(2,)", ""), "the values are Python objects, and to read these may run any program"},
      {shaped("<c16", "(2, 2)", ""), y, "values of the type '<c16' are not read"},
      {shaped("<f2", "(2, 2)", ""), y, "values of the type '<f2' are not read"},
      {shaped("<i99999999999", "(2, 2)", ""), y, "values of the type '<i99999999999' are not read"},
      {shaped("<U2", "(2, 1)", std::string(16, '\0')), y, "the values are texts, not numbers"},
      {npy_text("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 2), }", ""), y,
       "the rows are records of several types"},
      {npy_text("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", "\1"), y,
       "the file ends before its array does"},
      {npy_text("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }", "\1\2\3\4z"), y,
       "the file continues after its array"},
      {npy_text("{'descr': '<f8', 'shape': (2, 2), }", ""), y,
       "the header of the .npy file lacks a type, an order or a shape"},
      {npy_text("{'descr': , 'fortran_order': False, 'shape': (2, 2), }", ""), y, "the header has no type of values"},
      {shaped("<f8", "(2, x)", ""), y, "the header has no shape"},
      {shaped("<f8", "(2,)", ""), y, "the array has one dimension, and a row an example is read"},
      {shaped("<f8", "()", ""), y, "the array is a single value"},
      {shaped("<f8", "(0, 3)", ""), y, "no data rows: the array is empty"},
      {shaped("<f8", "(2, 99999999999)", ""), y, "more than 1048576 values in a row"},
      {x.substr(0, 6) + "\x09" + x.substr(7), y, "the .npy file has version 9, and 1 to 3 are known"},
      {x.substr(0, 9), y, "the file ends before its array does"},
  };
  for (const auto& one : cases) {
    const Reading outcome = read_npy(one.x, one.y);
    EXPECT_TRUE(outcome.error.message().starts_with(one.reason)) << outcome.error.what();
    EXPECT_FALSE(outcome.error.hint().empty()) << one.reason;
  }
}

TEST(Npy, BadRowsAreNamedAndLeaveTheOthers) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Folder folder;
  const auto read = [&](const std::vector<double>& values, ReadOptions options) {
    options.path =
        folder.write("t.npy", shaped("<f8", "(" + std::to_string(values.size() / 3) + ", 3)", npy_bytes(values)));
    return read_all(options);
  };
  ReadOptions options{.columns = {.weight = "2"}, .inference_rows = 2};
  const struct {
    std::vector<double> row;
    std::string reason;
  } cases[] = {{{inf, 1, 0}, "inf in column '1' is not finite"},
               {{1, -1, 0}, "-1 in column '2' is not a weight"},
               {{1, std::nan(""), 0}, "nan in column '2' is not a weight"},
               {{1, 1, 7}, "'7' is not a label of this data"},
               {{1, 1, std::nan("")}, "the label in column '3' is missing"},
               {{1, 1, inf}, "the label in column '3' is missing"}};
  for (const auto& one : cases) {
    std::vector<double> values = {1, 1, 0, 2, 1, 1, 0, 0, 0, 3, 2, 1};
    std::copy(one.row.begin(), one.row.end(), values.begin() + 6);
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 18}) {
      options.block_bytes = block_bytes;
      options.on_error = OnError::stop;
      const Reading stopped = read(values, options);
      EXPECT_EQ(stopped.error.message(), one.reason);
      EXPECT_EQ(stopped.error.line(), 3u);
      options.on_error = OnError::skip;
      EXPECT_EQ(read(values, options).rows,
                "1 0 0x1p+0 0x1p+0 0:0x1p+0\n2 1 0x1p+0 0x1p+2 0:0x1p+1\n4 1 0x1p+1 0x1.2p+3 0:0x1.8p+1\n");
    }
  }
}

TEST(Npy, AModelFindsItsColumnsByTheirPlaces) {
  const Folder folder;
  ReadOptions options{.path = folder.write("X.npy", shaped("|u1", "(2, 2)", "\1\2\3\4"))};
  folder.write("y.npy", shaped("|u1", "(2,)", std::string("\0\1", 2)));
  const Schema model = read_all(options).schema;
  ReadOptions known{.path = options.path, .schema = &model, .grow = false};
  EXPECT_EQ(read_all(known).rows, read_all(options).rows);
  ReadOptions capital = options;
  capital.path = folder.write("x.1.npy", shaped("|u1", "(2, 2)", "\1\2\3\4"));
  folder.write("Y.1.npy", shaped("|u1", "(2,)", std::string("\0\1", 2)));
  EXPECT_EQ(read_all(capital).rows, read_all(options).rows);
  known.labels.ignore = true;
  known.path = folder.write("new.npy", shaped("|u1", "(1, 2)", "\5\6"));
  EXPECT_EQ(read_all(known).rows, "1 -1 0x1p+0 0x1.e8p+5 0:0x1.4p+2 1:0x1.8p+2\n");
  known.path = folder.write("narrow.npy", shaped("|u1", "(4, 1)", "\5\6\7\1"));
  EXPECT_EQ(read_all(known).error.message(), "the data has 1 column, the model was learned from 3");
}

TEST(Npy, NothingDependsOnThreadsBlocksOrCompression) {
  std::mt19937_64 random(9);
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 3000; ++i) {
    for (int c = 0; c < 3; ++c)
      values.push_back(random() % 50 == 0 ? std::nanf("") : static_cast<float>(random() % 100));
    if (random() % 100 == 0) values.back() = std::numeric_limits<float>::infinity();
    labels.push_back(static_cast<std::int32_t>(random() % 3));
  }
  const std::string x = shaped("<f4", "(3000, 3)", npy_bytes(values)), y = shaped("<i4", "(3000,)", npy_bytes(labels));
  ReadOptions options{.on_error = OnError::skip};
  const Reading expected = read_npy(x, y, options);
  ASSERT_FALSE(expected.failed) << expected.error.what();
  EXPECT_GT(expected.report.rejected, 10u);
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4000}}) {
      options.threads = threads;
      options.block_bytes = block_bytes;
      const Reading outcome = read_npy(block_bytes == 100 ? gzip(x) : x, block_bytes == 4000 ? gzip(y) : y, options);
      EXPECT_TRUE(outcome.rows == expected.rows) << outcome.error.what();
      EXPECT_EQ(outcome.schema, expected.schema);
      EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
    }
  }
}

// What is guessed of a table is said.
TEST(Npy, ALabelThatIsTheLastColumnIsNoted) {
  const Folder folder;
  Names notes;
  ReadOptions options{.path = folder.write("y.npy", shaped("|u1", "(2, 3)", std::string("\1\0\0\0\1\1", 6))),
                      .on_note = [&](const ReadNote& note) { notes.push_back(note.text); }};
  EXPECT_FALSE(read_all(options).failed);
  EXPECT_EQ(notes, Names{"the last of 3 columns is taken for the label"});
  options.columns.label = "3";
  EXPECT_FALSE(read_all(options).failed);
  options.columns.label.clear();
  folder.write("y_2.npy", shaped("|u1", "(2,)", std::string("\0\1", 2)));
  options.path = folder.write("X_2.npy", shaped("|u1", "(2, 1)", "\1\2"));
  EXPECT_FALSE(read_all(options).failed);
  EXPECT_EQ(notes.size(), 1u);
}

}  // namespace
}  // namespace halfspace
