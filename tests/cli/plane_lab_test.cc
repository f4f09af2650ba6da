// lab plane: each set is as separable as it should be, at any size and seed; its rows as a file; its page. lab all.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class PlaneLab : public CommandTest {
 protected:
  Json row_of(const std::string& arguments) const {
    const Output output = halfspace("lab plane " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << arguments << output.err << output.out;
    const Json j = Json::parse(output.out);
    EXPECT_EQ(j["holds"], true);
    return j["rows"][0];
  }
};

TEST_F(PlaneLab, ListNamesTheSetsAndEachIsAsItShouldBe) {
  const std::string list = halfspace("lab plane --list").out;
  for (const std::string set : {"larks", "xor", "spirals", "touching", "nearly-separable"}) {
    EXPECT_TRUE(has(list, "  " + set + " "));
    const Json row = row_of(set);
    EXPECT_EQ(row["separable, proved"], set == "larks");
    EXPECT_TRUE(has(halfspace("lab plane " + set).out,
                    ". the border; on the wrong side " + std::to_string(row["pocket's errors"].get<int>()),
                    "The claim held in every row."));
  }
  EXPECT_EQ(row_of("touching")["pocket's errors"], 1);
  EXPECT_EQ(row_of("nearly-separable")["fewest errors, proved"], "2");
  EXPECT_EQ(row_of("xor --n 4")["fewest errors, proved"], "1");
}

TEST_F(PlaneLab, HoldsAtEverySizeAndSeed) {
  for (const char* arguments :
       {"xor --n 5", "xor --n 31 --seed 2", "spirals --n 8", "spirals --n 33 --seed 3", "touching --n 5",
        "touching --n 200 --seed 4", "nearly-separable --n 8", "nearly-separable --n 99 --seed 5", "larks --seed 6"})
    row_of(arguments);
}

TEST_F(PlaneLab, RowsAreWrittenAsCsvAndTrainTheSame) {
  ASSERT_EQ(halfspace("lab plane touching --n 9 -o t.csv").code, 0);
  const std::string text = read("t.csv");
  EXPECT_EQ(text.substr(0, text.find('\n', 20)), "x,y,class\n0,0,red\n-1,0,blue");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  const Json j = json_of("train t.csv --preset pocket --updates 2000");
  EXPECT_EQ(j["training_errors"], 1);
  ASSERT_EQ(halfspace("lab plane larks -o larks.csv").code, 0);
  EXPECT_EQ(read("larks.csv").substr(0, 30), slurp(HALFSPACE_SOURCE_DIR "/examples/larks.csv").substr(0, 30));
  EXPECT_EQ(halfspace("lab plane larks -o larks.csv").code, 0);  // a file, not a folder: replaced
}

TEST_F(PlaneLab, ThePageIsThatOfTheRun) {
  ASSERT_EQ(halfspace("lab plane xor --report r.html --save-run r.json").code, 0);
  EXPECT_TRUE(has(read("r.html"), "<svg"));
  EXPECT_EQ(Json::parse(read("r.json"))["plane"]["kind"], "features");
  ASSERT_EQ(halfspace("report r.json -o again.html").code, 0);
  EXPECT_EQ(read("again.html"), read("r.html"));
}

TEST_F(PlaneLab, UnknownSetsAndSizesAreRefused) {
  EXPECT_TRUE(ends(2, "lab plane moons", "name one of larks, xor"));
  EXPECT_EQ(halfspace("lab plane").code, 2);
  EXPECT_EQ(halfspace("lab plane larks --n 50").code, 2);
  EXPECT_EQ(halfspace("lab plane xor --n 3").code, 2);
}

TEST_F(PlaneLab, AllRunsEveryLabThatNeedsNoData) {
  const Output output = halfspace("lab all --json --seed 3");
  ASSERT_EQ(output.code, 0) << output.out;
  const Json j = Json::parse(output.out);
  EXPECT_GE(j["rows"].size(), 20U);
  for (const Json& row : j["rows"]) {
    EXPECT_EQ(row["held"], true) << row;
    EXPECT_GT(row["rows"], 0);
  }
  EXPECT_EQ(halfspace("lab all --n 5").code, 2);
  EXPECT_EQ(halfspace("lab all --plot").code, 2);
}

}  // namespace
}  // namespace halfspace::cli_tests
