// Which texts stand for a missing value, and where.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv_driver.h"

namespace halfspace::stream {
namespace {

std::vector<Column::Kind> kinds_of(const CsvResult& result) {
  std::vector<Column::Kind> kinds;
  for (const Column& column : result.schema.columns) kinds.push_back(column.kind);
  return kinds;
}

TEST(CsvMissing, TheUsualNames) {
  for (const std::string& name : usual_missing()) {
    const std::string cells = "n,c,y\n1,u,a\n" + name + ",\"" + name + "\",b\n2,v,a\n";
    const std::string empty = "n,c,y\n1,u,a\n,,b\n2,v,a\n";
    EXPECT_EQ(read_csv(cells, {}), read_csv(empty, {})) << name;
  }
  // As it is written, and whole.
  for (const std::string name : {"na", "NULL", "--", "??", "none", "NaN."}) {
    const CsvResult r = read_csv("n,c,y\n1,u,a\n2," + name + ",b\n2,v,a\n", {});
    EXPECT_EQ(r.schema.columns[1].categories, (std::vector<std::string>{"u", name, "v"}));
  }
}

TEST(CsvMissing, OtherNamesStandInForTheUsual) {
  ReadOptions options;
  options.table.missing_only = {{" unknown", "-999", "", "unknown"}};
  const CsvResult r = read_csv("n,c,y\n1,-,a\n-999,unknown,b\n-999.0,NA,a\n,w,b\n", options);
  EXPECT_EQ(r.schema.missing, (std::vector<std::string>{"-999", "unknown"}));
  EXPECT_EQ(r.schema.columns[1].categories, (std::vector<std::string>{"-", "NA", "w"}));
  EXPECT_EQ(r.schema.feature_names(), (std::vector<std::string>{"n", "c=-", "n=?", "c=?", "c=NA", "c=w"}));
  using Values = std::vector<std::pair<std::uint32_t, double>>;
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {3, 1}}));
  EXPECT_EQ(r.rows[2].values, (Values{{0, -999}, {4, 1}})) << "the text counts, not the number";
}

TEST(CsvMissing, ALabelIsAClassOrMissing) {
  const CsvResult r = read_csv("n,y\n1,NaN\n2,a\n3,b\n4,null\n", {});
  EXPECT_EQ(r.schema.labels.names, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(r.bad.size(), 2U);
  EXPECT_NE(r.bad.begin()->reason.find("'NaN' stands for no value"), std::string::npos) << r.bad.begin()->reason;
  // The other class of +, but where it was named as missing.
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n", {}).schema.labels.names, (std::vector<std::string>{"-", "+"}));
  ReadOptions options;
  options.table.missing_only = {{"-"}};
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,~\n", options).bad.size(), 1U);
  // More names leave it a class, until it is one of them.
  ReadOptions more;
  more.table.missing = {"x"};
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,+\nx,-\n", more).bad.size(), 0U);
  more.table.missing = {"x", "-"};
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,~\nx,-\n", more).bad.size(), 2U);
}

TEST(CsvMissing, DataForAModelAreReadWithItsNames) {
  ReadOptions options;
  options.table.missing_only = {{"none"}};
  const Schema schema = read_csv("n,c,y\n1,-,a\n2,none,b\n", options).schema;
  ReadOptions later;
  later.schema = &schema;
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\nnone,none,b\n", later).rows.size(), 2U);
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\nNA,none,b\n", later).bad.size(), 1U);
  later.table.missing_only = {{"NA"}};
  EXPECT_THROW(read_csv("n,c,y\n1,-,a\n", later), Error);
  later.table.missing_only = {{"none"}};
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\n", later).rows.size(), 1U);
  // To name what the model has anyway asks for nothing.
  later.table.missing_only.reset();
  later.table.missing = {"none"};
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\n", later).rows.size(), 1U);
  later.table.missing = {"none", "NA"};
  EXPECT_THROW(read_csv("n,c,y\n1,-,a\n", later), Error);
}

TEST(CsvMissing, NamesAreAddedToTheUsual) {
  ReadOptions options;
  options.table.missing = {"unknown", " -999", ""};
  const CsvResult r = read_csv("n,c,y\n1,-,a\n-999,unknown,b\nnull,u,a\n2,v,b\n", options);
  std::vector<std::string> all = usual_missing();
  all.insert(all.end(), {"-999", "unknown"});
  std::sort(all.begin(), all.end());
  EXPECT_EQ(r.schema.missing, all);
  EXPECT_EQ(r.schema.columns[0].kind, Column::Kind::numeric);
  EXPECT_EQ(r.schema.columns[1].categories, (std::vector<std::string>{"u", "v"}));
  // Beside texts that stand in for the usual ones.
  options.table.missing_only = {{"none"}};
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\n2,none,b\n", options).schema.missing,
            (std::vector<std::string>{"-999", "none", "unknown"}));
}

