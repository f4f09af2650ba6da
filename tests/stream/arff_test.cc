// ARFF through the whole reader: declarations, dense and sparse rows, what is refused and where.

#include "stream/formats/recognise.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

const std::string header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class {n,p}\n@data\n";

ReadOptions arff() {
  ReadOptions options{.format = DataFormat::arff, .threads = 1};
  return options;
}

Reading read_arff(std::string_view text, const ReadOptions& options = arff()) { return read_good(text, options); }

// The same rows as CSV give the same bits: ARFF is CSV that declares its columns.
TEST(Arff, GivesWhatCsvGives) {
  const std::string arff_text =
      "% a comment\n\n@RELATION 'my data'\n@Attribute 'sepal length' REAL [0,10]\n"
      "@attribute colour {red, 'light blue', \"it's\", never}\n@attribute when date 'yyyy'\n@attribute word string\n"
      "@attribute 'Class' {no,yes}\n@DATA\n"
      "1.5 , red,2001,t,yes % trailing\n?\t'light blue'\t2002\t?\tno\n\n2,\"it's\",?,'a, \\'b\\' {c} % d',yes\n% none\n"
      "3,'it\\'s',2001,'t',no,\n";
  const std::string csv_text =
      "sepal length,colour,when,word,Class\n1.5,red,2001,t,yes\n,light blue,2002,,no\n"
      "2,it's,,\"a, 'b' {c} % d\",yes\n3,it's,2001,t,no\n";
  ReadOptions csv{.columns = {.categorical = {"when"}}};
  const Reading expected = read_text(csv_text, csv), outcome = read_arff(arff_text);
  EXPECT_EQ(outcome.rows, expected.rows);
  EXPECT_EQ(outcome.schema.columns, expected.schema.columns);
  EXPECT_EQ(outcome.schema.labels, expected.schema.labels);
  EXPECT_EQ(outcome.schema.format, DataFormat::arff);
  for (const auto& wish : {&ColumnOptions::drop, &ColumnOptions::categorical}) {
    ReadOptions given = arff(), as_csv = csv;
    given.columns.*wish = {"sepal length"};
    (as_csv.columns.*wish).push_back("sepal length");
    given.columns.label = as_csv.columns.label = "colour";
    const Reading one = read_arff(arff_text, given), other = read_text(csv_text, as_csv);
    EXPECT_EQ(one.rows, other.rows);
    EXPECT_EQ(one.schema.columns, other.schema.columns);
  }
}

TEST(Arff, SparseRowsLeaveOutZerosAndFirstValues) {
  const Reading sparse = read_arff(header + "{0 1, 2 p}\n{1 y},{0.5}\n{}\n{ 0 -0.5 , 1 'x' } % end\n");
  EXPECT_EQ(sparse.schema.feature_names(), (Names{"a", "b=x", "b=y"}));
  EXPECT_EQ(sparse.rows,
            "1 1 0x1p+0 0x1p+1 0:0x1p+0 1:0x1p+0\n2 0 0x1p-1 0x1p+0 2:0x1p+0\n3 0 0x1p+0 0x1p+0 1:0x1p+0\n"
            "4 0 0x1p+0 0x1.4p+0 0:-0x1p-1 1:0x1p+0\n");
  ReadOptions by_first = arff();
  by_first.columns.label = "b";
  EXPECT_EQ(read_arff(header + "{0 1, 2 p}\n{1 y}\n", by_first).schema.labels.names, (Names{"x", "y"}));
  ReadOptions numeric_label = arff();
  numeric_label.columns.label = "a";
  EXPECT_EQ(read_arff(header + "{0 1, 2 p}\n{1 y}\n", numeric_label).schema.labels.names, (Names{"0", "1"}));
  ReadOptions weighted = arff();
  weighted.columns.weight = "a";
  EXPECT_EQ(read_arff(header + "{0 2, 2 p}\n{1 y}\n", weighted).rows,
            "1 1 0x1p+1 0x1p+0 0:0x1p+0\n2 0 0x0p+0 0x1p+0 1:0x1p+0\n");
}

