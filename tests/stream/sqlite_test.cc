// Tables of SQLite: read as their export to CSV is, and refused in words.
#include <sqlite3.h>

#include "stream/sqlite/database.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using stream::sqlite_format;

// Makes a database by these statements. Returns its path.
std::string database(const Folder& folder, const char* sql) {
  const std::string path = folder.path("d.sqlite");
  sqlite3* opened = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(opened, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(opened);
  sqlite3_close(opened);
  return path;
}

Reading read_sql(const char* sql, ReadOptions options = {}) {
  const Folder folder;
  options.path = database(folder, sql);
  return read_all(options);
}

constexpr const char* customers =
    "CREATE TABLE customers(age REAL, city TEXT, \"a,b\" INTEGER, label TEXT);"
    "INSERT INTO customers VALUES(31, 'Leeds', 1, 'yes'), (42.5, 'York, \"old\"', -7, 'no'),"
    "  (NULL, 'York, \"old\"', 9007199254740993, 'yes'), (1e300, 'two\nlines', 0, 'no'), (0.1, NULL, 3, 'no');";
constexpr const char* customers_as_csv =
    "age,city,\"a,b\",label\n31,Leeds,1,yes\n42.5,\"York, \"\"old\"\"\",-7,no\n"
    ",\"York, \"\"old\"\"\",9007199254740993,yes\n1e+300,\"two\nlines\",0,no\n0.1,,3,no\n";

TEST(Sqlite, ATableIsReadAsItsExportIs) {
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{40}, std::size_t{1} << 20}) {
    ReadOptions options{.block_bytes = block_bytes};
    if (block_bytes > 1) options.columns.logarithms = {{"age", 0.1, 2}};
    const Reading rows = read_sql(customers, options);
    Reading expected = read_text(customers_as_csv, options);
    ASSERT_FALSE(rows.failed) << rows.error.what();
    ASSERT_FALSE(expected.failed) << expected.error.what();
    EXPECT_EQ(rows.rows, expected.rows);
    EXPECT_EQ(rows.report.fingerprint, expected.report.fingerprint);
    expected.schema.format = sqlite_format;
    EXPECT_EQ(rows.schema, expected.schema);
    EXPECT_EQ(name_of(rows.schema.format), "sqlite");
  }
}

TEST(Sqlite, EveryPassSeesTheSameRows) {
  const Folder folder;
  ReadOptions options;
  options.path = database(folder,
                          "PRAGMA journal_mode = WAL; CREATE TABLE t(x, y);"
                          "INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'a');");
  Reader reader(options);
  EXPECT_TRUE(reader.rewindable());
  std::string passes[2];
  for (std::string& rows : passes) {
    reader.read([&](const Block& block) {
      dump(block, rows);
      return true;
    });
    database(folder, "INSERT INTO t VALUES(4, 'b');");
  }
  EXPECT_EQ(passes[0], passes[1]);
  EXPECT_EQ(reader.report().rows, 3u);
  EXPECT_EQ(read_all(options).report.rows, 5u);
}

TEST(Sqlite, RowsComeInTheOrderInWhichTheyAreStored) {
  const Reading rows = read_sql(
      "CREATE TABLE t(x REAL, y TEXT); CREATE INDEX both ON t(x, y);"
      "INSERT INTO t VALUES(3, 'a'), (1, 'b'), (2, 'a');");
  EXPECT_EQ(rows.rows.substr(0, 8), "1 0 0x1p") << rows.rows;
  EXPECT_TRUE(has(rows.rows, "0:0x1.8p+1\n2 "));
}

TEST(Sqlite, TheTableIsNamedWhereThereAreSeveral) {
  const char* const two =
      "CREATE TABLE a(x, y); CREATE TABLE \"b\"\"c\"(x, y); INSERT INTO a VALUES(1, 'p'), (2, 'q');"
      "INSERT INTO \"b\"\"c\" VALUES(1, 'p'), (2, 'q'), (3, 'p'); CREATE VIEW v AS SELECT * FROM a WHERE x > 0;"
      "CREATE TABLE u(id INTEGER PRIMARY KEY AUTOINCREMENT);";
  ReadOptions options;
  const Reading none = read_sql(two);
  EXPECT_EQ(none.error.kind(), ErrorKind::usage);
  EXPECT_EQ(none.error.message(), "the database has the tables 'a', 'b\"c', 'u'");
  options.of_format = {{"table", "b\"c"}};
  EXPECT_EQ(read_sql(two, options).report.rows, 3u);
  options.of_format = {{"table", "v"}};
  EXPECT_EQ(read_sql(two, options).report.rows, 2u);
  options.of_format = {{"table", "w"}};
  const Reading wrong = read_sql(two, options);
  EXPECT_EQ(wrong.error.kind(), ErrorKind::usage);
  EXPECT_EQ(wrong.error.message(), "the database has no table or view 'w'");
}

