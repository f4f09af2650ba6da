// Prediction sets from the command: lines and tables, their notes, evaluation, resumption, adaptive sets of a stream.

#include "run.h"

namespace halfspace::cli_tests {
namespace {

class Sets : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.csv", rows(0, 400));
    write("t.csv", rows(400, 500));
  }
  // Two overlapping classes: the values of a are those of two shifted ramps.
  static std::string rows(int from, int to) {
    std::ostringstream text;
    text << "a,b,y\n";
    for (int i = from; i < to; ++i)
      text << (i * 37 % 101) + (i % 2) * 60 << ',' << i * 13 % 17 << ',' << (i % 2 ? "high" : "low") << '\n';
    return text.str();
  }
  void train(const std::string& flags = "") const {
    const Output output = halfspace("train d.csv --rule pa1 --holdout 0.3 --conformal -q -o m " + flags);
    ASSERT_EQ(output.code, 0) << output.err;
    ASSERT_TRUE(has(output.out, "conformal    scores of 120 rows not used in training"));
  }
};

TEST_F(Sets, AreLinesAndTables) {
  train();
  const Output lines = halfspace("predict m t.csv --sets 0.9");
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_TRUE(has(lines.err, "probability at least 90 %", "the 120 held out"));
  const Output csv = halfspace("predict m t.csv --sets 0.9 --as csv");
  const Output json = halfspace("predict m t.csv --sets 0.9 --as jsonl");
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), "row,prediction,set:high,set:low");
  std::istringstream each(lines.out), table(csv.out), objects(json.out);
  std::string line, cells, object;
  std::getline(table, cells);
  int row = 0, both = 0;
  while (std::getline(each, line)) {
    ASSERT_TRUE(std::getline(table, cells) && std::getline(objects, object));
    const Json j = Json::parse(object);
    std::string joined;
    for (const Json& name : j["set"]) joined += (joined.empty() ? "" : " ") + name.get<std::string>();
    EXPECT_EQ(line, joined.empty() ? "{}" : joined);
    const std::string tail = std::string(line.find("high") != std::string::npos ? "1" : "0") + "," +
                             (line.find("low") != std::string::npos ? "1" : "0");
    EXPECT_EQ(cells, std::to_string(++row) + "," + j["prediction"].get<std::string>() + "," + tail);
    both += line == "high low" ? 1 : 0;
  }
  EXPECT_EQ(row, 100);
  EXPECT_GT(both, 5) << "the classes overlap";
}

TEST_F(Sets, NoteTooFewRows) {
  train();
  const Output output = halfspace("predict m t.csv --sets 0.999");
  EXPECT_TRUE(
      has(output.err, "120 rows held out are too few for sets at 99.9 %: every set has all classes; at least 999"));
  EXPECT_TRUE(lacks(output.out, "{}"));
  EXPECT_EQ(output.out.substr(0, 9), "high low\n");
  EXPECT_TRUE(
      has(halfspace("predict m t.csv --sets 0.99 --each-class").err, "every set has high, low, of which too few rows"));
}

TEST_F(Sets, AreEvaluated) {
  train("--calibrate platt");
  const Output output = halfspace("evaluate m t.csv --sets 0.8 --json");
  ASSERT_EQ(output.code, 0) << output.err;
  const Json sets = Json::parse(output.out)["sets"];
  EXPECT_EQ(sets["rows"], 100);
  EXPECT_EQ(sets["held_out"], 120);
  EXPECT_EQ(sets["wanted"], 0.8);
  EXPECT_LT(sets["lower"].get<double>(), sets["coverage"].get<double>());
  EXPECT_GT(sets["upper"].get<double>(), sets["coverage"].get<double>());
  EXPECT_NEAR(sets["coverage"].get<double>(), 0.8, 0.15);
  EXPECT_TRUE(has(halfspace("evaluate m t.csv --sets 0.8 --each-class").out, "wanted 80 % of each class",
                  "classes on average"));
  EXPECT_TRUE(json_of("evaluate m d.csv")["sets"]["lower"].is_null()) << "the model learned from these";
}

