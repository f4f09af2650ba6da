// What is standardized and what is not, and runs of labels; the tournaments' own tests compare both with slow accounts.
#include "halfspace/detail/rules/standard_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/label_runs.h"
#include "support/points.h"

namespace halfspace::testing {
namespace {

// Learns from so many rows, of which row i is row(i).
template <class Row>
StandardColumns after(int rows, const Row& row) {
  StandardColumns columns(true);
  for (int i = 0; i < rows; ++i) {
    const StoredPoints stored({{row(i)}}, ValueType::float64, false);
    const auto x = stored.block().example<double, false>(0);
    columns.measure(x);
    columns.learn(x);
  }
  return columns;
}

TEST(StandardColumns, FindsCentreAndScale) {
  Generator draws(1);
  const StandardColumns columns = after(4096, [&](int) {
    return std::vector<double>{1000 + 3 * gaussian(draws), 0.01 * gaussian(draws)};
  });
  ASSERT_EQ(columns.columns().size(), 2U);
  EXPECT_NEAR(columns.columns()[0].centre, 1000, 0.3);
  EXPECT_NEAR(columns.columns()[0].scale, 3, 0.3);
  EXPECT_NEAR(columns.columns()[1].scale, 0.01, 0.001);
}

TEST(StandardColumns, AnOutlierSpoilsOnePeriod) {
  Generator draws(2);
  const StandardColumns columns =
      after(256, [&](int i) { return std::vector<double>{i == 0 ? 1e9 : gaussian(draws)}; });
  ASSERT_EQ(columns.columns().size(), 1U);
  EXPECT_NEAR(columns.columns()[0].centre, 0, 0.5);
  EXPECT_NEAR(columns.columns()[0].scale, 1, 0.5);
}

TEST(StandardColumns, ColumnsOfFewValuesStayAsTheyAre) {
  Generator draws(3);
  const StandardColumns columns = after(64, [&](int) {
    return std::vector<double>{1.0 + (pick(draws, 20) == 0), gaussian(draws), pick(draws, 3) == 0 ? 5.0 : 0.0};
  });
  ASSERT_EQ(columns.columns().size(), 1U);
  EXPECT_EQ(columns.columns()[0].feature, 1U);
}

// One column among rows of twenty words.
TEST(StandardColumns, SparseRowsStayAsTheyAre) {
  Generator draws(4);
  EXPECT_TRUE(after(64, [&](int) {
                std::vector<double> row(200);
                row[0] = gaussian(draws);
                for (int word = 0; word < 20; ++word) row[1 + pick(draws, 199)] = 1;
                return row;
              }).none());
}

TEST(StandardColumns, WithoutABiasNothingIsCentred) {
  StandardColumns columns(false);
  Generator draws(5);
  for (int i = 0; i < 100; ++i) {
    const StoredPoints stored({{{gaussian(draws)}}}, ValueType::float64, false);
    EXPECT_FALSE(columns.learn(stored.block().example<double, false>(0)));
  }
  EXPECT_TRUE(columns.none());
}

// A logistic loss of the offset alone, where labels repeat nine times in ten, and where they are coins.
TEST(LabelRuns, FollowLabelsThatComeInRuns) {
  for (const double repeats : {0.9, 0.5}) {
    Generator draws(6);
    LabelRuns runs(1);
    int mistakes = 0;
    double y = 1;
    for (int i = 0; i < 4000; ++i) {
      if (draws.next() >= repeats) y = -y;
      const double f = runs.offset(0);
      mistakes += y * f <= 0;
      const double slope[] = {-y / (1 + std::exp(y * f))};
      runs.update(slope, 1);
      EXPECT_LE(runs.regret(i + 1)->most, runs.regret(i + 1)->theorem);
    }
    const double error = mistakes / 4000.0;
    EXPECT_GT(error, repeats == 0.9 ? 0.05 : 0.45);
    EXPECT_LT(error, repeats == 0.9 ? 0.2 : 0.55);
  }
}

}  // namespace
}  // namespace halfspace::testing
