// check --for: what another program makes of LIBSVM text. tools/elsewhere/libsvm compares it with the programs.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

const std::string kGood = "1 1:1 2:1\n-1 1:-1 2:2\n7 1:2 2:2\n";

class ElsewhereCommand : public CommandTest {
 protected:
  // Returns what is reported of kGood and the lines, as "LINE what: then".
  std::vector<std::string> lines(const std::string& program, const std::string& text) const {
    write("rows", kGood + text);
    const Output output = halfspace("check rows --format libsvm --json --for " + program);
    std::vector<std::string> found;
    const Json checked = Json::parse(output.out);
    for (const Json& each : checked["for"]["lines"]) {
      found.push_back(std::to_string(each["line"].get<int>()) + " " + each["what"].get<std::string>() + ": " +
                      each["then"].get<std::string>());
    }
    return found;
  }
};

using Lines = std::vector<std::string>;

TEST_F(ElsewhereCommand, ReportsNothingOfLinesThatAllRead) {
  const std::string text = "7 3:1 # note\n  +7\t3:-.5 4:1E5\r\n1\n-1 2:0 5:1e-30\n7 3:1";
  for (const char* program : {"liblinear", "libsvm", "sklearn", "xgboost"}) {
    EXPECT_EQ(lines(program, text), Lines()) << program;
    EXPECT_TRUE(has(halfspace("check rows --for " + std::string(program)).out, " reads every line as it is meant"));
  }
}

TEST_F(ElsewhereCommand, TellsCommentsAndBlankLinesApart) {
  const std::string text = "# this is odd\n\n# 2 rows\n7 3:1 # at 10:30\n";
  const Lines refused = {"4 a line of comment: refuses the file", "5 a blank line: refuses the file",
                         "7 a comment with a colon behind a row: refuses the file"};
  EXPECT_EQ(lines("liblinear", text), refused);
  EXPECT_EQ(lines("libsvm", text), refused);
  EXPECT_EQ(lines("sklearn", text), Lines());
  write("rows", "# 2 rows\n" + kGood);
  EXPECT_TRUE(has(halfspace("check rows --for xgboost").out, " reads every line as it is meant, as 32-bit floats.\n"));
  EXPECT_EQ(lines("xgboost", text),
            Lines{"6 a line of comment with a digit, a point, a sign or an e: makes it a row, or refuses the file"});
}

TEST_F(ElsewhereCommand, FindsEveryKindOfLine) {
  const std::map<std::string, std::string> kinds = {
      {"7\r", "a row without features that ends in CRLF"},
      {"0.5 3:1", "a label that is not a whole number"},
      {"-3e9 3:1", "a label beyond 32 bits"},
      {"nan 3:1", "an unusual number as label"},
      {"0x10 3:1", "an unusual number as label"},
      {"1_0.5 3:1", "an unusual number as label"},
      {"7 3:1#note", "a comment without a blank before it"},
      {"7#note", "a comment without a blank before it"},
      {"7 1:3\r-7 2:4", "a CR or other white space within a line"},
      {"7 1:3\v4:1", "a CR or other white space within a line"},
      {"\f", "a CR or other white space within a line"},
      {"7,8 3:1", "a comma in the first word: several labels, or CSV"},
      {"7:0.5 3:1", "a colon in the first word"},
      {"spam 3:1", "a name as label"},
      {"7 qid:5 3:1", "a qid"},
      {"7 1:2 qid:3", "a qid that is not directly behind the label"},
      {"7 1_0:1", "an unusual index"},
      {"7 -0:1", "an unusual index"},
      {"7 3:0x1.8p3", "an unusual number as value"},
      {"7 3:1_0.5", "an unusual number as value"},
      {"7 3:nan(1)", "an unusual number as value"},
      {"7 0:1 3:1", "index 0"},
      {"7 3:1 2:1", "indices that do not ascend"},
      {"7 3:1 3:1", "an index twice in a row"},
      {"7 2147483648:1", "an index above 2147483647"},
      {"7 4294967296:1", "an index above 4294967295"},
      {"7 9223372036854775808:1", "an index above 9223372036854775807"},
      {"7 -3:1", "an index that is not a whole number, or negative"},
      {"7 3 4:1", "an index without a value"},
      {"7 3:1 4", "an index without a value at the end of a row"},
      {"7 3: 4:1", "a colon without a value"},
      {"7 3: 1", "a blank between colon and value"},
      {"7 3:0x1F", "a hexadecimal value"},
      {"7 3:1_000", "an underscore in a value"},
      {"7 3:-inf", "a value that is not finite"},
      {"7 3:1e400", "a value above 1.8e308"},
      {"7 3:1e-310", "a value other than 0 below 2.3e-308"},
      {"7 3:1,5", "a value that is not a number"},
  };
  for (const auto& kind : kinds) {
    const std::string line = kind.first, what = kind.second;
    const Lines found = lines("liblinear", line + "\n");
    const Lines of_sklearn = lines("sklearn", line + "\n");
    const auto has = [&](const Lines& all) { return all.size() == 1 && all[0].starts_with("4 " + what + ": "); };
    EXPECT_TRUE(has(found) || has(of_sklearn)) << line << ": " << (found.empty() ? "nothing" : found.front());
  }
}

