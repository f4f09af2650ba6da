// What good CSV means.
#include "stream/csv_driver.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;
using Kind = Column::Kind;

// Reads whole and in chunks of every size, which must agree.
CsvResult read(const std::string& text, const ReadOptions& options = {}) {
  const CsvResult whole = read_csv(text, options);
  for (std::size_t chunk = 1; chunk <= text.size(); chunk += 1 + chunk / 16) {
    EXPECT_EQ(read_csv(text, options, chunk), whole) << "chunk " << chunk;
  }
  return whole;
}

std::vector<Kind> kinds(const CsvResult& result) {
  std::vector<Kind> all;
  for (const Column& column : result.schema.columns) all.push_back(column.kind);
  return all;
}

Names names(const CsvResult& result) {
  Names all;
  for (const Column& column : result.schema.columns) all.push_back(column.name);
  return all;
}

std::vector<Values> values(const CsvResult& result) {
  std::vector<Values> all;
  for (const CsvRow& row : result.rows) all.push_back(row.values);
  return all;
}

std::vector<std::int32_t> labels(const CsvResult& result) {
  std::vector<std::int32_t> all;
  for (const CsvRow& row : result.rows) all.push_back(row.label);
  return all;
}

// A delimiter at the end of each line makes a column that is no label.
TEST(CsvLabel, IsTheLastColumnWithValues) {
  const std::string text = "a,b,AH,,\n1,2,x,,\n,,,,\n3,4,y,,NA\n";
  const CsvResult r = read_csv(text, {});
  EXPECT_EQ(r.schema.columns[2].kind, Column::Kind::label);
  EXPECT_EQ(r.rows.size(), 2U);
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_EQ(read_csv("a,b,AH,,\n1,2,x,,\n3,4,y,,u\n", {}).schema.columns[4].kind, Column::Kind::label);
  EXPECT_THROW(read_csv(text, {.columns = {.label = "5"}}), Error) << "who asks for it gets it";
}