TEST(Arff, AHeaderMayBeLongerThanWhatIsLookedAt) {
  std::string text = "@relation wide\n";
  for (int i = 0; i < 5000; ++i) text += "@attribute a" + std::to_string(i) + " numeric\n";
  text += "@attribute class {n,p}\n@data\n{7 1,5000 p}\n{9 1}\n";
  ReadOptions options = arff();
  options.inference_rows = 3;
  options.block_bytes = 100;
  const Reading outcome = read_arff(text, options);
  EXPECT_EQ(outcome.schema.features, 5000u);
  EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+0 7:0x1p+0\n2 0 0x1p+0 0x1p+0 9:0x1p+0\n");
}

const std::vector<RowFlaw> arff_flaws = {
    {"1,x", 4, "2 values where 3 are declared"},
    {"1,x,n,p", 7, "4 values where 3 are declared, or more"},
    {"1,,n", 3, "a value is expected here"},
    {",1,x,n", 1, "a value is expected here"},
    {"1,x,", 5, "a value is expected here"},
    {"z,x,n", 1, "'z' in column 'a' is not a number"},
    {"inf,x,n", 1, "'inf' in column 'a' is not finite"},
    {"1e999,x,n", 1, "'1e999' in column 'a' is too large for a double"},
    {"1, q,n", 4, "'q' is not one of the values declared for 'b'"},
    {"1,x,q", 5, "'q' is not one of the values declared for 'class'"},
    {"1,x,?", 5, "the label in column 'class' is missing"},
    {"1,'x,n", 3, "the quote that opens here is not closed on its line"},
    {"1,x's,n", 4, "a quote inside an unquoted value"},
    {"1,'x's,n", 6, "text after the closing quote"},
    {"1,x%,n", 4, "a % inside an unquoted value, where it would begin a comment"},
    {"1,x{,n", 4, "a { inside an unquoted value"},
    {std::string("1,x\0,n", 6), 4, "a NUL byte"},
    {std::string("1,'\0',n", 7), 4, "a NUL byte"},
    {"1,'\\101',n", 4, "a \\ before a digit"},
    {"1,x,n}", 6, "a value is expected here"},
    {"{0 1,0 2}", 6, "index 0 after index 0"},
    {"{2 p,0 1}", 6, "index 0 after index 2"},
    {"{3 1}", 2, "index 3, and the last attribute has index 2"},
    {"{99999999999 1}", 2, "the index of an attribute, a number from 0, is expected here"},
    {"{x 1}", 2, "the index of an attribute, a number from 0, is expected here"},
    {"{0,1 x}", 3, "a value is expected here"},
    {"{0 1,}", 6, "a } after a comma"},
    {"{0 1", 5, "a comma or } is expected here"},
    {"{0 1 1 x}", 6, "a comma or } is expected here"},
    {"{0 1} x", 7, "text after the row"},
    {"{0 1}, x", 8, "the weight of the row, in braces, is expected here"},
    {"1,x,n,{-1}", 8, "'-1' is not a weight"},
    {"1,x,n,{}", 8, "this is not a weight"},
    {"1,x,n,{1", 9, "a } and the end of the line are expected here"},
    {"1,x,n,{1} 2", 11, "a } and the end of the line are expected here"},
};

TEST(Arff, EveryFlawOfARowIsPlacedAndLeavesTheOtherRows) {
  const Reading sound = read_arff(header + "1,x,n\n2,y,p\n3,?,n\n");
  for (const RowFlaw& flaw : arff_flaws) {
    expect_flaw(flaw, header + "1,x,n\n2,y,p\n", "3,?,n\n", arff(),
                [&](const Reading& skipped) { EXPECT_EQ(skipped.schema.columns, sound.schema.columns) << flaw.line; });
  }
}

TEST(Arff, FlawsThatTakeOtherColumns) {
  const std::string text =
      "@relation r\n@attribute s string\n@attribute w numeric\n@attribute y {n,p}\n@data\nok,1,n\nok,1,p\n";
  const std::pair<std::string, const char*> cases[] = {
      {"\xff,1,n", "invalid UTF-8 in column 's'"},
      {"{1 1}", "the sparse row leaves out 's', whose values have no first"},
      {"t,-1,n", "'-1' in column 'w' is not a weight"},
      {"t,1,n,{2}", "a weight in braces, and the weight is in column 'w'"}};
  for (const auto& [line, reason] : cases) {
    ReadOptions options = arff();
    options.columns.weight = "w";
    const Reading outcome = read_text(text + line + "\n", options);
    EXPECT_EQ(outcome.error.message(), reason);
    EXPECT_EQ(outcome.error.line(), 8u);
  }
}