TEST(Sqlite, TheOptionIsRefusedElsewhere) {
  ReadOptions options{.of_format = {{"table", "a"}}};
  const Reading csv = read_text("x,y\n1,a\n2,b\n", options);
  EXPECT_EQ(csv.error.kind(), ErrorKind::usage);
  EXPECT_EQ(csv.error.message(), option("table") + " is an option of SQLite, and this is CSV");
  options.of_format = {{"tabel", "a"}};
  EXPECT_EQ(read_text("x,y\n1,a\n2,b\n", options).error.message(), "no format has the option " + option("tabel"));
}

TEST(Sqlite, WhatIsOfAnotherFormatIsRefused) {
  const Folder folder;
  const std::string path = database(folder, customers), bytes = content(path);
  const struct {
    std::string bytes, reason;
    DataFormat format;
  } cases[] = {
      {bytes, "is an SQLite database, where CSV data is expected", DataFormat::csv},
      {"x,y\n1,a\n2,b\n", "looks like CSV, where SQLite data is expected", sqlite_format},
      {gzip(bytes), "an SQLite database is read in place: it must be an uncompressed regular file",
       DataFormat::automatic},
      {bytes.substr(0, 100), "SQLite cannot read the database: database disk image is malformed",
       DataFormat::automatic},
      {bytes.substr(0, 16) + std::string(84, 'x'), "SQLite cannot read the database: file is not a database",
       DataFormat::automatic},
  };
  for (const auto& one : cases) {
    const Reading refused = read_all({.path = folder.write("other", one.bytes), .format = one.format});
    EXPECT_EQ(refused.error.kind(), ErrorKind::data);
    EXPECT_EQ(refused.error.message(), one.reason);
  }
  ReadOptions several{.path = path, .more = {path}};
  EXPECT_EQ(read_all(several).error.message(), "is an SQLite database, which cannot be combined with other files");
  ReadOptions header{.path = path, .table = {.header = true}};
  EXPECT_EQ(read_all(header).error.message(), "SQLite defines itself how it is read");
}

TEST(Sqlite, EmptyDatabasesAndTablesHaveNoRows) {
  EXPECT_EQ(read_sql("CREATE TABLE t(x); DROP TABLE t;").error.message(), "no data rows: the database has no table");
  EXPECT_EQ(read_sql("CREATE TABLE t(x, y);").error.message(), "no data rows");
}

TEST(Sqlite, BadRowsAreCountedFromTheLineOfTheNames) {
  ReadOptions options{.columns = {.numeric = {"x"}}};
  const Reading bad = read_sql("CREATE TABLE t(x, y); INSERT INTO t VALUES(1, 'a'), ('two', 'b'), (3, 'b');", options);
  EXPECT_EQ(bad.error.line(), 3u);
  EXPECT_EQ(bad.error.text(), "two,b");
  options.on_error = OnError::skip;
  const Reading rest = read_sql("CREATE TABLE t(x, y); INSERT INTO t VALUES(1, 'a'), ('two', 'b'), (3, 'b');", options);
  EXPECT_EQ(rest.report.rows, 2u);
  EXPECT_EQ(rest.report.rejected, 1u);
}

TEST(Sqlite, ValuesOfEveryTypeAreCells) {
  const Reading rows = read_sql(
      "CREATE TABLE t(x, y); INSERT INTO t VALUES(x'00FF', 'a'), ('', 'b'), (NULL, 'a'), (' b ', 'b'), (1, 'a');");
  ASSERT_FALSE(rows.failed) << rows.error.what();
  EXPECT_EQ(rows.schema.columns[0].categories, (Names{"X'00FF'", " b ", "1"}));
  const Reading alone = read_sql("CREATE TABLE t(y); INSERT INTO t VALUES('a'), (NULL), ('b');");
  EXPECT_EQ(alone.error.line(), 3u) << alone.error.what();
}

}  // namespace
}  // namespace halfspace