// Naming a text is as good as deleting it from every cell, in tables of all kinds and chunks of all sizes.
TEST(CsvMissing, NamedIsAsEmpty) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::string> names = {"-999", "0", "n/a", "1.5", "red"};
    const std::vector<std::string> cells = {"-999", "0",   "n/a",  "1.5", "red",
                                            "2",    "7e1", "blue", "-",   "123456789012345678901"};
    std::string named = "a,b,c,y\n", empty = named;
    for (int row = 0; row < 20; ++row) {
      for (int column = 0; column < 3; ++column) {
        const std::string& cell = cells[random() % (column == 0 ? 2 : column == 1 ? 7 : 10)];
        const bool missing = std::find(names.begin(), names.end(), cell) != names.end();
        named += (random() % 4 == 0 ? "\"" + cell + "\"" : cell) + ",";
        empty += (missing ? "" : cell) + ",";
      }
      const std::string label = row % 3 == 0 ? "u\n" : "v\n";
      named += label;
      empty += label;
    }
    ReadOptions options;
    options.table.missing = names;
    const CsvResult expected = read_csv(empty, options);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{40}, named.size()}) {
      const CsvResult found = read_csv(named, options, chunk);
      EXPECT_EQ(kinds_of(found), kinds_of(expected)) << named;
      EXPECT_EQ(found.rows, expected.rows) << named;
      EXPECT_EQ(found.schema, expected.schema) << named;
    }
  }
}

// Every `every`th cell is one of the texts, the others so many different numbers.
std::string numbers_beside(const std::vector<std::string>& texts, int numbers, int every, const std::string& label) {
  std::string table = "n,c,y\n";
  for (int i = 0; i < 90; ++i) {
    table +=
        i % every == 0 ? texts[static_cast<std::size_t>(i / every) % texts.size()] : std::to_string(i * 7 % numbers);
    table += "," + texts[0] + "," + (i % 4 == 0 ? label : "b") + "\n";
  }
  return table;
}

TEST(CsvMissing, AMarkIsFoundByTheNumbersAroundIt) {
  const struct {
    std::vector<std::string> texts;
    int numbers, every;
    bool numeric;
  } cases[] = {
      {{"NULL"}, 2, 3, true},          {{"."}, 7, 2, true},
      {{"\\N"}, 7, 4, true},           {{"unknown"}, 5, 3, true},
      {{"unknown"}, 4, 3, false},      {{"<.05"}, 30, 3, true},
      {{"< 5", "> 100"}, 30, 4, true}, {{"free", "sold out", "?!"}, 30, 4, true},
      {{"free", "late"}, 9, 4, false}, {{"w", "x", "y", "z"}, 60, 4, false},
      {{"yes", "no"}, 2, 3, false},    {{"12A", "3B"}, 30, 4, false},
      {{"1;5"}, 30, 4, false},         {{"n.a.", "NULL", "."}, 3, 2, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.texts[0] + " " + std::to_string(c.numbers));
    std::string noted;
    ReadOptions options;
    options.on_note = [&](const ReadNote& note) { noted += note.text + "; " + note.fix + "\n"; };
    options.table.header = true;
    const auto kind = [&](const std::string& label = "a") {
      return read_csv(numbers_beside(c.texts, c.numbers, c.every, label), options).schema.columns[0].kind;
    };
    EXPECT_EQ(kind(), c.numeric ? Column::Kind::numeric : Column::Kind::categorical);
    EXPECT_EQ(
        noted.find("column 'n' (" + std::to_string((89 + c.every) / c.every) + " of 90 rows)") != std::string::npos,
        c.numeric)
        << noted;
    EXPECT_EQ(noted.find(option("categorical", "n")) != std::string::npos, c.numeric);
    EXPECT_EQ(kind(c.texts[0]), Column::Kind::categorical) << "a class is no mark";
    options.table.missing_only = std::vector<std::string>();
    EXPECT_EQ(kind(), Column::Kind::categorical);
  }
}

TEST(CsvMissing, OneMarkAtAnyShare) {
  const auto kind = [](const std::vector<std::string>& texts, int marks, int numbers) {
    std::string table = "n,y\n";
    for (int i = 0; i < marks; ++i) table += texts[static_cast<std::size_t>(i) % texts.size()] + ",a\n";
    for (int i = 0; i < numbers; ++i) table += std::to_string(i) + ",b\n";
    return read_csv(table, {}).schema.columns[0].kind;
  };
  for (const std::string mark : {"<5", ">100", "unknown", "k.A.", "not available"}) {
    SCOPED_TRACE(mark);
    EXPECT_EQ(kind({mark}, 50, 10), Column::Kind::numeric);
    EXPECT_EQ(kind({mark, "NA"}, 50, 5), Column::Kind::numeric);
    EXPECT_EQ(kind({mark}, 50, 4), Column::Kind::categorical);
    EXPECT_EQ(kind({mark, "w"}, 50, 12), Column::Kind::categorical) << "two texts";
  }
}

TEST(CsvMissing, AMarkThatWasFoundIsTheModels) {
  const std::string table = numbers_beside({"NULL"}, 9, 3, "a");
  const CsvResult learned = read_csv(table, {});
  EXPECT_EQ(learned.schema.feature_names(), (std::vector<std::string>{"n", "n=?", "c=?"}));
  ReadOptions options;
  options.schema = &learned.schema;
  EXPECT_EQ(read_csv("n,c,y\nNULL,NULL,a\n", options).rows, read_csv("n,c,y\n,,a\n", options).rows);
}

}  // namespace
}  // namespace halfspace::stream
