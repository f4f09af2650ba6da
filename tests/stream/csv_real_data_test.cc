// Tables that nobody here wrote, through the whole reader.

#include "stream/csv_driver.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

struct Data {
  Schema schema;
  ReadReport report;
  std::vector<CsvRow> rows;
  bool dense = true;
};

class CsvRealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("HALFSPACE_DATA");
    folder_ = folder != nullptr ? std::filesystem::path(folder)
                                : std::filesystem::path(HALFSPACE_SOURCE_DIR) / ".." / "shared" / "data";
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "no data sets in " << folder_ << ": set HALFSPACE_DATA";
  }

  Data read(const std::string& name, ReadOptions options = {}) const {
    options.path = (folder_ / name).string();
    Reader reader(options);
    Data data;
    reader.read([&](const Block& block) {
      data.dense = data.dense && block.dense;
      for (std::size_t i = 0; i < block.rows; ++i) {
        block.with_example(i, [&](const auto& x) {
          CsvRow row{x.row, 0, x.label, x.weight, {}};
          for (std::uint32_t k = 0; k < x.size; ++k) row.values.emplace_back(x.index[k], x.value_at(k));
          data.rows.push_back(std::move(row));
        });
      }
      return true;
    });
    data.schema = reader.schema();
    data.report = reader.report();
    return data;
  }

  void expect_the_same_numbers(const Data& csv, const Data& libsvm) const {
    ASSERT_EQ(csv.rows.size(), libsvm.rows.size());
    for (std::size_t i = 0; i < csv.rows.size(); ++i) {
      std::vector<std::pair<std::uint32_t, double>> nonzero = csv.rows[i].values;
      std::erase_if(nonzero, [](const auto& value) { return value.second == 0; });
      ASSERT_EQ(nonzero, libsvm.rows[i].values) << "row " << i + 1;
      ASSERT_EQ(csv.rows[i].label, libsvm.rows[i].label) << "row " << i + 1;
    }
  }

  static ReadOptions without_header() {
    ReadOptions options{.table = {.header = false}};
    return options;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(CsvRealData, CreditApproval) {
  const Data crx = read("crx/crx.data");
  EXPECT_EQ(crx.rows.size(), 690U);
  EXPECT_EQ(crx.schema.features, 53U);
  EXPECT_EQ(crx.schema.labels.names, (Names{"yno.", "yyes."}));
  EXPECT_EQ(crx.report.class_rows, (std::vector<std::uint64_t>{383, 307}));
  std::size_t numeric = 0, missing = 0;
  for (const Column& column : crx.schema.columns) {
    numeric += column.kind == Column::Kind::numeric ? 1 : 0;
    missing += column.missing_feature != Column::no_feature ? 1 : 0;
  }
  EXPECT_EQ(numeric, 6U);
  EXPECT_EQ(missing, 7U);
  // The conversion of the set has its features in its own order: per row there are equally many that are not 0.
  const Data libsvm = read("crx/crx.libsvm");
  for (std::size_t i = 0; i < crx.rows.size(); ++i) {
    const auto& values = crx.rows[i].values;
    EXPECT_EQ(values.size(), 15U);
    EXPECT_EQ(static_cast<std::size_t>(
                  std::count_if(values.begin(), values.end(), [](const auto& value) { return value.second != 0; })),
              libsvm.rows[i].values.size());
  }
}

TEST_F(CsvRealData, GermanCredit) {
  const Data german = read("german_credit/german.csv", without_header());
  EXPECT_EQ(german.rows.size(), 1000U);
  EXPECT_EQ(german.schema.features, 61U);
  EXPECT_EQ(german.schema.labels.names, (Names{"1", "2"}));
  EXPECT_EQ(german.report.class_rows, (std::vector<std::uint64_t>{700, 300}));
  EXPECT_EQ(german.report.rejected, 0U);
}

TEST_F(CsvRealData, Iris) {
  const Data iris = read("iris/iris.csv", without_header());
  EXPECT_EQ(iris.schema.labels.names, (Names{"Iris-setosa", "Iris-versicolor", "Iris-virginica"}));
  EXPECT_TRUE(iris.dense);
  expect_the_same_numbers(iris, read("iris/iris.libsvm"));
}

TEST_F(CsvRealData, BreastCancer) {
  const Data wdbc = read("wdbc/wdbc.data");
  EXPECT_EQ(wdbc.schema.labels.names, (Names{"B", "M"}));
  EXPECT_EQ(wdbc.schema.features, 30U);
  EXPECT_TRUE(wdbc.dense);
  expect_the_same_numbers(wdbc, read("wdbc/wdbc.libsvm"));
}

TEST_F(CsvRealData, ElectricityCompressed) {
  const Data electricity = read("electricity/electricity.csv.gz");
  EXPECT_EQ(electricity.report.compression, "gzip");
  EXPECT_EQ(electricity.report.rows, 45312U);
  EXPECT_EQ(electricity.report.class_rows, (std::vector<std::uint64_t>{26075, 19237}));
  EXPECT_EQ(electricity.schema.features, 6U);
  EXPECT_TRUE(electricity.dense);
}

TEST_F(CsvRealData, ThreadsAndBlocksMakeNoDifference) {
  for (const char* name : {"crx/crx.data", "wdbc/wdbc.data"}) {
    const Data expected = read(name);
    for (const unsigned threads : {1U, 2U, 5U}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{300}, std::size_t{1} << 20}) {
        const Data data = read(name, {.threads = threads, .block_bytes = bytes});
        EXPECT_EQ(data.rows, expected.rows);
        EXPECT_EQ(data.schema, expected.schema);
        EXPECT_EQ(data.report.fingerprint, expected.report.fingerprint);
      }
    }
  }
}

}  // namespace
}  // namespace halfspace::stream