TEST(Arff, EveryFlawOfTheHeaderIsPlaced) {
  struct Case {
    std::string from, to;
    std::uint64_t line, column;
    const char* reason;
  };
  const Case cases[] = {
      {"@attribute a numeric", "attribute a numeric", 2, 1, "'attribute' where @attribute or @data is expected"},
      {"@attribute a numeric", "@attribute", 2, 11, "the attribute has no name"},
      {"@attribute a numeric", "@attribute a", 2, 13, "the attribute has no type"},
      {"a numeric", "a relational", 2, 14, "'relational' is not a type that is read"},
      {"@attribute b", "@attribute a", 3, 12, "the attribute 'a' is declared on line 2 too"},
      {"{x,y}", "{x,y", 3, 14, "the list of values is not closed on its line"},
      {"{x,y}", "{}", 3, 14, "the list of values is empty"},
      {"{x,y}", "{x,,y}", 3, 17, "a value is expected here"},
      {"{x,y}", "{x,y,x}", 3, 19, "the value 'x' is twice in the list"},
      {"{x,y}", "{x,'y}", 3, 17, "the quote that opens here is not closed on its line"},
      {"{x,y}", "{x,\xff}", 3, 17, "'.' is not valid UTF-8"},
      {"@data", "@end", 5, 1, "'@end' where @attribute or @data is expected"},
  };
  for (const Case& one : cases) {
    std::string text = header + "1,x,n\n2,y,p\n";
    text.replace(text.find(one.from), one.from.size(), one.to);
    const Reading outcome = read_text(text, arff());
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data);
    EXPECT_EQ(outcome.error.message(), one.reason);
    EXPECT_EQ(outcome.error.line(), one.line) << one.to;
    EXPECT_EQ(outcome.error.column(), one.column) << one.to;
    EXPECT_FALSE(outcome.error.hint().empty());
  }
  EXPECT_EQ(read_text("@relation r\n@data\n1\n", arff()).error.message(), "@data before any @attribute");
  EXPECT_EQ(read_text("@relation r\n@attribute a numeric\n", arff()).error.message(),
            "the header of the ARFF file has no @data");
  EXPECT_EQ(read_text(header, arff()).error.message(), "no data rows");
}

// Weka reads these, too: a brace or a quote ends the token before it.
TEST(Arff, ADeclarationNeedsNoBlanksWhereItsTokensEnd) {
  const std::string rows = "1,x,n\n2,y,p\n";
  const Reading plain = read_arff(header + rows);
  for (const std::string& other :
       {std::string("@attribute 'a'numeric\n@attribute b{x,y}\n@attribute \"class\"{n, p}\n"),
        std::string("@attribute'a'real\n@attribute'b'{x,y}\n@ATTRIBUTE class{n,p}%end\n")}) {
    const Reading reading = read_arff("@relation r\n" + other + "@data\n" + rows);
    EXPECT_EQ(reading.rows, plain.rows) << other;
    EXPECT_EQ(reading.schema.feature_names(), plain.schema.feature_names()) << other;
  }
}

std::string arff_sample() {
  std::mt19937_64 random(5);
  std::string text = header.substr(0, header.find("@data")) + "@attribute z string\n@data\n";
  for (int i = 0; i < 2000; ++i) {
    const std::string a = std::to_string(random() % 100) + ".5", b = random() % 2 == 0 ? "x" : "'y'";
    const std::string label = random() % 2 == 0 ? "n" : "p",
                      z = "w" + std::to_string(random() % (1 + static_cast<unsigned>(i) / 2));
    switch (random() % 4) {
      case 0:
        text += "{0 " + a + ", 2 " + label + ", 3 " + z + "}";
        break;
      case 1:
        text += "?," + b + "," + label + ",'" + z + " q',{0.5}";
        break;
      case 2:
        text += random() % 9 == 0 ? a + "," + b + "," + label : a + "\t" + b + "\t" + label + "\t" + z + " % end";
        break;
      default:
        text += a + "," + b + "," + label + "," + z;
    }
    text += random() % 3 == 0 ? "\r\n" : "\n";
    if (random() % 20 == 0) text += "% comment\n\n";
  }
  return text;
}

