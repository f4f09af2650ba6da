// CSV through the whole reader: what the pipeline and the format must agree on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"

namespace halfspace::stream {
namespace {

class CsvReader : public ::testing::Test {
 protected:
  CsvReader()
      : path_(::testing::TempDir() + "halfspace_csv_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + std::to_string(getpid()) +
              ".csv") {
    options.path = path_;
    options.format = DataFormat::csv;
  }
  ~CsvReader() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  struct Seen {
    std::vector<std::uint64_t> rows;
    std::vector<std::uint32_t> indices;
    std::uint64_t rejected = 0;
    Schema schema;
    bool operator==(const Seen&) const = default;
  };
  Seen read() const {
    Seen seen;
    Reader reader(options);
    reader.read([&](const Block& block) {
      seen.rows.insert(seen.rows.end(), block.row, block.row + block.rows);
      seen.indices.insert(seen.indices.end(), block.index, block.index + block.stored());
      return true;
    });
    seen.rejected = reader.report().rejected;
    seen.schema = reader.schema();
    return seen;
  }

  ReadOptions options;

 private:
  std::string path_;
};

TEST_F(CsvReader, ALabelOfNearlyAsManyClassesAsRowsIsToldBeforeARowIsGiven) {
  for (const int classes : {14, 15, 30}) {
    std::string text = "n,name\n", said;
    for (int i = 0; i < 30; ++i) text += "1,v" + std::to_string(i % classes) + "\n";
    write(text);
    options.on_note = [&](const ReadNote& note) { said += note.text + " " + note.fix; };
    const Reader reader(options);
    EXPECT_EQ(said.find("'name' has " + std::to_string(classes) + " different values in 30 rows") != std::string::npos,
              classes >= 15)
        << said;
  }
}

TEST_F(CsvReader, ABadRowIsLocated) {
  write("\n n ,c,y\r\n1,\"two\nlines\",a\r\n2,x,b\r\n\r\n3 , x\",b\r\n");
  try {
    read();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.file(), options.path);
    EXPECT_EQ(error.line(), 7U);
    EXPECT_EQ(error.column(), 6U);
    EXPECT_EQ(error.text(), "3 , x\",b");
  }
}

TEST_F(CsvReader, SkippingIsTheFileWithoutTheBadRows) {
  options.on_error = OnError::skip;
  options.inference_rows = 2;
  write("n,c,y\nx\n1,u,a\n2,\"v\"w,z\n3,v,b\n4,w,c\n5,q,b,\n6,x,a\n7,u,a\n");
  const Seen with = read();
  EXPECT_EQ(with.rows, (std::vector<std::uint64_t>{2, 4, 7, 8}));
  EXPECT_EQ(with.rejected, 4U);
  write("n,c,y\n1,u,a\n3,v,b\n6,x,a\n7,u,a\n");
  const Seen without = read();
  EXPECT_EQ(with.schema, without.schema);
  EXPECT_EQ(with.indices, without.indices);
}

// However little of an overlong record is held at once, it ends at the same place.
TEST_F(CsvReader, OverlongRecordsDoNotDependOnTheBlocks) {
  options.on_error = OnError::skip;
  options.line_limit = 20;
  const std::vector<std::string> overlong = {
      "\"open,a\nu,a\nv,a\nw,b\nu,a\nu,b\nv,a\n",
      "\"0123456789\n0123456789\n01234\",a\nu,a\n",
      "0123456789012345,\"x\ny\nz\",a\n",
      "0123456789012345678901234,\"x\ny\nz\",a\nu,b\n",
      "\"0123456789012345678\"\"\"\"\"\"\"\"\n,a\nu,b\n",
      std::string(30, ' ') + "\nu,a\n",
      std::string(30, ' ') + "u,a\nv,b\n",
      std::string(17, 'x') + ",a\r\n" + std::string(18, 'x') + ",a\r\n" + std::string(19, 'x') + ",a\r\n" +
          std::string(20, 'x') + ",a\r\n" + std::string(21, 'x') + ",a\r\n",
  };
  for (const std::string& record : overlong) {
    write("c,y\nu,a\nv,b\n" + record + "v,a\n" + record + "z,b\n");
    options.block_bytes = 1 << 20;
    const Seen whole = read();
    EXPECT_GT(whole.rejected, 0U) << record;
    for (options.block_bytes = 1; options.block_bytes < 150; ++options.block_bytes) {
      ASSERT_EQ(read(), whole) << record << "\nblock of " << options.block_bytes;
    }
  }
}

TEST_F(CsvReader, ASecondPassSeesTheSame) {
  write("n,c,y\n1,u,a\n?,v,b\n3,w,a\n");
  Reader reader(options);
  std::vector<std::uint32_t> first, second;
  for (std::vector<std::uint32_t>* indices : {&first, &second}) {
    reader.read([&](const Block& block) {
      indices->insert(indices->end(), block.index, block.index + block.stored());
      return true;
    });
  }
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 4}));
  EXPECT_EQ(first, second);
}

TEST_F(CsvReader, RowNormalisationIsKeptWithAKnownSchema) {
  write("n,m,y\n3,4,a\n1,0,b\n");
  const Schema schema = read().schema;
  options.schema = &schema;
  options.row_normalised = true;
  Reader reader(options);
  EXPECT_TRUE(reader.schema().row_normalised);
  reader.read([&](const Block& block) {
    EXPECT_NEAR(block.squared_norm[0], 1, 1e-12);
    return true;
  });
}

TEST_F(CsvReader, ClassAndRowWeightsMultiply) {
  write("n,w,y\n3,2,a\n1,0.5,b\n");
  options.columns.weight = "w";
  options.labels.class_weights = {{"b", 3}};
  Reader(options).read([&](const Block& block) {
    EXPECT_EQ(block.weight[0], 2);
    EXPECT_EQ(block.weight[1], 1.5);
    return true;
  });
}

}  // namespace
}  // namespace halfspace::stream
