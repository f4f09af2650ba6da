// Conversions to and from GMP's integers against their decimals.
#include "base/whole.h"

#include <cstdint>
#include <limits>
#include <string>

#include "support/test.h"

namespace halfspace {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                       highest = std::numeric_limits<std::int64_t>::max();

TEST(Whole, IsTheSameNumber) {
  for (const std::int64_t value : {lowest, -highest, std::int64_t{-4294967296}, std::int64_t{-1}, std::int64_t{0},
                                   std::int64_t{4294967295}, std::int64_t{4294967296}, highest}) {
    EXPECT_EQ(whole(value).get_str(), std::to_string(value));
    EXPECT_EQ(int64_of(whole(value)), value);
    EXPECT_TRUE(fits_int64(whole(value)));
  }
  EXPECT_EQ(whole(std::numeric_limits<std::uint64_t>::max()).get_str(), "18446744073709551615");
  EXPECT_FALSE(fits_int64(whole(std::uint64_t{1} << 63)));
}

TEST(Whole, HasHundredAndTwentyEightBits) {
  __extension__ using Wide = __int128;
  const Wide square = static_cast<Wide>(highest) * highest;
  EXPECT_TRUE(whole(square) == whole(highest) * whole(highest));
  EXPECT_TRUE(whole(-square) == -whole(square));
}

TEST(Whole, DividesAndMultipliesBySixtyFourBits) {
  const mpz_class large = whole(highest) * whole(lowest) - 12345;
  const std::uint64_t prime = 2305843009213693951;
  mpz_class rest = large % whole(prime);
  if (rest < 0) rest += whole(prime);
  EXPECT_EQ(residue(large, prime), static_cast<std::uint64_t>(int64_of(rest)));
  for (const std::int64_t value : {lowest, std::int64_t{-3}, std::int64_t{0}, highest}) {
    mpz_class sum = 7;
    add_multiple(sum, large, value);
    EXPECT_TRUE(sum == 7 + large * whole(value));
  }
}

}  // namespace
}  // namespace halfspace
