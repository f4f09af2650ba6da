// certify of tables that are read in other than the usual way: the certificate says how, and both checkers read alike.

#include "certificate_support.h"
#include "halfspace/base/error.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/verify/sha256.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

class CertifyTables : public ::testing::Test {
 protected:
  Certificate certified(const std::string& table, ReadOptions read = {}) {
    CertifyOptions options;
    options.read = std::move(read);
    options.read.path = path_ = folder_.write("table.csv", table);
    return certify(options).certificate;
  }

  // Both checkers give this exit status.
  void expect(int status, const std::string& certificate) {
    const std::string file = folder_.write("certificate.json", certificate);
    int found = 0;
    try {
      found = verify(decode_certificate(certificate, file), {path_}).valid ? 0 : 1;
    } catch (const Error&) {
      found = 65;
    }
    EXPECT_EQ(found, status) << certificate;
    const Outcome python = plain_check(file, {path_});
    EXPECT_EQ(python.status, status) << python.output << certificate;
  }
  void expect(int status, const Certificate& certificate) { expect(status, encode_certificate(certificate)); }

  std::string checked(const Certificate& certificate) const {
    std::string all;
    for (const std::string& sentence : verify(certificate, {path_}).checked) all += sentence + "\n";
    return all;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(CertifyTables, MissingNamesAreSaidWhereTheyMatter) {
  // Only what every certificate takes for missing: it need not be said, and is read by programs of before.
  const Certificate usual = certified("a,b,label\n1,red,yes\n?,blue,no\n3,NA,no\n2,,yes\n");
  EXPECT_EQ(usual.data.missing, default_missing_texts());
  EXPECT_TRUE(lacks(encode_certificate(usual), "\"missing\":["));
  expect(0, usual);

  const Certificate more = certified("a,b,label\n1,red,yes\nnan,blue,no\n3,-,no\n2,null,yes\n");
  EXPECT_EQ(more.data.missing, default_missing());
  expect(0, more);
  EXPECT_TRUE(has(checked(more), "'null' is a missing value"));
  Certificate lie = more;
  lie.data.missing = {"-", "?", "NA", "nan"};
  expect(1, lie);  // null would be a category that it does not have
  lie.data.missing = default_missing_texts();
  expect(1, lie);
}

// A certificate that takes two texts for one class, as those of earlier builds did, is refused.
TEST_F(CertifyTables, LabelsAreTexts) {
  const Certificate two = certified("a,label\n1,3.1\n2,3.10\n3,3.10\n");
  EXPECT_EQ(two.verdict, Verdict::separable);
  EXPECT_EQ(two.data.classes[1].labels, std::vector<std::string>{"3.10"});
  expect(0, two);
  Certificate other = two;
  other.data.classes[1].labels = {"3.100"};
  expect(1, other);
  other = two;
  other.data.classes[0].labels.clear();
  other.data.classes[0].rows = 0;
  other.data.classes[1] = {{"3.10"}, 3};
  expect(1, other);
}

TEST_F(CertifyTables, NamedMissingValues) {
  ReadOptions read;
  read.table.missing_only = {{"-999", "none"}};
  const Certificate named = certified("a,b,label\n1,red,yes\n-999,?,no\n3,none,no\n2,NA,yes\n", read);
  EXPECT_EQ(named.data.missing, (std::vector<std::string>{"-999", "none"}));
  expect(0, named);
  Certificate lie = named;
  lie.data.missing = {"none"};
  expect(1, lie);  // -999 would be a number
  read.table.missing_only.emplace();
  const Certificate empty = certified("a,b,label\n1,red,yes\n,?,no\n3,none,no\n2,NA,yes\n", read);
  EXPECT_EQ(empty.data.missing, std::vector<std::string>{});
  expect(0, empty);
}

TEST_F(CertifyTables, MinusIsALabel) {
  const Certificate signs = certified("a,b,y\n1,-,+\n2,u,-\n0,v,+\n");
  EXPECT_EQ(signs.data.classes[0].labels, std::vector<std::string>{"-"});
  EXPECT_EQ(signs.data.missing, default_missing());
  expect(0, signs);
}

TEST_F(CertifyTables, DelimitersAndDecimalCommas) {
  const Certificate bars = certified("a|b|y\n1|red|x\n2|\"bl|ue\"|z\n");
  EXPECT_EQ(bars.data.delimiter, '|');
  expect(0, bars);

  ReadOptions read;
  read.table.decimal = ',';
  const Certificate commas = certified("a;b;y\n0,1;0,2;x\n 1e0;-2,50 ;z\n0,3;;x\n", read);
  EXPECT_EQ(commas.data.decimal, ',');
  expect(0, commas);
  EXPECT_TRUE(has(checked(commas), "a comma as the decimal point"));
  Certificate lie = commas;
  lie.data.decimal = '.';
  expect(1, lie);
  lie.data.decimal = ',';
  lie.data.delimiter = '|';
  expect(1, lie);
  std::string text = encode_certificate(commas);
  expect(1, sealed(text.replace(text.find("\"delimiter\":\";\""), 15, "\"delimiter\":\",\"")));  // other fields
  for (const char* delimiter : {"a", "ab", "", "."}) {
    std::string other = encode_certificate(bars);
    expect(65, sealed(other.replace(other.find("\"delimiter\":\"|\""), 15,
                                    std::string("\"delimiter\":\"") + delimiter + "\"")));
  }
  for (const char* mark : {"\".\"", "\"\"", "null", "1"}) {
    std::string other = encode_certificate(commas);
    expect(65, sealed(other.replace(other.find("\"decimal\":\",\""), 13, std::string("\"decimal\":") + mark)));
  }
}

TEST_F(CertifyTables, QuotedDecimalCommasAndThousands) {
  ReadOptions read;
  read.table.decimal = ',';
  const Certificate commas = certified("a,b,y\n\"0,1\",2,x\n\"-1,25\",\"3,5\",z\n4,,x\n", read);
  EXPECT_EQ(commas.data.delimiter, ',');
  expect(0, commas);
  for (const char mark : {',', ' ', '\''}) {
    read.table.decimal.reset();
    read.table.thousands = mark;
    const std::string cell = std::string("\"-1") + mark + "234" + mark + "567.25\"";
    const Certificate groups =
        certified("a,b,y\n" + cell + ",7,x\n2.5,1e2,z\n1000,,x\n\"1" + mark + "000\",3,z\n", read);
    EXPECT_EQ(groups.data.thousands, mark);
    EXPECT_EQ(groups.data.columns[0].role, CsvColumn::Role::numeric);
    expect(0, groups);
    EXPECT_TRUE(has(checked(groups), "between thousands"));
    Certificate lie = groups;
    lie.data.thousands = '\0';
    expect(1, lie);
  }
  read.table.thousands = '.';
  read.table.decimal = ',';
  const Certificate points = certified("a;b;y\n1.234,5;7;x\n2,5;1;z\n1.000.000;;x\n", read);
  expect(0, points);
  const std::string text = encode_certificate(points);
  for (const char* mark : {"\",\"", "\";\"", "\"x\"", "\"\"", "1"}) {
    std::string other = text;
    expect(65, sealed(other.replace(other.find("\"thousands\":\".\""), 15, std::string("\"thousands\":") + mark)));
  }
}

TEST_F(CertifyTables, SingleQuotesLinesBeforeAndComments) {
  ReadOptions read;
  read.table.quote = Quote::single_quote;
  read.table.skip_lines = 2;
  read.table.comment = "%#";
  const Certificate all = certified(
      "\xef\xbb\xbfTitle 'of\n# it\n# names\na,'b, c',y\n%1,2,x\n1,'it''s',x\n  # 'open\n2,\"red,z\n'#3',u,x\n# the "
      "end",
      read);
  EXPECT_EQ(all.data.quote, '\'');
  EXPECT_EQ(all.data.skip_lines, 2U);
  EXPECT_EQ(all.data.comment, "#%");
  EXPECT_EQ(all.data.columns[1].categories, (std::vector<std::string>{"it's", "\"red", "u"}));
  expect(0, all);
  EXPECT_TRUE(has(checked(all), "single quotes", "lines before the table: 2", "comments begin with one of #%"));
  Certificate lie = all;
  lie.data.skip_lines = 1;
  lie.data.comment = "#";
  expect(1, lie);
  lie = all;
  lie.data.quote = '"';
  expect(1, lie);
  const std::string text = encode_certificate(all);
  const auto refused = [&](const std::string& was, const std::string& is) {
    std::string other = text;
    const std::size_t at = other.find(was);
    ASSERT_NE(at, std::string::npos) << was;
    expect(65, sealed(other.replace(at, was.size(), is)));
  };
  for (const char* lines : {"0", "-1", "\"2\"", "1.5"})
    refused("\"skip_lines\":2", std::string("\"skip_lines\":") + lines);
  for (const char* marks : {"", "%#", "##", "a", ",", "'"})
    refused("\"comment\":\"#%\"", std::string("\"comment\":\"") + marks + "\"");
  refused("\"quote\":\"single\"", "\"quote\":\"double\"");
}

// Tables of random comments and single quotes: what training reads, both checkers read.
TEST_F(CertifyTables, RandomComments) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 30; ++round) {
    ReadOptions read;
    read.table.header = true;
    read.table.comment.emplace("#");
    read.table.quote = round % 2 == 0 ? Quote::single_quote : Quote::double_quote;
    read.table.skip_lines = random() % 3;
    const std::string q = round % 2 == 0 ? "'" : "\"", twice = q + q;
    const std::vector<std::string> cells = {
        "1", "-2.5", q + "a,b" + q, q + "#" + q, q + "x" + twice + "\n#" + q, "NA", "r#", round % 2 == 0 ? "\"" : "'"};
    std::string table;
    for (std::uint64_t i = 0; i < *read.table.skip_lines; ++i) table += random() % 2 == 0 ? q + "\n" : "a,b\n";
    table += "a,b,c,y\n";
    for (int row = 0; row < 12; ++row) {
      while (random() % 3 == 0)
        table += (random() % 2 == 0 ? " \t# " : "#") + q + ",1" + (random() % 2 == 0 ? "\r\n" : "\n");
      table += std::to_string(row * 7 % 5) + "," + cells[random() % cells.size()] + "," +
               cells[random() % cells.size()] + (row % 2 == 0 ? ",u\n" : ",v\n");
    }
    SCOPED_TRACE(table);
    expect(0, certified(table, read));
  }
}

