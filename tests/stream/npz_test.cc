// NumPy's archives through the whole reader: dense as the same arrays in files, SciPy's CSR as the same rows of LIBSVM, however
// they are packed; which arrays are taken; what is refused, damaged or hostile.

#include <sys/mman.h>
#include <unistd.h>

#include "npy_support.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

const std::vector<ZipForm> zip_forms = {{},
                                        {.deflate = true},
                                        {.zip64 = true},
                                        {.deflate = true, .descriptors = true, .zip64 = true},
                                        {.descriptors = true, .comment = "PK\x05\x06, and a comment"}};

Reading read_npz(const std::string& archive, ReadOptions options = {}) {
  const Folder folder;
  options.path = folder.write("data.npz", archive);
  return read_all(options);
}

std::string column(const std::string& descr, const std::string& values, std::size_t count) {
  return shaped(descr, "(" + std::to_string(count) + ",)", values);
}

TEST(Npz, ArraysGiveWhatFilesGive) {
  std::mt19937_64 random(5);
  std::vector<double> values;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 9000; ++i) {
    for (int c = 0; c < 3; ++c)
      values.push_back(random() % 50 == 0 ? std::nan("") : std::ldexp(static_cast<double>(random() % 1000), -5));
    labels.push_back(static_cast<std::int64_t>(random() % 3));
  }
  const std::string x = shaped("<f8", "(9000, 3)", npy_bytes(values)), y = column("<i8", npy_bytes(labels), 9000);
  const Folder folder;
  ReadOptions files{.path = folder.write("X.npy", x)};
  folder.write("y.npy", y);
  const Reading expected = read_all(files);
  ASSERT_FALSE(expected.failed) << expected.error.what();
  for (const ZipForm& form : zip_forms) {
    ReadOptions options;
    for (const unsigned threads : {1u, 3u}) {
      for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{4000}, std::size_t{1} << 18}) {
        options.threads = threads;
        options.block_bytes = block_bytes;
        const Reading outcome = read_npz(zip({{"X.npy", x}, {"y.npy", y}}, form), options);
        ASSERT_FALSE(outcome.failed) << outcome.error.what();
        EXPECT_TRUE(outcome.rows == expected.rows);
        EXPECT_EQ(outcome.schema, expected.schema);
        EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
      }
    }
    ReadOptions beside;
    const Folder other;
    beside.path = other.write("X_train.npz", zip({{"arr_0.npy", x}}, form));
    other.write("y_train.npy", y);
    EXPECT_TRUE(read_all(beside).rows == expected.rows);
  }
}

// A matrix, and the same as LIBSVM.
struct Matrix {
  std::vector<std::int64_t> indptr{0}, indices;
  std::vector<double> data;
  std::vector<std::int64_t> labels;
  std::string libsvm;
  std::int64_t columns = 40;

  std::vector<NamedArray> members(const std::string& places = "<i8", const std::string& values = "<f8") const {
    const auto packed = [](const std::string& descr, const auto& list) {
      std::string bytes;
      for (const auto one : list) {
        bytes += descr == "<i4"   ? npy_bytes<std::int32_t>({static_cast<std::int32_t>(one)})
                 : descr == ">i4" ? npy_bytes<std::int32_t>({static_cast<std::int32_t>(one)}, true)
                 : descr == "<i8" ? npy_bytes<std::int64_t>({static_cast<std::int64_t>(one)})
                 : descr == "<f4" ? npy_bytes<float>({static_cast<float>(one)})
                 : descr == ">f8" ? npy_bytes<double>({static_cast<double>(one)}, true)
                                  : npy_bytes<double>({static_cast<double>(one)});
      }
      return column(descr, bytes, list.size());
    };
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(labels.size()), columns};
    return {{"indices.npy", packed(places, indices)},   {"indptr.npy", packed(places, indptr)},
            {"format.npy", shaped("|S3", "()", "csr")}, {"shape.npy", packed("<i8", shape)},
            {"data.npy", packed(values, data)},         {"y.npy", packed("<i8", labels)}};
  }
};