TEST_F(ElsewhereCommand, KnowsWhatXgboostRounds) {
  EXPECT_EQ(lines("xgboost", "16777216 3:1\n16777217 3:1\n"),
            Lines{"5 a label that needs more than 24 bits: rounds it: 16777217 is 16777216"});
  EXPECT_EQ(lines("xgboost", "0.1 3:1\n0.1000000001 3:1\n"),
            Lines{"5 a label with a fraction and more than 6 digits: rounds it: 0.1 and 0.1000000001 are one class"});
  for (const char* label : {"36893488147419103232", "1e39", "1e-39", "0.00000000000000000000001", "1000e-40"}) {
    EXPECT_EQ(lines("xgboost", label + std::string(" 3:1\n")),
              Lines{"4 a label of unusual size or notation: may read another number: 0 for 36893488147419103232"});
  }
  EXPECT_EQ(lines("liblinear", "-2147483648 3:1\n"), Lines());
  EXPECT_EQ(lines("liblinear", "2147483648 3:1\n"), Lines{"4 a label beyond 32 bits: makes it -2147483648"});
  EXPECT_EQ(lines("xgboost", "7 3:1e39 4:1e-39\n"),
            (Lines{"4 a value above 3.4e38: reads another number, or refuses the file",
                   "4 a value other than 0 below 1.2e-38: may read another number, or 0"}));
  EXPECT_EQ(lines("xgboost", "7 3:0000000000000000000000000001.5 4:1234567890123456789.5 5:0e99 6:1e38\n"),
            (Lines{"4 a whole number as value that needs more than 24 bits: rounds it: 16777217 is 16777216"}));
  EXPECT_EQ(lines("xgboost", "7 3:0.00000000000000000000001\n7 3:0.001e40\n7 3:1000e-40\n"),
            (Lines{"4 a value with more than 10 zeros after its point: may lose digits, or read 0: it keeps 19 digits "
                   "after the point",
                   "5 a value with an exponent beyond 38: reads another number: 1e-35 for 1000e-40"}));
  EXPECT_EQ(lines("xgboost", "7 3:-20000000000000000000\n"),
            Lines{"4 a value with more than 19 digits before its point: reads another number"});
  EXPECT_EQ(lines("xgboost", "7 5:1 3:1 4:1 3:1\n"), Lines{"4 an index twice in a row: keeps both values"});
}

