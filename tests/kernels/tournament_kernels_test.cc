// The kernels of the tournament: the same bits at every level, a row at a time and a feature at a time.
#include "halfspace/detail/kernels/tournament_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;
using Record = kernels::TournamentRecord;

std::string bits_of(const void* from, std::size_t size) { return {static_cast<const char*>(from), size}; }

// All that scores, steps and moves of rows of every length leave behind, to the bit. Rows meet units that they widen,
// values below every unit, and zeros.
template <class Value>
std::string played() {
  Generator draws(31);
  std::string bits;
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<Record> records(90);
    std::vector<std::uint32_t> index(size);
    for (std::size_t i = 0; i < size; ++i) index[i] = static_cast<std::uint32_t>(i + size % 20);
    std::vector<Value> value(size);
    for (int round = 0; round < 4; ++round) {
      if constexpr (!std::is_same_v<Value, One>) {
        for (Value& v : value) {
          const double drawn = gaussian(draws) * std::ldexp(1.0, static_cast<int>(pick(draws, 60)) - 30);
          v = static_cast<Value>(pick(draws, 9) == 0 ? 0 : drawn);
        }
        if (size > 3) value[3] = std::is_same_v<Value, double> ? static_cast<Value>(5e-324) : Value{};
      }
      const kernels::RowView<Value> row{index.data(), value.data(), static_cast<std::uint32_t>(size), 0};
      kernels::TournamentSums sums;
      kernels::TournamentNorms norms;
      std::vector<float> scaled(size + kernels::tournament_room), normalised(size + kernels::tournament_room);
      kernels::tournament_scores(records.data(), row, sums, scaled.data());
      const auto steps = [&] {
        kernels::TournamentSteps s;
        s.arow_along = static_cast<float>(gaussian(draws));
        s.arow_share = static_cast<float>(0.5 / (1 + sums.arow_variance));
        s.scw_along = static_cast<float>(gaussian(draws));
        s.scw_share = static_cast<float>(0.5 / (1 + sums.scw_variance));
        s.nag_slope = static_cast<float>(gaussian(draws));
        s.coin_slope = static_cast<float>(gaussian(draws));
        s.rounds = static_cast<float>(round);
        return s;
      }();
      kernels::tournament_step(records.data(), index.data(), scaled.data(), row.size, steps, norms, normalised.data());
      kernels::tournament_move(records.data(), index.data(), normalised.data(), row.size, 0.3F, steps.rounds);
      for (const float x : scaled) EXPECT_LT(std::abs(x), 2);
      for (const Record& record : records) {
        for (std::size_t k = 0; k < kernels::tournament_numbers; ++k) {
          EXPECT_TRUE(k == Record::unit || std::isfinite(record.number[k])) << k;
        }
      }
      bits += bits_of(&sums, sizeof sums) + bits_of(&norms, sizeof norms) + bits_of(scaled.data(), 4 * size) +
              bits_of(normalised.data(), 4 * size) + bits_of(records.data(), records.size() * sizeof(Record));
    }
  }
  return bits;
}

TEST(TournamentKernels, GiveTheSameBitsAtEveryLevel) {
  std::string first_level, ones, singles, doubles;
  at_every_level([&](const std::string& level) {
    if (level == "reference") return;  // the plain kernels alone have one
    if (first_level.empty()) {
      first_level = level;
      ones = played<One>();
      singles = played<float>();
      doubles = played<double>();
      return;
    }
    EXPECT_TRUE(played<One>() == ones) << level << " and " << first_level;
    EXPECT_TRUE(played<float>() == singles) << level << " and " << first_level;
    EXPECT_TRUE(played<double>() == doubles) << level << " and " << first_level;
  });
}

// A row changes the record of each of its features as a row of that feature alone does.
TEST(TournamentKernels, WorkOnEachFeatureByItself) {
  Generator draws(7);
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<Record> together(40);
    std::vector<std::uint32_t> index(size);
    std::vector<double> value(size);
    for (std::size_t i = 0; i < size; ++i) {
      index[i] = static_cast<std::uint32_t>(i);
      value[i] = gaussian(draws);
    }
    std::vector<Record> apart = together;
    const kernels::TournamentSteps steps{0.4F, 0.1F, -0.3F, 0.2F, 0.6F, -0.7F, 100, 3};
    std::vector<float> scaled(size + kernels::tournament_room), normalised(size + kernels::tournament_room);
    kernels::TournamentSums sums;
    kernels::TournamentNorms norms;
    const kernels::RowView<double> row{index.data(), value.data(), static_cast<std::uint32_t>(size), 0};
    kernels::tournament_scores(together.data(), row, sums, scaled.data());
    kernels::tournament_step(together.data(), index.data(), scaled.data(), row.size, steps, norms, normalised.data());
    double squares = 0;
    for (std::size_t i = 0; i < size; ++i) {
      float one[1 + kernels::tournament_room], other[1 + kernels::tournament_room];
      kernels::tournament_scores(apart.data(), kernels::RowView<double>{&index[i], &value[i], 1, 0}, sums, one);
      kernels::tournament_step(apart.data(), &index[i], one, 1, steps, norms, other);
      ASSERT_EQ(one[0], scaled[i]);
      ASSERT_EQ(other[0], normalised[i]);
      ASSERT_GE(std::abs(one[0]), 1) << "in the unit of its own";
      squares += static_cast<double>(one[0]) * static_cast<double>(one[0]);
    }
    EXPECT_NEAR(norms.squares, 2 * squares, 1e-4 * (1 + squares));
    ASSERT_EQ(std::memcmp(together.data(), apart.data(), together.size() * sizeof(Record)), 0) << size;
  }
}

}  // namespace
}  // namespace halfspace
