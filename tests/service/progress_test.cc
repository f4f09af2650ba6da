// What a page's curve of errors is drawn from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "service/answers.h"

namespace halfspace::service {
namespace {

TEST(Progress, IsSpreadEvenlyWhateverItsLength) {
  for (const std::uint64_t rounds : {1U, 399U, 400U, 401U, 5000U, 123'457U}) {
    Progress progress;
    for (std::uint64_t i = 0; i <= rounds; ++i) progress.add({i, i / 3});
    const std::vector<ErrorMoment> moments = progress.moments();
    EXPECT_LE(moments.size(), Progress::most + 1);
    EXPECT_GE(moments.size(), std::min<std::uint64_t>(rounds + 1, Progress::most / 3));
    EXPECT_EQ(moments.front().rounds, 0U);
    EXPECT_EQ(moments.back().rounds, rounds);
    for (std::size_t i = 1; i < moments.size(); ++i) {
      EXPECT_GT(moments[i].rounds, moments[i - 1].rounds);
      EXPECT_LE(moments[i].rounds - moments[i - 1].rounds, 4 * rounds / Progress::most + 1);
      EXPECT_EQ(moments[i].mistakes, moments[i].rounds / 3);
    }
    progress.add({rounds - 1, 0});  // a row was forgotten
    EXPECT_EQ(progress.moments().size(), 1U);
  }
}

}  // namespace
}  // namespace halfspace::service