TEST_F(ElsewhereCommand, CountsLinesAndNamesTheFirst) {
  write("a",
        "\xef\xbb\xbf"
        "1 1:1\n\n-1 1:2\n\n");
  write("b", "# 1\n1 2:1\n-1 2:2\n\n");
  EXPECT_TRUE(prints("check a b --for liblinear",
                     "  liblinear-train 2.3.0 does not read these lines as they are meant:\n"
                     "  a:1: a byte order mark\n    refuses the file\n"
                     "  a:2: a blank line, and 2 more lines\n    refuses the file\n"
                     "  b:1: a line of comment\n    refuses the file\n"));
  EXPECT_TRUE(has(sh("gzip a && \"$H\" check a.gz --for xgboost").out,
                  "as they are meant:\n  a.gz: a compressed file\n    reads garbage, or refuses the file"));
}

TEST_F(ElsewhereCommand, KnowsThatScikitLearnDecompressesByTheNameAlone) {
  write("rows", kGood);
  EXPECT_EQ(sh("gzip -c rows >a.gz; bzip2 -c rows >a.bz2; cp a.gz a; cp rows b.gz").code, 0);
  const auto reads = [&](const std::string& file) {
    return halfspace("check " + file + " --for sklearn").out.find(" reads every line ") != std::string::npos;
  };
  EXPECT_TRUE(reads("a.gz"));
  EXPECT_TRUE(reads("a.bz2"));
  EXPECT_FALSE(reads("a"));
  EXPECT_FALSE(reads("b.gz"));
  const Json read = Json::parse(halfspace("check a a.gz --json --for libsvm").out)["for"]["lines"][0];
  EXPECT_EQ(read["what"].get<std::string>() + ": " + read["then"].get<std::string>(),
            "a compressed file: refuses the file");
  EXPECT_EQ(read["lines"].get<int>(), 2);
}

TEST_F(ElsewhereCommand, ReportsFilesOfWhichHalfspaceUsesNoRow) {
  write("queries", "7 qid:1 1:2\n-1 qid:2 2:2\n");
  write("weights", "# note\n7:1 1:2\n-1:2 2:2\n");
  for (const char* file : {"queries", "weights"}) {
    const Output text = halfspace("check " + std::string(file) + " --for sklearn");
    EXPECT_EQ(text.code, 65);
    EXPECT_TRUE(has(text.out, "  scikit-learn 1.2.1 does not read these lines as they are meant:\n"));
    const Output json = halfspace("check " + std::string(file) + " --json --for libsvm");
    EXPECT_EQ(json.code, 65);
    EXPECT_EQ(Json::parse(json.out)["for"]["program"].get<std::string>(), "svm-train 3.24");
    EXPECT_EQ(Json::parse(json.out)["for"]["lines"][0]["lines"].get<int>(), file[0] == 'q' ? 2 : 1);
  }
  write("other.vw", "1 | a:1 b\n-1 | a\x01:z |\n");
  EXPECT_TRUE(lacks(halfspace("check other.vw --format libsvm --for libsvm").out, "svm-train"));
}

TEST_F(ElsewhereCommand, KnowsTheCommentBehindAByteOrderMark) {
  write("rows", "\xef\xbb\xbf# 10 rows\n" + kGood);
  EXPECT_TRUE(has(halfspace("check rows --for xgboost").out, "rows:1: a line of comment with a digit"));
}

TEST_F(ElsewhereCommand, RefusesWhatItCannotReadAgain) {
  write("rows", kGood);
  write("table.csv", "x,label\n1,a\n2,b\n");
  EXPECT_EQ(halfspace("check table.csv --for libsvm").err,
            "halfspace: table.csv: --for is about LIBSVM text, and this is CSV\n  fix: leave out --for\n");
  EXPECT_TRUE(has(sh("cat rows | \"$H\" check - --for libsvm").err, "it must be a file of text"));
  EXPECT_TRUE(has(sh("\"$H\" convert rows rows.cache && \"$H\" check rows.cache --for libsvm").err, "file of text"));
  EXPECT_TRUE(has(halfspace("check rows --for weka").err, "--for takes liblinear, libsvm, sklearn or xgboost"));
}

}  // namespace
}  // namespace halfspace::cli_tests