TEST(Csv, NumbersCategoriesAndMissingValues) {
  const CsvResult r = read(
      "age,colour,height,label\n"
      "30,red,1.5,no\n"
      "?,blue,0,yes\n"
      "41,,NA,yes\n"
      "7,red,\"2e1\",no\n");
  EXPECT_EQ(kinds(r), (std::vector{Kind::numeric, Kind::categorical, Kind::numeric, Kind::label}));
  EXPECT_EQ(r.schema.feature_names(),
            (Names{"age", "height", "colour=red", "age=?", "colour=blue", "colour=?", "height=?"}));
  EXPECT_EQ(values(r), (std::vector<Values>{{{0, 30}, {2, 1}, {1, 1.5}},
                                            {{3, 1}, {4, 1}, {1, 0}},
                                            {{0, 41}, {5, 1}, {6, 1}},
                                            {{0, 7}, {2, 1}, {1, 20}}}));
  EXPECT_EQ(labels(r), (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(r.schema.labels.names, (Names{"no", "yes"}));
  EXPECT_FALSE(r.dense);
}

TEST(Csv, NumbersOnlyAreDenseZerosIncluded) {
  const CsvResult r = read("a,b,y\n0,0,1\n0,-2.5,0\n1e3,0.0,1\n");
  EXPECT_TRUE(r.dense);
  EXPECT_EQ(values(r), (std::vector<Values>{{{0, 0}, {1, 0}}, {{0, 0}, {1, -2.5}}, {{0, 1000}, {1, 0}}}));
}

TEST(Csv, QuotesLineEndsAndBlanks) {
  const CsvResult r = read(
      "\xEF\xBB\xBF"
      "\"a,1\" ,\t\"say \"\"b\"\"\",label\r\n"
      "\r\n"
      " x ,\"two\r\nlines, and \"\"quotes\"\"\",n\r\n"
      "  \t\n"
      "\" x \" , \"\"\"\" , \"y\"");
  EXPECT_EQ(names(r), (Names{"a,1", "say \"b\"", "label"}));
  EXPECT_EQ(r.schema.columns[0].categories, (Names{"x", " x "}));
  EXPECT_EQ(r.schema.columns[1].categories, (Names{"two\r\nlines, and \"quotes\"", "\""}));
  ASSERT_EQ(r.rows.size(), 2U);
  EXPECT_EQ(r.rows[0].line, 2U);
  EXPECT_EQ(r.rows[1].line, 5U);
  EXPECT_EQ(r.lines, 6U);
  EXPECT_EQ(r.data_rows, 2U);
  EXPECT_TRUE(r.bad.empty());
}

TEST(Csv, OneTextQuotedOrNotIsOneCategory) {
  const CsvResult r = read("c,y\n\"a\"\"b\",1\nplain,0\n\"plain\",1\n\"a\"\"b\",0\n");
  EXPECT_EQ(r.schema.columns[0].categories, (Names{"a\"b", "plain"}));
  EXPECT_EQ(values(r), (std::vector<Values>{{{0, 1}}, {{1, 1}}, {{1, 1}}, {{0, 1}}}));
}

TEST(Csv, TheSameCategoryInTwoColumnsIsTwoFeatures) {
  const CsvResult r = read("c,d,y\nu,u,1\nv,u,0\n");
  EXPECT_EQ(r.schema.feature_names(), (Names{"c=u", "d=u", "c=v"}));
}

TEST(Csv, TheDelimiterIsRecognised) {
  EXPECT_EQ(read("a\tb;c\tlabel\n1\tx;y\t0\n2\tz\t1\n").schema.delimiter, '\t');
  EXPECT_EQ(read("a;b;label\n1,5;2;0\n2,5;3;1\n").schema.delimiter, ';');
  EXPECT_EQ(read("a;b,label\n1;2,0\n1;3,1\n").schema.delimiter, ',');
  EXPECT_EQ(read("\"a,b\";label\n1;0\n2;1\n").schema.delimiter, ';');
  EXPECT_EQ(read("a\tb;label\n1;0\n2;1\n").schema.delimiter, ';') << "tabs do not split these lines evenly";
  const CsvResult tabs = read("a\tb\tlabel\n\t\tn\n 1 \t 2\ty\n");
  EXPECT_EQ(values(tabs), (std::vector<Values>{{{2, 1}, {3, 1}}, {{0, 1}, {1, 2}}}));
}

TEST(Csv, WithoutAHeaderColumnsAreNamedByPosition) {
  ReadOptions options{.table = {.header = false}};
  const CsvResult r = read(
      "\xEF\xBB\xBF"
      "5,a,1\n6,b,2\n",
      options);
  EXPECT_EQ(names(r), (Names{"1", "2", "3"}));
  EXPECT_EQ(r.rows.size(), 2U);
  EXPECT_EQ(r.schema.feature_names(), (Names{"1", "2=a", "2=b"}));
  EXPECT_FALSE(r.schema.header);
}

TEST(Csv, AnEmptyHeaderNameIsThePosition) { EXPECT_EQ(names(read(",a,y\n1,2,0\n2,3,1\n")), (Names{"1", "a", "y"})); }

TEST(Csv, TheLabelColumn) {
  const auto label = [](const std::string& header, ReadOptions options = {}) {
    const CsvResult r = read(header + "\n1,2,0\n3,4,1\n", options);
    const auto& columns = r.schema.columns;
    return std::find_if(columns.begin(), columns.end(), [](const Column& c) { return c.kind == Kind::label; })->name;
  };
  EXPECT_EQ(label("a,b,c"), "c");
  EXPECT_EQ(label("Y,b,c"), "Y");
  EXPECT_EQ(label("y,Target,c"), "Target");
  EXPECT_EQ(label("y,target,CLASS"), "CLASS");
  EXPECT_EQ(label("label,class,c"), "label");
  ReadOptions options{.columns = {.label = "2"}};
  EXPECT_EQ(label("label,b,c", options), "b");
  options.columns.label = "c";
  EXPECT_EQ(label("label,b,c", options), "c");
  options.columns.label.clear();
  options.columns.drop = {"c"};
  EXPECT_EQ(label("a,b,c", options), "b");
  options.columns.drop = {"label"};
  EXPECT_EQ(label("label,b,c", options), "c");
}

TEST(Csv, ANameWinsOverAPosition) {
  const CsvResult r = read("a,1,c\n5,0,6\n5,1,6\n", {.columns = {.label = "1"}});
  EXPECT_EQ(r.schema.columns[1].kind, Kind::label);
}

TEST(Csv, Roles) {
  ReadOptions options{.columns = {.label = "class",
                                  .identifier = "id",
                                  .weight = "w",
                                  .drop = {"junk"},
                                  .categorical = {"zip", "2"},
                                  .numeric = {"n"}}};
  const CsvResult r = read(
      "id,zip,w,junk,class,n\n"
      "row 1,100,0.5,x,a,?\n"
      "row 2,200,2,\xFF,b,3\n",
      options);
  EXPECT_EQ(kinds(r), (std::vector{Kind::identifier, Kind::categorical, Kind::weight, Kind::dropped, Kind::label,
                                   Kind::numeric}));
  EXPECT_TRUE(r.bad.empty());
  EXPECT_EQ(values(r), (std::vector<Values>{{{1, 1}, {2, 1}}, {{3, 1}, {0, 3}}}));
  EXPECT_EQ(r.rows[0].weight, 0.5);
  EXPECT_EQ(r.rows[1].weight, 2);
}

TEST(Csv, KindsComeFromTheFirstSurveyRows) {
  ReadOptions options{.inference_rows = 2};
  const std::string text = "a,b,c,y\n1,?,x,0\n2,,y,1\nz,NA,3,0\n3,4,5,1\n";
  const CsvResult r = read(text, options);
  EXPECT_EQ(kinds(r), (std::vector{Kind::numeric, Kind::numeric, Kind::categorical, Kind::label}));
  ASSERT_EQ(r.bad.size(), 1U) << "z";
  options.inference_rows = 3;
  EXPECT_EQ(kinds(read(text, options))[0], Kind::categorical);
  EXPECT_TRUE(read(text, options).bad.empty());
}

TEST(Csv, BadRowsHaveNoSayInKindsLabelsOrFeatures) {
  ReadOptions options{.columns = {.weight = "w"}};
  const std::string good = "a,c,w,y\n1,u,1,0\n2,v,1,1\n";
  const Names bad_rows = {"x,new,1\n",     "x,new,1,0,0\n",  "x,new,-1,7\n", "x,new,1,\n",    "x,new,\"1\"2,7\n",
                          "x\",new,1,7\n", "x,new,1,\xFF\n", "1,\xC0,1,7\n", "inf,new,1,7\n", "\xFF,new,1,7\n"};
  for (const std::string& bad : bad_rows) {
    const CsvResult r = read("a,c,w,y\n" + bad + "1,u,1,0\n" + bad + "2,v,1,1\n" + bad, options);
    EXPECT_EQ(r.schema, read(good, options).schema) << bad;
    EXPECT_EQ(values(r), values(read(good, options))) << bad;
    EXPECT_EQ(r.bad.size(), 3U) << bad;
  }
}

TEST(Csv, SurveyIgnoresWhatIsBehindItsRows) {
  ReadOptions options{.inference_rows = 2};
  const std::string start = "a,y\n1,0\n2,1\n";
  const CsvResult r = read(start + "3,2\n", options);
  EXPECT_EQ(r.schema.labels.names.size(), 2U);
  EXPECT_EQ(r.bad.size(), 1U);
  options.labels.scan_all = true;
  EXPECT_EQ(read(start + "3,2\n", options).schema.labels.names.size(), 3U);
}

TEST(Csv, OneLabelInTheSurveyScansOnToTheSecond) {
  ReadOptions options{.inference_rows = 1};
  std::string text = "a,y\n1,u\n2,u\n\"4\",\"u\"\nx,bad\n5,t\n6,s\n";
  for (const std::size_t first : {9U, 13U, 20U, 30U, 1000U}) {
    for (const std::size_t chunk : {1U, 3U, 7U, 100U}) {
      const CsvResult r = read_csv(text, options, chunk, false, first);
      EXPECT_EQ(r.schema.labels.names, (Names{"t", "u"})) << first << " " << chunk;
      EXPECT_EQ(r.bad.size(), 2U);
    }
  }
  EXPECT_THROW(read_csv(text, options, 100, true, 13), Error) << "a pipe cannot be searched and read again";
  options.labels.positive = "u";
  const CsvResult r = read_csv(text, options, 5, true, 13);
  EXPECT_EQ(r.schema.labels.names, (Names{"t", "u"}));
  EXPECT_EQ(labels(r), (std::vector<std::int32_t>{1, 1, 1, 0}));
  EXPECT_EQ(r, read_csv(text, options, 1000, true, 13));
}

TEST(Csv, ARowThatTurnsOutBadBringsNoCategory) {
  ReadOptions options{.labels = {.positive = "u"}, .inference_rows = 1};
  const std::string text = "c,y\nk,u\nl,t\nm,s\nl,u\nn,t\n";
  const CsvResult r = read_csv(text, options, 1000, true, 8);
  EXPECT_EQ(r.schema.columns[0].categories, (Names{"k", "l", "n"}));
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_EQ(r.bad.begin()->line, 3U);
  EXPECT_EQ(r.bad.begin()->column, 3U);
  EXPECT_EQ(r.bad.begin()->text, "m,s");
  EXPECT_EQ(r, read_csv(text, options, 4, true, 8));
}

TEST(Csv, OneClassOnlyIsNoError) { EXPECT_EQ(read("a,y\n1,no\n2,no\n").schema.labels.names, (Names{"", "no"})); }

// With the schema of earlier data.
class CsvWithSchema : public ::testing::Test {
 protected:
  CsvWithSchema() { options.schema = &schema; }
  static ReadOptions weighted() {
    ReadOptions o{.columns = {.drop = {"junk"}}};
    return o;
  }
  const Schema schema = read_csv("n,c,junk,y\n1,u,0,a\n2,v,0,b\n", weighted()).schema;
  ReadOptions options;
};

TEST_F(CsvWithSchema, ColumnsAreMatchedByNameAndGiveTheSchemasOrder) {
  const CsvResult r = read("y;c;n\nb;v;7\na;w;?\n", options);
  EXPECT_EQ(values(r), (std::vector<Values>{{{0, 7}, {2, 1}}, {{3, 1}, {4, 1}}}));
  EXPECT_EQ(labels(r), (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(r.schema.feature_names(), (Names{"n", "c=u", "c=v", "n=?", "c=w"}));
  EXPECT_EQ(r.schema.delimiter, ',') << "the schema is the model's";
}

TEST_F(CsvWithSchema, WithoutGrowthTheUnknownIsIgnoredAndCounted) {
  options.grow = false;
  const CsvResult r = read("n,c,junk,y\n?,u,0,a\n3,w,0,b\n4,w,0,a\n5,?,0,a\n", options);
  EXPECT_EQ(values(r), (std::vector<Values>{{{1, 1}}, {{0, 3}}, {{0, 4}}, {{0, 5}}}));
  EXPECT_EQ(r.unknown_features, 4U);
  EXPECT_EQ(r.schema, schema);
}

TEST_F(CsvWithSchema, KindsAndLabelsAreTheSchemas) {
  const CsvResult r = read("n,c,y\nx,1,a\n1,2,c\n", options);
  EXPECT_EQ(r.schema.columns[0].kind, Kind::numeric);
  EXPECT_EQ(r.schema.columns[1].kind, Kind::categorical);
  EXPECT_EQ(r.bad.size(), 2U);
}

TEST_F(CsvWithSchema, MissingAndExtraColumnsAreNamed) {
  const auto message = [&](const std::string& text) -> std::string {
    try {
      read_csv(text, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.message();
    }
    return "";
  };
  EXPECT_TRUE(has(message("c,y\nu,a\n"), "1 column the model was learned from: 'n'"));
  EXPECT_TRUE(has(message("junk,y\nu,a\n"), "'n', 'c'"));
  EXPECT_TRUE(has(message("n,c\n1,u\n"), "'y'"));
  EXPECT_TRUE(has(message("n,c,z,y,x\n1,u,2,a,3\n"), "does not know: 'z', 'x'"));
  options.columns.drop = {"x", "3"};
  EXPECT_EQ(message("n,c,z,y,x\n1,u,2,a,3\n"), "");
}

TEST_F(CsvWithSchema, LabelsThatAreIgnoredMayBeAnythingOrAbsent) {
  options.labels.ignore = true;
  EXPECT_EQ(labels(read("c,n\nu,1\n", options)), (std::vector<std::int32_t>{-1}));
  const CsvResult any = read("c,n,y\nu,1,\nu,1,b\nu,1,zzz\nu,1,\xff\n", options);
  EXPECT_EQ(labels(any), (std::vector<std::int32_t>(4, -1)));
  EXPECT_TRUE(any.bad.empty());
  EXPECT_EQ(read("c,n,y\nu,x,a\n", options).bad.size(), 1U) << "a wrong value is still wrong";
}

TEST_F(CsvWithSchema, WithoutAHeaderColumnsAreMatchedByPosition) {
  options.table.header = false;
  EXPECT_EQ(values(read("3,v,junk,a\n", options)), (std::vector<Values>{{{0, 3}, {2, 1}}}));
  EXPECT_THROW(read_csv("3,v,junk\n", options), Error);
  EXPECT_THROW(read_csv("3,v,junk,a,0\n", options), Error);
  options.labels.ignore = true;
  const CsvResult r = read("3,v,junk\n", options);
  EXPECT_EQ(values(r), (std::vector<Values>{{{0, 3}, {2, 1}}}));
  EXPECT_EQ(labels(r), (std::vector<std::int32_t>{-1}));
}

TEST_F(CsvWithSchema, AnotherColumnMayHoldTheLabel) {
  options.columns.label = "truth";
  EXPECT_EQ(labels(read("n,c,truth,y\n1,u,b,whatever\n", options)), (std::vector<std::int32_t>{1}));
}

TEST_F(CsvWithSchema, AKindCannotBeChanged) {
  options.columns.categorical = {"n"};
  EXPECT_THROW(read_csv("n,c,y\n1,u,a\n", options), Error);
  options.columns.categorical = {"c"};
  EXPECT_EQ(read("n,c,y\n1,u,a\n", options).rows.size(), 1U);
}

TEST_F(CsvWithSchema, TheSchemasDelimiterIsTriedFirst) {
  Schema semicolons = schema;
  semicolons.delimiter = ';';
  options.schema = &semicolons;
  options.labels.ignore = true;
  EXPECT_EQ(values(read("n;c;\"y,z\"\n1;u;0\n",
                        [&] {
                          options.columns.drop = {"y,z"};
                          return options;
                        }())),
            (std::vector<Values>{{{0, 1}, {1, 1}}}));
}

// Which texts stand for a missing value, and where.

std::vector<Column::Kind> kinds_of(const CsvResult& result) {
  std::vector<Column::Kind> kinds;
  for (const Column& column : result.schema.columns) kinds.push_back(column.kind);
  return kinds;
}

TEST(CsvMissing, TheUsualNames) {
  for (const std::string& name : default_missing()) {
    const std::string cells = "n,c,y\n1,u,a\n" + name + ",\"" + name + "\",b\n2,v,a\n";
    const std::string empty = "n,c,y\n1,u,a\n,,b\n2,v,a\n";
    EXPECT_EQ(read_csv(cells, {}), read_csv(empty, {})) << name;
  }
  // As it is written, and whole.
  for (const std::string name : {"na", "NULL", "--", "??", "none", "NaN."}) {
    const CsvResult r = read_csv("n,c,y\n1,u,a\n2," + name + ",b\n2,v,a\n", {});
    EXPECT_EQ(r.schema.columns[1].categories, (Names{"u", name, "v"}));
  }
}

TEST(CsvMissing, OtherNamesStandInForTheUsual) {
  ReadOptions options{.table = {.missing_only = {{" unknown", "-999", "", "unknown"}}}};
  const CsvResult r = read_csv("n,c,y\n1,-,a\n-999,unknown,b\n-999.0,NA,a\n,w,b\n", options);
  EXPECT_EQ(r.schema.missing, (Names{"-999", "unknown"}));
  EXPECT_EQ(r.schema.columns[1].categories, (Names{"-", "NA", "w"}));
  EXPECT_EQ(r.schema.feature_names(), (Names{"n", "c=-", "n=?", "c=?", "c=NA", "c=w"}));
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {3, 1}}));
  EXPECT_EQ(r.rows[2].values, (Values{{0, -999}, {4, 1}})) << "the text counts, not the number";
}

TEST(CsvMissing, ALabelIsAClassOrMissing) {
  const CsvResult r = read_csv("n,y\n1,NaN\n2,a\n3,b\n4,null\n", {});
  EXPECT_EQ(r.schema.labels.names, (Names{"a", "b"}));
  ASSERT_EQ(r.bad.size(), 2U);
  EXPECT_TRUE(has(r.bad.begin()->reason, "'NaN' stands for no value"));
  // The other class of +, but where it was named as missing.
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n", {}).schema.labels.names, (Names{"-", "+"}));
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,~\n", {.table = {.missing_only = {{"-"}}}}).bad.size(), 1U);
  // More names leave it a class, until it is one of them.
  ReadOptions more{.table = {.missing = {"x"}}};
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,+\nx,-\n", more).bad.size(), 0U);
  more.table.missing = {"x", "-"};
  EXPECT_EQ(read_csv("n,y\n1,+\n2,-\n3,~\nx,-\n", more).bad.size(), 2U);
}

TEST(CsvMissing, DataForAModelAreReadWithItsNames) {
  const Schema schema = read_csv("n,c,y\n1,-,a\n2,none,b\n", {.table = {.missing_only = {{"none"}}}}).schema;
  ReadOptions later{.schema = &schema};
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
  ReadOptions options{.table = {.missing = {"unknown", " -999", ""}}};
  const CsvResult r = read_csv("n,c,y\n1,-,a\n-999,unknown,b\nnull,u,a\n2,v,b\n", options);
  Names all = default_missing();
  all.insert(all.end(), {"-999", "unknown"});
  std::sort(all.begin(), all.end());
  EXPECT_EQ(r.schema.missing, all);
  EXPECT_EQ(r.schema.columns[0].kind, Column::Kind::numeric);
  EXPECT_EQ(r.schema.columns[1].categories, (Names{"u", "v"}));
  // Beside texts that stand in for the usual ones.
  options.table.missing_only = {{"none"}};
  EXPECT_EQ(read_csv("n,c,y\n1,-,a\n2,none,b\n", options).schema.missing, (Names{"-999", "none", "unknown"}));
}

// Naming a text is as good as deleting it from every cell, in tables of all kinds and chunks of all sizes.
TEST(CsvMissing, NamedIsAsEmpty) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const Names names = {"-999", "0", "n/a", "1.5", "red"};
    const Names cells = {"-999", "0", "n/a", "1.5", "red", "2", "7e1", "blue", "-", "123456789012345678901"};
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
    ReadOptions options{.table = {.missing = names}};
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
std::string numbers_beside(const Names& texts, int numbers, int every, const std::string& label) {
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
    Names texts;
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
    ReadOptions options{.on_note = [&](const ReadNote& note) { noted += note.text + "; " + note.fix + "\n"; },
                        .table = {.header = true}};
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
    options.table.missing_only = Names();
    EXPECT_EQ(kind(), Column::Kind::categorical);
  }
}

TEST(CsvMissing, OneMarkAtAnyShare) {
  const auto kind = [](const Names& texts, int marks, int numbers) {
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
  EXPECT_EQ(learned.schema.feature_names(), (Names{"n", "n=?", "c=?"}));
  ReadOptions options{.schema = &learned.schema};
  EXPECT_EQ(read_csv("n,c,y\nNULL,NULL,a\n", options).rows, read_csv("n,c,y\n,,a\n", options).rows);
}

}  // namespace

}  // namespace halfspace::stream
