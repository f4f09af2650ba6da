// --plane, --plot and lab --plot: what is drawn, where, and what is refused.
#include <algorithm>

#include "base/json.h"
#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

const std::string path_of_larks = HALFSPACE_SOURCE_DIR "/examples/larks.csv";

class Picture : public CommandTest {};

TEST_F(Picture, ThePlaneIsInTheJsonWhereFiguresAreWanted) {
  const auto run = [&](const std::string& flags) {
    return Json::parse(halfspace("train " + path_of_larks + " --preset cyclic-pla --json " + flags).out);
  };
  EXPECT_FALSE(run("").contains("plane"));
  EXPECT_FALSE(run("--figures --plane none").contains("plane"));
  EXPECT_EQ(run("--figures")["plane"]["kind"], "features");
  EXPECT_EQ(run("--figures --plane tail,wing")["plane"]["axes"][0]["name"], "tail");
  EXPECT_EQ(run("--figures --plane projection")["plane"]["kind"], "projection");
  // The last moment is what the model stores.
  const Json plane = run("--figures -o m")["plane"];
  const Json model = Json::parse(halfspace("inspect m --json").out);
  EXPECT_EQ(plane["moments"]["weights"].back(),
            Json({model["weights"]["wing"], model["weights"]["tail"], model["bias"]}));
}

// Every moment is a line of the trace, number by number.
TEST_F(Picture, MomentsAreThoseOfTheTrace) {
  const Output output = halfspace("train " + path_of_larks + " --preset cyclic-pla --json --figures --trace t");
  const Json moments = Json::parse(output.out)["plane"]["moments"];
  std::istringstream trace(read("t"));
  std::size_t i = 0;
  for (std::string line; std::getline(trace, line);) {
    const Json round = Json::parse(line);
    if (!round["updated"]) continue;
    for (const char* key : {"round", "row", "label", "predicted", "score", "mistake"})
      EXPECT_EQ(moments[key][i], round[key]) << key << " of update " << i + 1;
    ++i;
  }
  EXPECT_EQ(i, moments["round"].size());
  EXPECT_GT(i, 10U);
}

TEST_F(Picture, AColumnThatIsNotThereLeavesNothingBehind) {
  const Output output = halfspace("train " + path_of_larks + " --report r.html -o m --plane wing,tali");
  EXPECT_EQ(output.code, 2);
  EXPECT_NE(output.err.find("did you mean tail"), std::string::npos) << output.err;
  EXPECT_FALSE(std::filesystem::exists(path("r.html")) || std::filesystem::exists(path("m")));
  EXPECT_EQ(halfspace("train " + path_of_larks + " --plane wing,tail").code, 2);
  EXPECT_EQ(halfspace("train " + path_of_larks + " --plot --json").code, 2);
  EXPECT_EQ(halfspace("lab minnow --plot --json").code, 2);
  EXPECT_EQ(halfspace("lab soa --plot").code, 2);
}

TEST_F(Picture, PlotsArePlainCharactersThatEndUnderTheBound) {
  EXPECT_EQ(halfspace("train " + path_of_larks + " --preset cyclic-pla").out.find("|***"), std::string::npos);
  const Output output = halfspace("train " + path_of_larks + " --preset cyclic-pla --plot");
  ASSERT_EQ(output.code, 0) << output.err;
  const std::string plot = output.out.substr(output.out.rfind("\n\n") + 2);
  std::istringstream lines(plot);
  std::size_t stars = 0, count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), 80U);
    for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
    const std::size_t bar = line.find('|');
    if (bar != std::string::npos) stars += static_cast<std::size_t>(std::count(line.begin(), line.end(), '*'));
  }
  EXPECT_EQ(count, 13U) << plot;
  EXPECT_EQ(stars, 80U - 12) << plot;  // one a column
  EXPECT_LT(plot.find("bound"), plot.find('*'));
  EXPECT_NE(plot.find("9,672 |-"), std::string::npos) << plot;
  const std::string bars = halfspace("lab tightness --n 16 --plot").out;
  EXPECT_NE(bars.find("16 of 16"), std::string::npos) << bars;
  EXPECT_NE(bars.find("mistakes by stream, dimension, as a share of bound"), std::string::npos) << bars;
}

}  // namespace
}  // namespace halfspace::cli_tests