// Each value a multiple of 1/8. Columns of a row descend where they are to be sorted.
Matrix random_matrix(int rows, bool descending = false) {
  std::mt19937_64 random(11);
  Matrix matrix;
  for (int i = 0; i < rows; ++i) {
    const auto label = static_cast<std::int64_t>(random() % 2);
    matrix.labels.push_back(label);
    matrix.libsvm += std::to_string(label);
    std::vector<std::pair<std::int64_t, double>> row;
    for (std::int64_t j = 0; i % 7 != 3 && j < matrix.columns; ++j) {
      if (random() % 4 == 0) row.emplace_back(j, static_cast<double>(random() % 64) / 8 - 1);
    }
    for (const auto& [j, value] : row)
      matrix.libsvm += " " + std::to_string(j + 1) + ":" + (std::ostringstream() << value).str();
    matrix.libsvm += "\n";
    if (descending) std::reverse(row.begin(), row.end());
    for (const auto& [j, value] : row) {
      matrix.indices.push_back(j);
      matrix.data.push_back(value);
    }
    matrix.indptr.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  return matrix;
}

TEST(Npz, ASparseMatrixGivesWhatLibsvmGives) {
  const Matrix matrix = random_matrix(2000), turned = random_matrix(2000, true);
  Reading expected = read_text(matrix.libsvm);
  ASSERT_FALSE(expected.failed) << expected.error.what();
  const auto expect = [&](const Reading& outcome) {
    ASSERT_FALSE(outcome.failed) << outcome.error.what();
    EXPECT_TRUE(outcome.rows == expected.rows);
    EXPECT_EQ(outcome.schema.format, DataFormat::csr);
    expected.schema.format = DataFormat::csr;
    EXPECT_EQ(outcome.schema, expected.schema);
    EXPECT_EQ(outcome.schema.feature_names(), expected.schema.feature_names());
  };
  for (const ZipForm& form : zip_forms) expect(read_npz(zip(matrix.members(), form)));
  for (const std::string places : {"<i4", ">i4", "<i8"}) {
    for (const std::string values : {"<f4", "<f8", ">f8"})
      expect(read_npz(zip(matrix.members(places, values), {.deflate = true})));
  }
  expect(read_npz(zip(turned.members("<i4"))));
  const std::string archive = zip(matrix.members("<i4"), {.deflate = true});
  const Reading whole = read_npz(archive);
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4000}}) {
      const Reading outcome = read_npz(archive, {.threads = threads, .block_bytes = block_bytes});
      expect(outcome);
      EXPECT_EQ(outcome.report.fingerprint, whole.report.fingerprint);
    }
  }
}

TEST(Npz, LabelsOfAMatrixMayLieBesideIt) {
  const Matrix matrix = random_matrix(50);
  std::vector<NamedArray> members = matrix.members();
  const std::string y = members.back().bytes;
  const Reading expected = read_npz(zip(members));
  members.back().name = "Labels.npy";
  EXPECT_EQ(read_npz(zip(members)).rows, expected.rows);
  members.pop_back();
  const Folder folder;
  ReadOptions options{.path = folder.write("X.npz", zip(members))};
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::no_input);
  folder.write("y.npy", y);
  EXPECT_EQ(read_all(options).rows, expected.rows);
  const Reading nowhere = read_npz(zip(members));
  EXPECT_TRUE(nowhere.error.message().starts_with("where are the labels of these rows?")) << nowhere.error.what();
  // A model finds its features by their columns, and refuses a matrix with fewer.
  const Schema model = expected.schema;
  ReadOptions known{.labels = {.ignore = true}, .schema = &model, .grow = false};
  EXPECT_FALSE(read_npz(zip(members), known).failed);
  Matrix narrow = matrix;
  narrow.columns = static_cast<std::int64_t>(model.features) - 1;
  const Reading refused = read_npz(zip(narrow.members()), known);
  ASSERT_TRUE(refused.failed);
  EXPECT_TRUE(refused.error.message().find("the model was learned from at least") != std::string::npos);
  // Columns that the model does not know are left out, and counted.
  Schema small = model;
  small.features = 10;
  known.schema = &small;
  EXPECT_GT(read_npz(zip(members), known).report.unknown_features, 100u);
}

