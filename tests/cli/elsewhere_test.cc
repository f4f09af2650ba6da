// check --for: what another program makes of LIBSVM text. tools/elsewhere/libsvm compares it with the programs.
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
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
    EXPECT_NE(halfspace("check rows --for " + std::string(program)).out.find(" reads every line as it is meant.\n"),
              std::string::npos);
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
  EXPECT_NE(halfspace("check rows --for xgboost").out.find(" reads every line as it is meant.\n"), std::string::npos);
  EXPECT_EQ(lines("xgboost", text),
            Lines{"6 a line of comment with a digit, a point, a sign or an e: makes it a row, or refuses the file"});
}

TEST_F(ElsewhereCommand, FindsEveryKindOfLine) {
  const std::map<std::string, std::string> kinds = {
      {"7\r", "a row without features that ends in CRLF"},
      {"0.5 3:1", "a label that is not a whole number"},
      {"-3e9 3:1", "a label beyond 32 bits"},
      {"nan 3:1", "a label that is not finite"},
      {"7,8 3:1", "several labels"},
      {"7:0.5 3:1", "a colon in the first word"},
      {"spam 3:1", "a name as label"},
      {"7 qid:5 3:1", "a qid"},
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
  for (const auto& [line, what] : kinds) {
    const Lines found = lines("liblinear", line + "\n");
    const Lines of_sklearn = lines("sklearn", line + "\n");
    const auto has = [&](const Lines& all) { return all.size() == 1 && all[0].starts_with("4 " + what + ": "); };
    EXPECT_TRUE(has(found) || has(of_sklearn)) << line << ": " << (found.empty() ? "nothing" : found.front());
  }
}

TEST_F(ElsewhereCommand, KnowsWhatXgboostRounds) {
  EXPECT_EQ(lines("xgboost", "16777216 3:1\n16777217 3:1\n"),
            Lines{"5 a label that needs more than 24 bits: rounds it: 16777217 is 16777216"});
  EXPECT_EQ(lines("xgboost", "7 3:1e39 4:1e-39\n"),
            (Lines{"4 a value above 3.4e38: reads 1e38, or refuses the file",
                   "4 a value other than 0 below 1.2e-38: reads 1.2e-38, or 0"}));
  EXPECT_EQ(
      lines("xgboost", "7 3:0000000000000000000000000001.5 4:1234567890123456789.5 5:0.00000000000000000000001\n"),
      Lines());
  EXPECT_EQ(lines("xgboost", "7 3:-20000000000000000000\n"),
            Lines{"4 a value with more than 19 digits before its point: reads another number"});
  EXPECT_EQ(lines("xgboost", "7 5:1 3:1 4:1 3:1\n"), Lines{"4 an index twice in a row: keeps both values"});
}

TEST_F(ElsewhereCommand, CountsLinesAndNamesTheFirst) {
  write("a",
        "\xef\xbb\xbf"
        "1 1:1\n\n-1 1:2\n\n");
  write("b", "# 1\n1 2:1\n-1 2:2\n\n");
  const Output output = halfspace("check a b --for liblinear");
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_NE(output.out.find("  liblinear-train 2.3.0 does not read these lines as they are meant:\n"
                            "  a:1: a byte order mark\n    refuses the file\n"
                            "  a:2: a blank line, and 2 more lines\n    refuses the file\n"
                            "  b:1: a line of comment\n    refuses the file\n"),
            std::string::npos)
      << output.out;
  EXPECT_NE(sh("gzip a && \"$H\" check a.gz --for xgboost").out.find("XGBoost 1.7.4 reads every line"),
            std::string::npos);
}

TEST_F(ElsewhereCommand, RefusesWhatItCannotReadAgain) {
  write("rows", kGood);
  write("table.csv", "x,label\n1,a\n2,b\n");
  EXPECT_EQ(halfspace("check table.csv --for libsvm").err,
            "halfspace: table.csv: --for is about LIBSVM text, and this is CSV\n  fix: leave out --for\n");
  EXPECT_NE(sh("cat rows | \"$H\" check - --for libsvm").err.find("it must be a file of text"), std::string::npos);
  EXPECT_NE(sh("\"$H\" convert rows rows.cache && \"$H\" check rows.cache --for libsvm").err.find("file of text"),
            std::string::npos);
  EXPECT_NE(halfspace("check rows --for weka").err.find("--for takes liblinear, libsvm, sklearn or xgboost"),
            std::string::npos);
}

}  // namespace
}  // namespace halfspace::cli_tests