TEST_F(CertifyTables, RunsOfBlanks) {
  ReadOptions read;
  read.table.delimiter = ' ';
  const Certificate blanks = certified(
      "  a \tb\t\t\"the y\"  \r\n\r\n \t\n1 red x\r\n\t2.5   \"a  \"\"b\"\"\n\"\tz \r\n 3\r\r4 blue x\n\"\" red\tx",
      read);
  EXPECT_EQ(blanks.data.delimiter, ' ');
  EXPECT_EQ(blanks.data.columns[2].name, "the y");
  EXPECT_EQ(blanks.data.columns[0].categories, (std::vector<std::string>{"1", "2.5", "3\r\r4"}));
  expect(0, blanks);
  EXPECT_TRUE(has(checked(blanks), "blanks between values"));
  Certificate lie = blanks;
  lie.data.delimiter = '\t';
  expect(1, lie);
}

// Tables of random blanks, quotes and line ends: what training reads, both checkers read.
TEST_F(CertifyTables, RandomBlanks) {
  std::mt19937_64 random(3);
  ReadOptions read;
  read.table.delimiter = ' ';
  read.table.header = true;
  for (int round = 0; round < 40; ++round) {
    const std::vector<std::string> cells = {"1", "-2.5", "\"a b\"", "\"\"", "x\ry", "\"q\"\"\n\"", "NA", "\"\t\"", "r"};
    std::string table = "a b c y\n";
    for (int row = 0; row < 12; ++row) {
      const auto blanks = [&](std::size_t least) {
        std::string run;
        for (std::size_t n = least + (random() % 3 == 0 ? random() % 4 : 0); n > 0; --n)
          run += random() % 3 == 0 ? '\t' : ' ';
        return run;
      };
      table += blanks(0) + std::to_string(row * 7 % 5) + blanks(1) + cells[random() % cells.size()] + blanks(1) +
               cells[random() % cells.size()] + blanks(1) + (row % 2 == 0 ? "u" : "v") + blanks(0);
      table += random() % 2 == 0 ? "\n" : "\r\n";
      if (random() % 6 == 0) table += blanks(0) + "\n";
    }
    SCOPED_TRACE(table);
    expect(0, certified(table, read));
  }
}

TEST_F(CertifyTables, NamesInAnotherFormAreNoCertificate) {
  const std::string text = encode_certificate(certified("a,b,label\n1,red,yes\nnan,blue,no\n3,-,no\n2,null,yes\n"));
  const auto expect_refused = [&](const std::string& names) {
    std::string other = text;
    const std::size_t from = other.find("\"missing\":["), to = other.find(']', from);
    ASSERT_NE(from, std::string::npos);
    other.replace(from, to + 1 - from, "\"missing\":" + names);
    expect(65, sealed(other));
  };
  expect_refused("[\"?\",\"NA\"]");
  expect_refused("[\"NA\",\"?\"]");
  expect_refused("[\"\",\"NA\"]");
  expect_refused("[\"NA\",\"NA\"]");
  expect_refused("[1]");
  expect_refused("null");
  expect_refused("\"NA\"");
}

}  // namespace
}  // namespace halfspace::proof