TEST_F(Sets, AreResumedBitForBit) {
  train();
  const std::string whole = read("m");
  for (const char* stop : {"--updates 40", "--updates 100"}) {
    ASSERT_EQ(halfspace("train d.csv --rule pa1 --holdout 0.3 --conformal -q -o part " + std::string(stop)).code, 0);
    EXPECT_NE(read("part"), whole);
    ASSERT_TRUE(ends(0, "train d.csv --resume part -q -o part"));
    EXPECT_EQ(read("part"), whole) << stop;
  }
  for (const std::string order : {"cyclic", "shuffled"}) {
    const std::string run = "train d.csv --rule pa1 --holdout 0.3 --conformal -q --passes 4 --order " + order;
    ASSERT_EQ(halfspace(run + " -o all").code, 0);
    ASSERT_EQ(halfspace(run + " --updates 300 -o part").code, 0);
    ASSERT_EQ(halfspace("train d.csv --resume part --passes 4 -q -o part").code, 0);
    EXPECT_EQ(read("part"), read("all")) << order;
  }
  // New rows give new scores; rows that were read before give none.
  ASSERT_EQ(halfspace("train t.csv --resume m -q -o more").code, 0);
  EXPECT_EQ(json_of("inspect more")["conformal"]["rows"], 30);
  EXPECT_TRUE(has(halfspace("train d.csv --resume m -q -o again").err, "their scores are dropped"));
  EXPECT_FALSE(json_of("inspect again").contains("conformal"));
}

TEST_F(Sets, AreRejectedWhereTheirTheoremDoesNotHold) {
  const auto refused = [&](const std::string& line, const std::string& words) { EXPECT_TRUE(ends(2, line, words)); };
  refused("train d.csv --conformal", "--holdout 0.2");
  refused("train d.csv --conformal --folds 5", "--folds trains on all");
  refused("train d.csv --conformal --holdout 0.2 --rule pa1 --search aggressiveness=0.1,1", "has no rows left");
  refused("train d.csv d.csv --conformal --holdout 0.2 --rule pa1", "named twice");
  ASSERT_EQ(halfspace("train d.csv -q -o plain").code, 0);
  refused("predict plain t.csv --sets 0.9", "--holdout 0.2 --conformal");
  refused("evaluate plain t.csv --sets 0.9", "--conformal");
  train();
  refused("predict m t.csv --sets 1", "between 0 and 1");
  refused("predict m t.csv --sets 0.9 --scores", "contradicts");
  refused("predict m t.csv --each-class", "--sets");
  refused("train d.csv --sets 0.9 --order shuffled --passes 2", "file order");
  refused("train d.csv --sets 1.5", "between 0 and 1");
}

TEST_F(Sets, ClassesWithBlanksNeedATable) {
  std::string text = rows(0, 200);
  for (std::size_t at = 0; (at = text.find("high", at)) != std::string::npos; at += 8) text.replace(at, 4, "very hi.");
  write("b.csv", text);
  ASSERT_EQ(halfspace("train b.csv --rule pa1 --holdout 0.3 --conformal -q -o b").code, 0);
  EXPECT_EQ(halfspace("predict b b.csv --sets 0.9").code, 2);
  EXPECT_EQ(halfspace("predict b b.csv --sets 0.9 --as jsonl").code, 0);
}

// The plan chooses by folds of the rows that are not held out.
TEST_F(Sets, GoWithThePlan) {
  const Output output = halfspace("train d.csv --holdout 0.25 --conformal -o p --json");
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(Json::parse(output.out)["conformal"]["rows"], 100);
  EXPECT_TRUE(Json::parse(output.out).contains("chosen"));
}

TEST_F(Sets, OfAStreamKeepTheirBound) {
  const Output output = halfspace("train d.csv --sets 0.8 --json");
  ASSERT_EQ(output.code, 0) << output.err;
  const Json sets = Json::parse(output.out)["sets"];
  EXPECT_EQ(sets["rows"], 400);
  EXPECT_LE(std::abs(sets["error"].get<double>() - 0.2), sets["bound"].get<double>());
  EXPECT_NEAR(sets["bound"].get<double>(), 0.82 / 8, 1e-12);
  EXPECT_GT(sets["mean_size"].get<double>(), 0.5);
  EXPECT_TRUE(
      has(halfspace("train d.csv --sets 0.8 -q").out, "wanted 20.00 %, and within 10.25 % of it for any sequence"));
}

}  // namespace
}  // namespace halfspace::cli_tests
