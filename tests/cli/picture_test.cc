// --plane, --plot and lab --plot: what is drawn, where, and what is refused.

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
  const Json model = json_of("inspect m");
  EXPECT_EQ(plane["moments"]["weights"].back(),
            Json({model["weights"]["wing"], model["weights"]["tail"], model["bias"]}));
}

TEST_F(Picture, AnImageHasTheWeightsOfTheModel) {
  write("d.svm", "+1 1:3 4:1\n-1 2:2 3:1\n+1 1:1 2:1 3:-2\n-1 1:-1 4:2\n");
  const std::string train = "train d.svm --rule perceptron --order cyclic --passes 2 -o m --report r.html ";
  const Output run = halfspace(train + "--image 2x2 --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json image = Json::parse(run.out)["figures"]["weights"]["image"];
  const Json weights = json_of("inspect m")["weights"];
  for (std::size_t f = 0; f < 4; ++f) {
    const std::string name = std::to_string(f + 1);
    EXPECT_EQ(image["classes"]["+1"][f / 2][f % 2], weights.contains(name) ? weights[name] : Json(0)) << name;
  }
  EXPECT_TRUE(has(read("r.html"), "The weights as images"));

  for (const auto& [flags, why] : std::vector<std::pair<std::string, std::string>>{
           {"--image 3x3", "--image 3x3 needs 9 features, one a pixel; the data have 4"},
           {"--image 2by2", "--image takes WIDTHxHEIGHT in pixels, not '2by2'"}}) {
    const Output refused = halfspace(train + flags);
    EXPECT_EQ(refused.code, 2) << flags;
    EXPECT_TRUE(has(refused.err, why));
  }
  EXPECT_TRUE(ends(2, "train d.svm --image 2x2", "--image does nothing without --report"));
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
  EXPECT_TRUE(ends(2, "train " + path_of_larks + " --report r.html -o m --plane wing,tali", "did you mean tail"));
  EXPECT_FALSE(std::filesystem::exists(path("r.html")) || std::filesystem::exists(path("m")));
  EXPECT_EQ(halfspace("train " + path_of_larks + " --plane wing,tail").code, 2);
  EXPECT_EQ(halfspace("train " + path_of_larks + " --plot --json").code, 2);
  EXPECT_EQ(halfspace("lab minnow --plot --json").code, 2);
  EXPECT_EQ(halfspace("lab soa --plot").code, 2);
}

// The lines of the plot that ends an output; each is printable and at most 80 columns wide.
std::vector<std::string> plot_lines(const Output& output) {
  std::vector<std::string> lines;
  std::istringstream plot(output.out.substr(output.out.rfind("\n\n") + 2));
  for (std::string line; std::getline(plot, line); lines.push_back(line)) {
    EXPECT_LE(line.size(), 80U);
    for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  }
  return lines;
}

std::size_t marks(const std::vector<std::string>& lines, char mark) {
  std::size_t count = 0;
  for (const std::string& line : lines) {
    const std::size_t bar = line.find('|');
    if (bar != std::string::npos)
      count += static_cast<std::size_t>(std::count(line.begin() + static_cast<std::ptrdiff_t>(bar), line.end(), mark));
  }
  return count;
}

TEST_F(Picture, PlotsArePlainCharactersThatEndUnderTheBound) {
  write("d.svm", "+1 1:6 2:1 3:1\n-1 1:1 2:2 3:1\n+1 1:2 2:5 3:1\n-1 1:5 3:4\n+1 1:7 2:4\n-1 2:4 3:1\n");
  const std::string line = "train d.svm --preset cyclic-pla";
  EXPECT_TRUE(lacks(halfspace(line).out, "|***"));
  const Output output = halfspace(line + " --plot");
  ASSERT_EQ(output.code, 0) << output.err;
  const std::vector<std::string> lines = plot_lines(output);
  EXPECT_EQ(lines.size(), 13U) << output.out;
  EXPECT_EQ(marks(lines, '*'), 80U - 12) << output.out;  // one a column
  EXPECT_TRUE(has(lines[1], "bound")) << output.out;
  const std::string bars = halfspace("lab tightness --n 16 --plot").out;
  EXPECT_TRUE(has(bars, "16 of 16", "mistakes by stream, dimension, as a share of bound"));
}

TEST_F(Picture, TwoFeaturesAreDrawnAsRowsAndTheBorder) {
  write("d.svm", "+1 1:2 2:2\n+1 1:3 2:1\n-1 1:-2 2:-2\n-1 1:-1 2:-3\n");
  EXPECT_TRUE(lacks(halfspace("train d.svm --preset cyclic-pla").out, "the border"));
  const std::vector<std::string> lines = plot_lines(halfspace("train d.svm --preset cyclic-pla --bias none --plot"));
  ASSERT_EQ(lines.size(), 24U);
  // w = (2, 2): the border falls from the upper left to the lower right.
  EXPECT_EQ(marks(lines, '+'), 2U);
  EXPECT_EQ(marks(lines, '-'), 2U);
  EXPECT_EQ(lines.back(), "  - -1, + +1, . the border; on the wrong side 0 of 4 rows");
  EXPECT_LT(lines[2].find('.'), lines[19].find('.'));
  // One row a cell; where classes meet, a star. A report's plane makes no difference.
  write("meet.svm", "+1 1:2 2:2\n-1 1:2 2:2\n-1 1:-2 2:-2\n");
  const std::vector<std::string> meet =
      plot_lines(halfspace("train meet.svm --preset batch --passes 3 --plot --report r.html --plane none"));
  EXPECT_EQ(marks(meet, '*'), 1U);
  EXPECT_TRUE(has(meet.back(), "on the wrong side 1 of 3 rows"));
}

TEST_F(Picture, SeveralClassesAndScaledColumnsAreDrawnToo) {
  write("d.csv", "x,y,class\n0,1000,red\n1,2000,red\n5,1000,green\n6,2000,green\n3,9000,blue\n4,8000,blue\n");
  const Output output = halfspace("train d.csv --rule multiclass --order cyclic --passes 50 --normalize column --plot");
  ASSERT_EQ(output.code, 0) << output.err;
  const std::vector<std::string> lines = plot_lines(output);
  ASSERT_EQ(lines.size(), 24U) << output.out;
  for (const char mark : {'a', 'b', 'c'}) EXPECT_EQ(marks(lines, mark), 2U) << output.out;
  EXPECT_EQ(lines[1].substr(0, 12), "      9000 |");
  EXPECT_EQ(lines[20].substr(0, 12), "      1000 |");
}

}  // namespace
}  // namespace halfspace::cli_tests