TEST(Npz, ArraysAreTakenByTheirNames) {
  const std::string x = shaped("|u1", "(2, 2)", "\1\2\3\4"), y = column("|u1", std::string("\0\1", 2), 2),
                    other = shaped("|u1", "(3, 1)", "\1\2\3"), objects = shaped("|O", "(2,)", "");
  const std::string expected = "1 0 0x1p+0 0x1.4p+2 0:0x1p+0 1:0x1p+1\n2 1 0x1p+0 0x1.9p+4 0:0x1.8p+1 1:0x1p+2\n";
  const auto read = [&](std::vector<NamedArray> members, Names arrays = {}, bool ignore_labels = false) {
    return read_npz(zip(members), {.labels = {.ignore = ignore_labels}, .arrays = std::move(arrays)});
  };
  for (const auto& [rows, labels] : std::vector<std::pair<std::string, std::string>>{
           {"X", "y"}, {"x_train", "y_train"}, {"data", "labels"}, {"X", "target"}}) {
    EXPECT_EQ(read({{"a.npy", other}, {labels + ".npy", y}, {rows + ".npy", x}}).rows, expected) << rows;
  }
  EXPECT_EQ(read({{"data.npy", other}, {"labels.npy", y}, {"X.npy", x}, {"y.npy", y}}).rows, expected);
  EXPECT_EQ(read({{"a.npy", x}, {"b.npy", y}, {"o.npy", objects}}, {"a", "b"}).rows, expected);
  EXPECT_EQ(read({{"X.npy", other}, {"a.npy", x}, {"y.npy", y}}, {"a.npy", "y"}).rows, expected);
  EXPECT_EQ(read({{"a.npy", x}, {"b.txt", "text"}}).schema.labels.names, (Names{"2", "4"}));
  EXPECT_EQ(read({{"a.npy", x}, {"b.npy", y}}, {"a"}).schema.labels.names, (Names{"2", "4"}));
  const struct {
    Reading outcome;
    ErrorKind kind;
    std::string reason;
  } cases[] = {
      {read({{"a.npy", x}, {"b.npy", y}, {"o.npy", objects}}), ErrorKind::data,
       "which of the arrays are the rows, and which the labels? 'a' '|u1' of (2, 2), 'b' '|u1' of (2,), 'o' '|O' of "
       "(2,)"},
      {read({{"X.npy", x}, {"x.npy", x}, {"y.npy", y}}), ErrorKind::data, "which of the arrays are the rows"},
      {read({{"X.npy", x}, {"z.npy", y}}), ErrorKind::data, "which of the arrays are the rows"},
      {read({{"a.npy", x}}, {"c"}), ErrorKind::usage, option("arrays") + ": there is no array 'c'"},
      {read({{"a.npy", x}}, {"a", "a", "a"}), ErrorKind::usage, option("arrays") + " names one array of rows"},
      {read({{"X.npy", other}, {"y.npy", y}}), ErrorKind::data, "2 labels for the 3 rows of "},
      {read({{"X.npy", x}, {"y.npy", x}}), ErrorKind::data, "2 values a row instead of one label"},
      {read({{"X.npy", objects}, {"y.npy", y}}), ErrorKind::data, "the values are Python objects"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(one.outcome.error.kind(), one.kind) << one.outcome.error.what();
    EXPECT_TRUE(one.outcome.error.message().starts_with(one.reason)) << one.outcome.error.what();
    EXPECT_FALSE(one.outcome.error.hint().empty());
  }
  EXPECT_EQ(read_text("+1 1:1\n-1 1:2\n", {.arrays = {"X"}}).error.kind(), ErrorKind::usage);
}

TEST(Npz, WhatIsTakenIsSaid) {
  const std::string x = shaped("|u1", "(2, 2)", "\1\2\3\4"), y = column("|u1", std::string("\0\1", 2), 2);
  Names notes;
  ReadOptions options{.on_note = [&](const ReadNote& note) { notes.push_back(note.text); }};
  read_npz(zip({{"x_test.npy", x}, {"x_train.npy", x}, {"y_train.npy", y}}), options);
  EXPECT_EQ(notes, Names{"'x_train' and 'y_train' are read of the archive, and not 'x_test'"});
  notes.clear();
  read_npz(zip({{"X.npy", x}, {"y.npy", y}}), options);
  EXPECT_EQ(notes, Names{});
  read_npz(zip({{"t.npy", x}}), options);
  EXPECT_EQ(notes, Names{"the last of 2 columns is taken for the label"});
}

TEST(Npz, WhatIsWrongWithAMatrixIsNamed) {
  const auto changed = [](const std::string& name, const std::string& bytes) {
    std::vector<NamedArray> members = random_matrix(20).members();
    for (NamedArray& one : members) {
      if (one.name == name) one.bytes = bytes;
    }
    return read_npz(zip(members));
  };
  const auto with = [](auto change) {
    Matrix matrix = random_matrix(20);
    change(matrix);
    return read_npz(zip(matrix.members()));
  };
  const auto list = [](const std::vector<std::int64_t>& values) {
    return column("<i8", npy_bytes(values), values.size());
  };
  const struct {
    Reading outcome;
    std::string reason;
  } cases[] = {
      {changed("format.npy", shaped("|S3", "()", "csc")), "a sparse matrix of the form 'csc', and csr is read"},
      {changed("format.npy", shaped("|u1", "()", "\1")), "a sparse matrix of the form '', and csr is read"},
      {changed("shape.npy", list({20})), "a sparse matrix whose shape is not two whole numbers"},
      {changed("shape.npy", list({20, std::int64_t{1} << 60})), "a matrix of 20 rows and 1152921504606846976 columns"},
      {changed("shape.npy", list({0, 5})), "a matrix of 0 rows and 5 columns"},
      {changed("shape.npy", list({std::int64_t{1} << 60, 40})), "21 offsets for a matrix of 1152921504606846976 rows"},
      {changed("shape.npy", list({20, 3})), "column "},
      {changed("indptr.npy", shaped("<i8", "(1152921504606846976,)", "")),
       "1152921504606846976 offsets for a matrix of 20 rows"},
      {changed("indptr.npy", column("<f8", std::string(168, '\0'), 21)), "offsets and columns must be whole numbers"},
      {changed("data.npy", shaped("|O", "(3,)", "")), "the values are Python objects"},
      {changed("y.npy", list({1, 2, 3})), "3 labels for a matrix of 20 rows"},
      {with([](Matrix& m) { m.indptr[0] = 1; }), "the rows begin at value 1, not 0"},
      {with([](Matrix& m) { m.indptr[2] = m.indptr[1] - 1; }), "row 2 ends at value "},
      {with([](Matrix& m) { m.indptr[2] = std::int64_t{1} << 60; }), "row 2 ends at value 1152921504606846976"},
      {with([](Matrix& m) { m.indptr[2] = -1; }), "row 2 ends at value -1"},
      {with([](Matrix& m) { m.indptr.back() -= 1; }), "the last row ends at value "},
      {with([](Matrix& m) { m.data.pop_back(); }), std::to_string(random_matrix(20).indices.size()) + " columns for "},
      {with([](Matrix& m) { m.indices[1] = m.indices[0]; }), "column '"},
      {with([](Matrix& m) { m.indices[1] = 40; }), "column 40 in a matrix of 40 columns, which are counted from 0"},
      {with([](Matrix& m) { m.indices[1] = -7; }), "column -7 in a matrix of 40 columns, which are counted from 0"},
      {with([](Matrix& m) { m.indices[1] = (std::int64_t{1} << 32) + 1; }), "column 4294967297 in a matrix of"},
      {with([](Matrix& m) { m.data[0] = std::nan(""); }), "nan in column '"},
      {with([](Matrix& m) { m.data[0] = -std::numeric_limits<double>::infinity(); }), "-inf in column '"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(one.outcome.error.kind(), ErrorKind::data);
    EXPECT_TRUE(one.outcome.error.message().starts_with(one.reason)) << one.reason << one.outcome.error.what();
    EXPECT_FALSE(one.outcome.error.hint().empty()) << one.reason;
  }
  for (const std::string missing : {"indices.npy", "indptr.npy", "data.npy", "shape.npy", "format.npy"}) {
    std::vector<NamedArray> members = random_matrix(20).members();
    std::erase_if(members, [&](const NamedArray& one) { return one.name == missing; });
    EXPECT_TRUE(read_npz(zip(members)).failed) << missing;
  }
}

TEST(Npz, BadRowsOfAMatrixLeaveTheOthers) {
  const Matrix matrix = random_matrix(20);
  Matrix bad = matrix;
  bad.data[static_cast<std::size_t>(bad.indptr[4])] = std::nan("");
  bad.indices[static_cast<std::size_t>(bad.indptr[5])] = 99;
  std::string expected;
  std::istringstream lines(read_npz(zip(matrix.members())).rows);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("5 ") && !line.starts_with("6 ")) expected += line + "\n";
  }
  ReadOptions options{.on_error = OnError::skip};
  const Reading outcome = read_npz(zip(bad.members()), options);
  EXPECT_EQ(outcome.rows, expected) << outcome.error.what();
  EXPECT_EQ(outcome.report.rejected, 2u);
}

