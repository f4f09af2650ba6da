// Numbers as people read them: what bounds something is printed on the safe side.
#include "report/results/words.h"

#include "support/test.h"
#include "support/world.h"

namespace halfspace::report {
namespace {

TEST(Words, BoundsAreRoundedToTheSafeSide) {
  testing::Chance chance(1);
  for (int i = 0; i < 20'000; ++i) {
    const double number = chance.real(-10, 10) * std::pow(10, chance.between(-323, 307));
    for (const int digits : {3, 4, 6}) {
      const double up = std::strtod(rounded_up(number, digits).c_str(), nullptr);
      const double down = std::strtod(rounded_down(number, digits).c_str(), nullptr);
      ASSERT_GE(up, number) << digits;
      ASSERT_LE(down, number) << digits;
      if (std::abs(number) < 1e-300) continue;
      ASSERT_LE(up - number, std::abs(number) * std::pow(10, 1.001 - digits)) << number;
      ASSERT_LE(number - down, std::abs(number) * std::pow(10, 1.001 - digits)) << number;
    }
  }
  EXPECT_EQ(rounded_up(0.5, 6), "0.5");
  EXPECT_EQ(rounded_down(0.5, 6), "0.5");
  EXPECT_EQ(rounded_down(std::nextafter(1000.0, 0), 6), "999.999");
  EXPECT_EQ(rounded_up(-std::nextafter(1000.0, 0), 6), "-999.999");
  EXPECT_EQ(fixed_up(12.341, 2), "12.35");
  EXPECT_EQ(fixed_up(12.5, 2), "12.50");
  EXPECT_EQ(fixed_up(-0.001, 2), "0.00");
  EXPECT_EQ(rounded_up(0.12345678, 6), "0.123457");
  EXPECT_EQ(rounded_down(0.12345678, 6), "0.123456");
}

TEST(Words, FixedDecimalsOfBoundsAreOnTheSafeSide) {
  testing::Chance chance(2);
  for (int i = 0; i < 20'000; ++i) {
    const double number = chance.real(-10, 10) * std::pow(10, chance.between(-12, 9));
    for (const int decimals : {0, 1, 2, 5}) {
      const double up = std::strtod(fixed_up(number, decimals).c_str(), nullptr);
      const double down = std::strtod(fixed_down(number, decimals).c_str(), nullptr);
      ASSERT_GE(up, number) << decimals;
      ASSERT_LE(down, number) << decimals;
      ASSERT_LE(up - down, 1.001 * std::pow(10, -decimals) + std::abs(number) * 0x1p-50) << number;
    }
  }
}

double read_back(std::string text) {
  std::erase(text, ',');
  return std::strtod(text.c_str(), nullptr);
}

TEST(Words, BoundsInTablesAreOnTheSafeSide) {
  testing::Chance chance(3);
  for (int i = 0; i < 20'000; ++i) {
    const double number = chance.real(-10, 10) * std::pow(10, chance.between(-12, 18));
    for (const char* column : {"bound", "its bound", "the theorem's bound", "at most"}) {
      ASSERT_TRUE(is_bound(column));
      const double shown = read_back(column_number(column, number));
      ASSERT_GE(shown, number) << column;
      ASSERT_LE(shown - number, std::abs(number) * 1.001e-3) << column;
    }
    for (const char* column : {"guaranteed", "at least"}) {
      ASSERT_TRUE(is_bound(column));
      const double shown = read_back(column_number(column, number));
      ASSERT_LE(shown, number) << column;
      ASSERT_LE(number - shown, std::abs(number) * 1.001e-3) << column;
    }
  }
  EXPECT_EQ(column_number("bound", 4.4471), "4.448");
  EXPECT_EQ(column_number("ratio", 4.4471), "4.447");
  EXPECT_EQ(column_number("bound", 1234.2), "1,235");
  EXPECT_EQ(column_number("guaranteed", 1234.8), "1,234");
}

TEST(Words, ABoundBeyondCountingIsANumber) {
  EXPECT_EQ(count_at_most(40.9), "40");
  EXPECT_EQ(count_at_most(9007199254740993.0), "9,007,199,254,740,992");
  EXPECT_EQ(count_at_most(0x1p64), "1.85e+19");
  EXPECT_EQ(count_at_most(1.2345e160), "1.24e+160");
}

TEST(Words, ChanceIsTakenIntoAccount) {
  EXPECT_TRUE(clearly_fewer(1495, 1908));
  EXPECT_FALSE(clearly_fewer(1880, 1908));
  EXPECT_FALSE(clearly_fewer(1908, 1495));
  EXPECT_FALSE(clearly_fewer(0, 0));
  EXPECT_TRUE(clearly_fewer(0, 5));
}

TEST(Words, PassesThatWereNotFinishedAreParts) {
  EXPECT_EQ(passes_made(7, 7), "7 passes");
  EXPECT_EQ(passes_made(7, 8), "7 passes and part of another");
  EXPECT_EQ(passes_made(1, 2), "1 pass and part of another");
  EXPECT_EQ(passes_made(0, 1), "part of a pass");
}

}  // namespace
}  // namespace halfspace::report
