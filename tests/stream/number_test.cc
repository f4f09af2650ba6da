#include "stream/text/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "stream/parser.h"

namespace halfspace::stream {
namespace {

void expect_exact(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr);
  double value = 0;
  const NumberProblem problem = parse_number(text, value);
  if (std::isinf(expected)) {
    ASSERT_EQ(problem, NumberProblem::overflow) << text;
    return;
  }
  ASSERT_EQ(problem, NumberProblem::none) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << text;
}

std::string digits(std::mt19937_64& random, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + random() % 10);
  return text;
}

TEST(Number, RandomDecimalsAreThoseOfStrtod) {
  std::mt19937_64 random(20240601);
  for (int i = 0; i < 1'000'000; ++i) {
    std::string text = random() % 4 == 0 ? "-" : "";
    text += digits(random, 1 + random() % 10);
    if (random() % 4 != 0) text += "." + digits(random, random() % 19);
    if (random() % 4 == 0) text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    expect_exact(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Number, ShortDecimalsAreThoseOfStrtod) {
  std::mt19937_64 random(7);
  std::array<char, 64> text{};
  for (int i = 0; i < 1'000'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random() % 2'000'001) / 1e6 - 1.0, static_cast<int>(random() % 9));
    std::snprintf(text.data(), text.size(), i % 2 == 0 ? "%.6g" : "%.15f", value);
    expect_exact(text.data());
    if (HasFatalFailure()) return;
  }
}

TEST(Number, RoundTripsOfRandomDoubles) {
  std::mt19937_64 random(8);
  std::array<char, 64> text{};
  for (int i = 0; i < 300'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    std::snprintf(text.data(), text.size(), "%.17g", value);
    expect_exact(text.data());
    if (HasFatalFailure()) return;
    double back = 0;
    ASSERT_EQ(parse_number(text.data(), back), NumberProblem::none);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(Number, EdgesOfTheQuickPaths) {
  for (const char* text : {"9007199254740992",
                           "9007199254740993",
                           "9007199254740991e22",
                           "9007199254740993e-22",
                           "0.9007199254740993",
                           "90071992.54740993",
                           "90071992.54740992",
                           "90071992.54740991",
                           "99999999.9999999999999999",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "123456789012345678901234567890",
                           "0.000000000000000000000000000000123456789012345678901",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "4.9e-324",
                           "2e-324",
                           "2.4703282292062327e-324",
                           "2.2250738585072011e-308",
                           "-0",
                           "-0.0",
                           "0e99999",
                           "0.0e-99999",
                           "1e99999",
                           "1e-99999",
                           "00000000000001.5",
                           "1.",
                           "5.e3",
                           "12345678",
                           "123456789",
                           "1.12345678",
                           "1.123456789",
                           "1.1234567812345678",
                           "1.12345678123456781",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "99999999999999999999",
                           "1e18446744073709551617"}) {
    expect_exact(text);
  }
}

TEST(Number, OneSpellingMoreThanTheQuickPathTakes) {
  const auto value_of = [](const char* text) {
    double value = -7;
    EXPECT_EQ(parse_number(text, value), NumberProblem::none) << text;
    return value;
  };
  EXPECT_EQ(value_of("+1.5"), 1.5);
  EXPECT_EQ(value_of(".5"), 0.5);
  EXPECT_EQ(value_of("-.5e1"), -5.0);
  EXPECT_EQ(value_of("1E+2"), 100.0);
  EXPECT_TRUE(std::signbit(value_of("-0")));
}

TEST(Number, WhatIsNoNumber) {
  double value = 0;
  for (const char* text :
       {"",   "+",   "-",   ".",   "+.",  "e5", "1e", "1e+",     "1e-",  "1.2.3", "0x10",  "0x1p3", " 1",
        "1 ", "1,5", "--1", "+-1", "abc", "1a", "in", "infinit", "nanx", "na",    "1_000", "1f",    "nan("}) {
    EXPECT_EQ(parse_number(text, value), NumberProblem::not_a_number) << text;
  }
  for (const char* text : {"nan", "NaN", "-nan", "+NAN", "inf", "-Inf", "+INFINITY", "infinity", "nan(12)"}) {
    EXPECT_EQ(parse_number(text, value), NumberProblem::not_finite) << text;
  }
  for (const char* text : {"1e309", "-1e309", "1.7976931348623159e308", "1e999999999999"}) {
    EXPECT_EQ(parse_number(text, value), NumberProblem::overflow) << text;
  }
  const std::string_view with_null("1\0", 2);
  EXPECT_EQ(parse_number(with_null, value), NumberProblem::not_a_number);
}

TEST(Number, DigitsOfEveryLengthWhateverStandsBehind) {
  const std::string eight = "98765432";
  for (std::size_t length = 1; length <= 8; ++length) {
    for (const char after : {' ', ':', '/', '\n', '\0', '5', '\x7f', '\xb0', '\xff'}) {
      const std::string text = eight.substr(0, length) + std::string(8, after);
      EXPECT_EQ(digits_value(text.data(), length), std::stoull(eight.substr(0, length)));
    }
  }
  EXPECT_EQ(digits_value("99999999", 8), 99'999'999u);
  EXPECT_EQ(digits_value("00000000", 8), 0u);
}

}  // namespace
}  // namespace halfspace::stream
