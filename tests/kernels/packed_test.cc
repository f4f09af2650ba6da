// Packed values against the division that says what they are, at every level of vector instructions.
#include "kernels/packed.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;

constexpr std::uint32_t most_digits = (1U << 27) - 1;
constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

double quotient(std::uint32_t decimal) {
  const double value = (decimal & most_digits) / powers[decimal >> 27 & 15];
  return decimal >> 31 != 0 ? -value : value;
}

bool packs(const std::vector<double>& values) {
  std::vector<std::uint32_t> decimals(values.size());
  return kernels::pack_decimals(values.data(), values.size(), decimals.data());
}

TEST(Packed, ADecimalIsTheNearestDoubleToItsFraction) {
  std::mt19937 bits(3);
  std::vector<std::uint32_t> decimals;
  for (std::uint32_t k = 0; k <= 15; ++k) {
    for (const std::uint32_t sign : {0U, 1U << 31}) {
      for (const std::uint32_t m : {0U, 1U, 5U, 9'999'999U, most_digits - 1, most_digits}) {
        decimals.push_back(sign | k << 27 | m);
      }
    }
  }
  for (int i = 0; i < 2'000'000; ++i) decimals.push_back(static_cast<std::uint32_t>(bits()));
  at_every_level([&](const std::string& level) {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::vector<double> values(decimals.size());
      std::fesetround(mode);
      kernels::unpack_decimals(decimals.data(), decimals.size(), values.data());
      const int after = std::fegetround();
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(after, mode);
      for (std::size_t i = 0; i < decimals.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(quotient(decimals[i])))
            << level << ", mode " << mode << ", " << std::hex << decimals[i];
      }
    }
  });
}

TEST(Packed, EveryNumberOfSevenDigitsPacks) {
  Generator draws(4);
  std::vector<double> values{0.0, -0.0, 1.0, -1.0, 0.1, 1e-15, 9999999e-15, 9999999.0, 0.99999999, 1e7, 134217727.0};
  for (int i = 0; i < 300'000; ++i) {
    const std::uint64_t digits = pick(draws, std::uint64_t{1} << (1 + pick(draws, 23)));
    values.push_back((pick(draws, 2) != 0 ? -1.0 : 1.0) * static_cast<double>(digits) / powers[pick(draws, 16)]);
  }
  at_every_level([&](const std::string& level) {
    for (std::size_t count = 0; count <= 40; ++count) {  // every end of a vector
      std::vector<std::uint32_t> decimals(count + 1, 7);
      ASSERT_TRUE(kernels::pack_decimals(values.data(), count, decimals.data())) << level;
      ASSERT_EQ(decimals[count], 7U) << level << ", " << count;
      std::vector<double> back(count + 1, 7);
      kernels::unpack_decimals(decimals.data(), count, back.data());
      ASSERT_EQ(back[count], 7) << level << ", " << count;
    }
    std::vector<std::uint32_t> decimals(values.size());
    ASSERT_TRUE(kernels::pack_decimals(values.data(), values.size(), decimals.data())) << level;
    std::vector<double> back(values.size());
    kernels::unpack_decimals(decimals.data(), values.size(), back.data());
    ASSERT_TRUE(same_bits(back, values)) << level;
  });
}

TEST(Packed, NothingElsePacks) {
  const double others[] = {
      1.0 / 3,     std::nextafter(0.1, 1), 1e-16,    134217728.0, 134217727.5,  1e300,   5e-324,    0x1p-1022, 1e9,
      223456789.0, -0.223456789,           HUGE_VAL, -HUGE_VAL,   std::nan(""), 0x1p-40, 1.00000001};
  at_every_level([&](const std::string& level) {
    for (const double other : others) {
      for (std::size_t at = 0; at < 19; ++at) {  // wherever it stands
        std::vector<double> values(19, 0.25);
        EXPECT_TRUE(packs(values)) << level;
        values[at] = other;
        EXPECT_FALSE(packs(values)) << level << ", " << other << " at " << at;
      }
    }
  });
}

TEST(Packed, ARowHasItsIndicesAndValues) {
  Generator draws(5);
  std::mt19937 bits(6);
  at_every_level([&](const std::string& level) {
    for (std::size_t size = 0; size <= 70; ++size) {
      std::vector<std::uint32_t> wide(size), decimals(size);
      for (std::size_t i = 0; i < size; ++i) {
        wide[i] = static_cast<std::uint32_t>(i == 0 ? 65535 : pick(draws, 65536));
        decimals[i] = static_cast<std::uint32_t>(bits());
      }
      std::vector<std::uint16_t> narrow(size + 1, 7);
      kernels::narrow(wide.data(), size, narrow.data());
      EXPECT_EQ(narrow[size], 7);
      std::vector<std::uint32_t> index(size + kernels::row_padding);
      std::vector<double> value(size + kernels::row_padding, 7);
      kernels::unpack_row(narrow.data(), nullptr, size, 0, index.data(), value.data());
      EXPECT_EQ(value, std::vector<double>(size + kernels::row_padding, 7)) << level;
      kernels::unpack_row(narrow.data(), decimals.data(), size, 512, index.data(), value.data());
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(index[i], wide[i]) << level;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value[i]), std::bit_cast<std::uint64_t>(quotient(decimals[i]))) << level;
      }
    }
  });
}

}  // namespace
}  // namespace halfspace