TEST(Arff, NothingDependsOnThreadsBlocksOrCompression) {
  const std::string text = arff_sample();
  ReadOptions options = arff();
  options.on_error = OnError::skip;
  options.inference_rows = 50;
  const Reading outcome = expect_read_alike_however_cut(text, gzip(text), options);
  EXPECT_GT(outcome.report.rejected, 10u);
  EXPECT_GT(outcome.schema.features, 200u);
}

TEST(Arff, AModelMatchesAttributesByName) {
  const Schema model = read_arff(header + "1,x,n\n2,y,p\n").schema;
  ReadOptions options = arff();
  options.schema = &model;
  options.grow = false;
  const std::string turned =
      "@relation r\n@attribute class {p,n}\n@attribute b {z,y,x}\n@attribute a numeric\n@data\nn,y,4\n{2 5}\n{0 n,2 "
      "1}\n";
  const Reading outcome = read_arff(turned, options);
  EXPECT_EQ(outcome.rows,
            "1 0 0x1p+0 0x1.1p+4 0:0x1p+2 2:0x1p+0\n2 1 0x1p+0 0x1.9p+4 0:0x1.4p+2\n3 0 0x1p+0 0x1p+0 0:0x1p+0\n");
  EXPECT_EQ(outcome.report.unknown_features, 2u);
  const Reading lacking = read_text("@relation r\n@attribute a numeric\n@attribute class {n,p}\n@data\n1,n\n", options);
  EXPECT_TRUE(has(lacking.error.message(), "'b'"));
}

TEST(Arff, KeelDeclaresTheLabel) {
  const std::string attributes = "@attribute a {x, y}\n@attribute b real [0.0, 1.0]\n@attribute c integer[1,9]\n";
  const std::string rows = "@data\nx, 0.5, 1\ny, 0.25, 2\n";
  ReadOptions named{.columns = {.label = "a"}};
  const Reading expected = read_text("@relation r\n" + attributes + rows, named);
  ASSERT_FALSE(expected.failed);
  for (const char* output : {"@inputs b, c\n@outputs a\n", "@output a\n"}) {
    const Reading found = read_good("@relation r\n" + attributes + output + rows);
    EXPECT_EQ(found.rows, expected.rows);
  }
  EXPECT_EQ(read_text("@relation r\n" + attributes + "@outputs a, c\n" + rows).error.message(),
            "several outputs, and a row has one label");
  const Reading unknown = read_text("@relation r\n" + attributes + "@inputs b, c\n@outputs d\n" + rows);
  EXPECT_EQ(unknown.error.message(), "the output 'd' is no attribute");
  EXPECT_EQ(unknown.error.line(), 6U);
  EXPECT_EQ(unknown.error.hint(), "the only attribute that is no input is 'a': " + option("label", "a") + " learns it");
  EXPECT_EQ(read_text("@relation r\n" + attributes + "@outputs d\n" + rows, named).rows, expected.rows);
}

TEST(Arff, IsRecognisedByItsFirstDeclaration) {
  using stream::recognise_text;
  for (const char* text :
       {"@relation r\n", "% a comment\n%\n@RELATION iris\n", "\n  @relation 'a b'\n@attribute x numeric\n",
        "@attribute x numeric\n", "@relatoin r\n@attribute x numeric\n@attribute y {a,b}\n@data\n"}) {
    EXPECT_EQ(recognise_text(text), DataFormat::arff) << text;
  }
  for (const char* text : {"%,y\n1,2\n", "@handle,y\n", "@relations,y\n1,2\n", "@attribute,y\n", "%\n"}) {
    EXPECT_NE(recognise_text(text), DataFormat::arff) << text;
  }
}

}  // namespace
}  // namespace halfspace
