// The labs of passes, orders, keepers, margins, ties, rates and horizons hold at every size and seed, and each notices
// its algorithm broken: the mutants lab-* of tests/mutants/cli.txt.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class LectureLabs : public CommandTest {
 protected:
  // Runs the lab at several sizes and seeds; returns the rows of the last run.
  Json holds(const std::string& lab, const std::vector<int>& sizes, int seeds = 3) const {
    Json j;
    for (const int n : sizes) {
      for (int seed = 1; seed <= seeds; ++seed) {
        const std::string line = "lab " + lab + " --json --n " + std::to_string(n) + " --seed " + std::to_string(seed);
        const Output output = halfspace(line);
        EXPECT_EQ(output.code, 0) << line << "\n" << output.err << output.out;
        if (output.out.empty()) return Json::array();
        j = Json::parse(output.out);
        EXPECT_EQ(j["holds"], true) << line;
      }
    }
    return j["rows"];
  }
};

TEST_F(LectureLabs, Batch) {
  const Json rows = holds("batch", {16, 33, 500});
  for (const Json& row : rows) {
    EXPECT_EQ(row["its errors left"], 0);
    EXPECT_LE(row["online mistakes"], row["batch mistakes"]);
  }
}

TEST_F(LectureLabs, Orders) { EXPECT_EQ(holds("orders", {16, 33, 400}).size(), 15U); }

TEST_F(LectureLabs, Pocket) {
  const Json rows = holds("pocket", {10, 11, 100});
  ASSERT_EQ(rows.size(), 9U);
  EXPECT_EQ(rows[6]["errors"], 1);  // XOR
  for (const std::size_t k : {0U, 3U, 6U}) {
    EXPECT_EQ(rows[k]["rises"], 0);
    EXPECT_LE(rows[k + 2]["errors"], rows[k + 1]["errors"]);
  }
}

TEST_F(LectureLabs, Averaged) {
  for (const Json& row : holds("averaged", {800, 1003})) EXPECT_LT(row["averaged %"], row["last %"]);
}

TEST_F(LectureLabs, Margin) {
  for (const Json& row : holds("margin", {1, 2, 300})) EXPECT_GT(row["margin"], row["guaranteed"]);
}

TEST_F(LectureLabs, Ties) {
  const Json rows = holds("ties", {3, 4, 30});
  EXPECT_EQ(rows[3]["mistakes"], 0);  // all +, and 0 counts as +
  EXPECT_EQ(rows[8]["mistakes"], 0);  // all -, and 0 counts as -
  EXPECT_EQ(rows[9]["stopped"], "cycling");
}

TEST_F(LectureLabs, Rate) {
  const Json rows = holds("rate", {3, 4, 20});
  EXPECT_EQ(rows[0]["mistakes"], rows[4]["mistakes"]);
  EXPECT_GT(rows[5]["mistakes"], rows[8]["mistakes"]);
}

TEST_F(LectureLabs, Exploration) { EXPECT_EQ(holds("exploration", {1, 2, 50, 3000}).size(), 10U); }

TEST_F(LectureLabs, Doubling) { EXPECT_EQ(holds("doubling", {1, 63, 64, 3000}, 1).size(), 12U); }

TEST_F(LectureLabs, Knn) {
  for (const Json& row : holds("knn", {1, 320, 1600}, 2)) {
    EXPECT_EQ(row["5-nn reads"], row["rows"].get<int>() * row["d"].get<int>());
    EXPECT_EQ(row["perceptron reads"], row["d"].get<int>() + 1);
  }
}

TEST_F(LectureLabs, SizesThatShowNothingOrTakeTooLongAreRefused) {
  for (const char* lab :
       {"batch --n 15", "orders --n 15", "pocket --n 9", "averaged --n 799", "ties --n 2", "rate --n 2"})
    EXPECT_EQ(halfspace(std::string("lab ") + lab).code, 2) << lab;
  EXPECT_TRUE(ends(2, "lab ties --n 301", "fix: give --n 300 or less"));
}

}  // namespace
}  // namespace halfspace::cli_tests
