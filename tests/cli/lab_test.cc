// halfspace lab: every theorem of the perceptron, of experts and of bandits holds when it is run, at other seeds and
// sizes too.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class Labs : public CommandTest {};

TEST_F(Labs, ClaimsHoldWhenTheyAreRun) {
  for (const std::string lab :
       {"analysts --n 30", "tightness --n 64", "single-point --n 2000", "bias", "minnow --n 256", "wrong-minnow",
        "halving --n 64", "soa --n 30", "regret --n 800", "cycling", "radius --n 64", "margin-size --n 100",
        "losses --n 100", "tails --n 4000"}) {
    for (const char* seed : {"1", "7"}) {
      const Output output = halfspace("lab " + lab + " --json --seed " + seed);
      ASSERT_EQ(output.code, 0) << lab << output.err << output.out;
      const Json j = Json::parse(output.out);
      EXPECT_EQ(j["holds"], true) << lab;
      EXPECT_FALSE(j["rows"].empty()) << lab;
      EXPECT_FALSE(j["claim"].get<std::string>().empty());
    }
    EXPECT_TRUE(has(halfspace("lab " + lab).out, "The claim held in every row.")) << lab;
  }
  EXPECT_EQ(json_of("lab knn --n 320")["rows"].size(), 4U);
}

// A claim about nothing does not hold, nor fail: what is too small to show it is refused.
TEST_F(Labs, TooSmallASizeIsRefused) {
  for (const char* lab : {"tightness --n 3", "single-point --n 99", "minnow --n 15", "cycling --n 9"}) {
    const Output output = halfspace(std::string("lab ") + lab);
    EXPECT_EQ(output.code, 2) << lab;
    EXPECT_TRUE(has(output.err, "is too small for the claim"));
  }
  for (const char* lab : {"tightness --n 4", "single-point --n 100", "minnow --n 16", "cycling --n 10"})
    EXPECT_FALSE(json_of(std::string("lab ") + lab)["rows"].empty()) << lab;
}

// By chance, about one of hundreds of seeds.
TEST_F(Labs, AClaimThatFailsIsTheExitStatus) {
  const Output output = halfspace("lab single-point --n 100 --seed 421");
  EXPECT_EQ(output.code, 1);
  EXPECT_NE(output.out.find("THE CLAIM DID NOT HOLD."), std::string::npos) << output.out;
}

// Figures that other sources know, too.
TEST_F(Labs, KnownFigures) {
  const Json bias = json_of("lab bias");
  EXPECT_EQ(bias["rows"][0]["updates"], 40405);
  EXPECT_EQ(bias["rows"][2]["updates"], 800);
  const Json slip = json_of("lab wrong-minnow");
  const int always[] = {15, 55, 215};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(slip["rows"][i]["mistakes"], always[i]);
    EXPECT_LE(slip["rows"][i]["corrected"], 1);
    EXPECT_EQ(slip["rows"][3 + i]["mistakes"], slip["rows"][3 + i]["rounds"]);  // by the predicted label: always
    EXPECT_EQ(slip["rows"][3 + i]["corrected"], 1);
    EXPECT_EQ(slip["rows"][3 + i]["the theorem's bound"], 5);
  }
  EXPECT_EQ(slip["rows"][7]["mistakes"], 3);
  EXPECT_EQ(slip["rows"][7]["claimed"], 2);
  const Json radius = json_of("lab radius --n 8")["rows"];
  EXPECT_EQ(radius.size(), 3U);
  for (const Json& row : radius) EXPECT_EQ(row["mistakes"], row["rows"]);
  const Json starts = json_of("lab single-point --n 100")["rows"];
  for (const Json& row : starts) {
    if (row["start"] == "0") {
      EXPECT_DOUBLE_EQ(row["mean mistakes"].get<double>(), 4 / 6.0);
    }
  }
  // Even votes that never tie: a quarter of n k.
  const Json votes = json_of("lab analysts --n 30")["rows"];
  EXPECT_EQ(votes[3]["k"], 4);
  EXPECT_EQ(votes[3]["bound"], 30);
}

TEST_F(Labs, LittlestoneDimensionOfATable) {
  write("thresholds.csv", "a,b,c\n1,1,1\n0,1,1\n0,0,1\n0,0,0\n");
  const Json j = json_of("lab ldim thresholds.csv");
  EXPECT_EQ(j["littlestone_dimension"], 2);
  EXPECT_EQ(j["tree"]["depth"], 2);
  EXPECT_EQ(j["tree"]["points"][0], "b");
  EXPECT_EQ(j["tree"]["rows"], Json({4, 3, 2, 1}));
  EXPECT_EQ(j["rows"][0]["log2 |H|"], 2);
  write("three.csv", "a,b,c\n1,1,1\n0,1,1\n0,0,1\n");
  EXPECT_DOUBLE_EQ(json_of("lab ldim three.csv")["rows"][0]["log2 |H|"].get<double>(), std::log2(3));
  write("bad.csv", "a\n1\n2\n");
  const Output bad = halfspace("lab ldim bad.csv");
  EXPECT_EQ(bad.code, 65);
  EXPECT_TRUE(has(bad.err, "bad.csv:3:1"));
  EXPECT_EQ(halfspace("lab ldim").code, 2);
}

}  // namespace
}  // namespace halfspace::cli_tests