// A regular file that no disk holds, written anew many times.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("npz", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string hold(const std::string& text) const {
    EXPECT_EQ(::ftruncate(descriptor_, 0), 0);
    EXPECT_EQ(::pwrite(descriptor_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

// Whatever byte is changed or the last: the same rows, or an error of the data.
TEST(Npz, DamageIsAnErrorOrHarmless) {
  const std::string x = shaped("|u1", "(4, 3)", std::string("\1\2\3\4\5\6\7\1\2\3\4\5", 12)),
                    y = column("|u1", std::string("\0\1\1\0", 4), 4);
  const Matrix matrix = random_matrix(6);
  for (const ZipForm& form : zip_forms) {
    for (const std::string& archive : {zip({{"X.npy", x}, {"y.npy", y}}, form), zip(matrix.members("<i4"), form)}) {
      const MemoryFile file;
      ReadOptions options{.threads = 1};
      const auto read = [&](const std::string& text) {
        options.path = file.hold(text);
        return read_all(options);
      };
      const Reading expected = read(archive);
      ASSERT_FALSE(expected.failed) << expected.error.what();
      for (std::size_t i = 0; i < archive.size(); ++i) {
        const Reading cut = read(archive.substr(0, i));
        EXPECT_TRUE(cut.failed || (i > 0 && i < 4)) << "P and PK are labels of LIBSVM; byte " << i;
        if (cut.failed) {
          EXPECT_EQ(cut.error.kind(), ErrorKind::data) << cut.error.what();
        }
        for (const char mask : {'\x01', '\x20', '\xff'}) {
          std::string flipped = archive;
          flipped[i] = static_cast<char>(flipped[i] ^ mask);
          const Reading outcome = read(flipped);
          if (outcome.failed) {
            EXPECT_EQ(outcome.error.kind(), ErrorKind::data) << i << outcome.error.what();
          } else {
            EXPECT_EQ(outcome.rows, expected.rows) << i;
          }
        }
      }
    }
  }
}

TEST(Npz, HostileArchivesAreRefusedByName) {
  const std::string x = shaped("|u1", "(2, 2)", "\1\2\3\4"), y = column("|u1", std::string("\0\1", 2), 2);
  const std::uint64_t huge = std::uint64_t{1} << 60;
  const auto read = [&](const ZipForm& form) { return read_npz(zip({{"X.npy", x}, {"y.npy", y}}, form)); };
  const auto cut_directory = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return read_npz(text);
  };
  const std::string plain = zip({{"X.npy", x}, {"y.npy", y}});
  std::string bomb = shaped("<f8", "(1152921504606846976, 1)", std::string(1 << 20, '\0'));
  const struct {
    Reading outcome;
    std::string reason;
  } cases[] = {
      {read({.zip64 = true, .add_to_size = huge, .add_to_packed = huge}),
       "the sizes do not fit into the file: 'y.npy'"},
      {read({.zip64 = true, .add_to_header = huge}), "the sizes do not fit into the file: 'y.npy'"},
      {read({.zip64 = true, .add_to_header = ~std::uint64_t{39}}),
       "the arrays 'X.npy' and 'y.npy' lie in the same bytes"},
      {read({.deflate = true, .zip64 = true, .add_to_size = huge}), "the array holds less than the directory says"},
      {read({.deflate = true, .add_to_size = ~std::uint64_t{0}}), "the array holds more than the directory says"},
      {read({.add_to_crc = 1}), "the checksum is incorrect: the array is damaged"},
      {read({.deflate = true, .add_to_crc = 1}), "the checksum is incorrect: the array is damaged"},
      {read({.flags = 1}), "an array is encrypted: 'y.npy'"},
      {read({.method = 14}), "is compressed by method 14 of zip"},
      {read_npz(zip({{"X.npy", x}, {"y.npy", y}, {"y.npy", y}})), "two arrays have the same name: 'y.npy'"},
      {read_npz(zip({{"a.npy", bomb}}, {.deflate = true})), "the file ends before its array does"},
      {read_npz(zip({{"a.npy", shaped("|u1", "(2, 1152921504606846976)", "")}})), "more than 1048576 values in a row"},
      {read_npz(zip({{"X.npy", x + "z"}, {"y.npy", y}})), "the file continues after its array"},
      {read_npz(zip({{"X.npy", x}, {"y.npy", y + "z"}})), "the file continues after its array"},
      {cut_directory(plain, std::string("\2\0\2\0", 4), std::string("\2\0\3\0", 4)),
       "the directory of the zip archive is said to have 3 entries, and has 2"},
      {cut_directory(plain, "PK\x05\x06" + std::string(2, '\0'), std::string("PK\x05\x06\1\0", 6)),
       "the zip archive is one of several parts"},
      {cut_directory(plain, "PK\x01\x02", "PK\x01\x03"), "the directory of the zip archive has no entry at byte "},
      {read_npz("PK\x03\x04" + plain.substr(4, 200)), "the zip archive is cut: it has no directory at its end"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(one.outcome.error.kind(), ErrorKind::data) << one.reason;
    EXPECT_TRUE(one.outcome.error.message().starts_with(one.reason)) << one.reason << one.outcome.error.what();
    EXPECT_TRUE(one.outcome.error.file().find("data.npz") != std::string::npos) << one.outcome.error.what();
    EXPECT_FALSE(one.outcome.error.hint().empty()) << one.reason;
  }
  // 20,000 entries, none of them an array but the first.
  std::vector<NamedArray> many = {{"X.npy", x}};
  for (int i = 0; i < 30'000; ++i) many.push_back({std::to_string(i), ""});
  EXPECT_EQ(read_npz(zip(many)).error.message(), "the directory of the zip archive is longer than 1 MiB");
}

// Bytes that are line ends say nothing of how many rows are there: a row may be longer than what is first looked at.
TEST(Npz, LongRowsOfLineEndsAreRead) {
  constexpr std::size_t width = 700'000;
  const std::string x = shaped("|u1", "(5, " + std::to_string(width) + ")", std::string(5 * width, '\n')),
                    y = column("|u1", std::string("\0\1\1\0\1", 5), 5);
  ReadOptions options;
  for (const std::uint64_t rows : {1u, 10'000u}) {
    options.inference_rows = rows;
    const Reading dense = read_npz(zip({{"X.npy", x}, {"y.npy", y}}), options);
    EXPECT_FALSE(dense.failed) << dense.error.what();
    EXPECT_EQ(dense.report.stored, 5 * width);
    Matrix matrix;
    matrix.columns = 0x0a0a0a0a;
    matrix.labels = {0, 1, 1};
    for (int i = 0; i < 3; ++i) {
      for (std::int64_t j = 0; j < 100'000; ++j) {
        matrix.indices.push_back(j << 8 | 10);
        matrix.data.push_back(10);
      }
      matrix.indptr.push_back(static_cast<std::int64_t>(matrix.indices.size()));
    }
    const Reading sparse = read_npz(zip(matrix.members("<i8")), options);
    EXPECT_FALSE(sparse.failed) << sparse.error.what();
    EXPECT_EQ(sparse.report.stored, 300'000u);
  }
}

// Nor have bytes lines to show where a row is bad, wherever blocks end.
TEST(Npz, BytesAreNotShownAsText) {
  const std::string x = shaped("<f8", "(3, 1)", npy_bytes<double>({10, 1e300, 2.5})),
                    y = column("|u1", std::string("\0\1\n", 3), 3);
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 18}) {
    ReadOptions options{.block_bytes = block_bytes, .single = true};
    const Reading outcome = read_npz(zip({{"X.npy", x}, {"y.npy", y}}), options);
    EXPECT_EQ(outcome.error.line(), 2u);
    EXPECT_EQ(outcome.error.text(), "");
  }
}

// What reads only at one place, or is a zip of something else, is refused by name.
TEST(Npz, OnlyAFileIsRead) {
  const std::string archive = zip({{"X.npy", shaped("|u1", "(2, 2)", "\1\2\3\4")}});
  EXPECT_TRUE(read_npz(gzip(archive)).error.message().starts_with("the arrays of an .npz are read in parallel"));
  EXPECT_TRUE(read_npz(zip({{"a.txt", "1 1:1\n"}})).error.message().starts_with("this is zip, and what is read"));
  const Folder folder;
  ReadOptions two{.path = folder.write("a.npz", archive), .more = {folder.write("b.npz", archive)}};
  EXPECT_EQ(read_all(two).error.message(), "is an .npz, which cannot be combined with other files");
  two.path = folder.write("a.svm", "+1 1:1\n-1 1:2\n");
  EXPECT_EQ(read_all(two).error.message(), "is an .npz, which cannot be combined with other files");
  ReadOptions csv;
  csv.format = DataFormat::csv;
  EXPECT_EQ(read_npz(archive, csv).error.message(), "is an .npz of arrays, where CSV data is expected");
  csv.format = DataFormat::csr;
  EXPECT_EQ(read_npz(archive, csv).error.message(), "is an .npz of arrays, where SciPy's CSR data is expected");
  csv.format = DataFormat::npy;
  EXPECT_FALSE(read_npz(archive, csv).failed);
  csv.format = DataFormat::csr;
  EXPECT_FALSE(read_npz(zip(random_matrix(20).members()), csv).failed);
  EXPECT_EQ(read_text("1,2\n", csv).error.message(), "looks like CSV, where SciPy's CSR data is expected");
}

}  // namespace
}  // namespace halfspace
