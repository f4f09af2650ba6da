#include "stream/text/number.h"

#include <cstdio>
#include <cstring>

#include "base/simd.h"
#include "stream/stream_support.h"
#include "stream/text/decimals.h"
#include "stream/text/separators.h"

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
  for (const std::string& text : testing_stream::cut(
           "9007199254740992 9007199254740993 9007199254740991e22 9007199254740993e-22 0.9007199254740993 "
           "90071992.54740993 90071992.54740992 90071992.54740991 99999999.9999999999999999 1e22 1e23 1e-22 "
           "1e-23 123456789012345678901234567890 0.000000000000000000000000000000123456789012345678901 "
           "1.7976931348623157e308 1.7976931348623159e308 4.9e-324 2e-324 2.4703282292062327e-324 "
           "2.2250738585072011e-308 -0 -0.0 0e99999 0.0e-99999 1e99999 1e-99999 00000000000001.5 1. 5.e3 "
           "12345678 123456789 1.12345678 1.123456789 1.1234567812345678 1.12345678123456781 "
           "18446744073709551615 18446744073709551616 9999999999999999999 99999999999999999999 "
           "1e18446744073709551617",
           " ")) {
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

// Runs of decimals at every vector level, against strtod.

class Levels : public ::testing::Test {
 protected:
  void TearDown() override { simd::use(); }
  template <class F>
  static void each(F&& f) {
    for (const std::size_t level : simd::runnable()) {
      SCOPED_TRACE(simd::name_of(level));
      simd::use(level);
      f();
    }
  }
};

// Bytes with nothing behind or before them, so that the address sanitizer sees every step outside.
struct Exactly {
  explicit Exactly(const std::string& text) : bytes(new char[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), size);
  }
  std::string_view view() const { return {bytes.get(), size}; }
  std::unique_ptr<char[]> bytes;
  std::size_t size;
};

std::string from(std::mt19937_64& random, const char* alphabet, std::size_t most) {
  const std::size_t kinds = std::strlen(alphabet);
  std::string text;
  for (std::size_t i = random() % (most + 1); i > 0; --i) text += alphabet[random() % kinds];
  return text;
}

std::string any_decimal(std::mt19937_64& random) {
  std::array<char, 64> text{};
  const double value = static_cast<double>(static_cast<std::int64_t>(random())) / 9e18;
  switch (random() % 8) {
    case 0:
    case 1:
      std::snprintf(text.data(), text.size(), "%.6g", value);
      return text.data();
    case 2:
      std::snprintf(text.data(), text.size(), "%.*f", static_cast<int>(random() % 14), 100 * value);
      return text.data();
    case 3:
      return std::to_string(static_cast<std::int64_t>(random()) >> random() % 64);
    case 4:
      std::snprintf(text.data(), text.size(), "%.17g", value);
      return text.data();
    case 5:
      return from(random, "0123456789", 18);
    case 6:
      return from(random, "0123456789.-", 18);
    default:
      return from(random, "0123456789.-+eE xN\t\xff", 5);
  }
}

TEST_F(Levels, WhatIsCalledPlainIsThatOfStrtod) {
  each([] {
    std::mt19937_64 random(17);
    std::size_t plain = 0, all = 0;
    for (int round = 0; round < 20'000; ++round) {
      std::vector<std::string> fields(1 + random() % 40);
      std::string text;
      for (std::string& field : fields) {
        field = any_decimal(random);
        text += (text.empty() && &field == fields.data() ? "" : ",") + field;
      }
      text += '\n';
      const Exactly exact(text);
      Separators separators;
      separators.find_in_csv(exact.view(), ',');
      ASSERT_EQ(separators.count(), fields.size());
      std::vector<double> values(fields.size() + decimals_slack);
      std::vector<std::uint8_t> rest(fields.size() / 8 + 1);
      const bool whole = read_decimals(exact.view(), separators.at(), fields.size(), values.data(), rest.data());
      std::vector<std::uint32_t> between;
      for (std::size_t i = 0; i < (fields.size() + 7) / 8 * 8; ++i) {
        const std::uint32_t* const end = separators.at() + std::min(i, fields.size() - 1);
        between.insert(between.end(), {end[-1], end[0]});
      }
      std::vector<double> apart(values.size());
      std::vector<std::uint8_t> rest_apart(rest.size());
      ASSERT_EQ(read_decimals_between(exact.view(), between.data(), fields.size(), apart.data(), rest_apart.data()),
                whole);
      ASSERT_EQ(rest_apart, rest);
      bool every = true;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        ++all;
        if ((rest[i / 8] >> i % 8 & 1) != 0) {
          every = false;
          continue;
        }
        ++plain;
        char* end = nullptr;
        const double expected = std::strtod(fields[i].c_str(), &end);
        ASSERT_TRUE(!fields[i].empty() && *end == '\0') << fields[i];
        ASSERT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(expected)) << fields[i];
        ASSERT_EQ(std::bit_cast<std::uint64_t>(apart[i]), std::bit_cast<std::uint64_t>(expected)) << fields[i];
      }
      ASSERT_EQ(whole, every);
    }
    EXPECT_GT(plain, all / 3);
  });
}

TEST_F(Levels, ShortDecimalsArePlain) {
  each([] {
    std::mt19937_64 random(18);
    const std::string behind(64, ' ');  // as in the middle of a file
    for (int round = 0; round < 20'000; ++round) {
      std::string text;
      std::vector<double> expected;
      for (int i = 0; i < 20; ++i) {
        std::array<char, 64> number{};
        std::snprintf(number.data(), number.size(), "%.6f", static_cast<double>(random() % 2'000'001) / 1e3 - 1e3);
        expected.push_back(std::strtod(number.data(), nullptr));
        text += number.data() + std::string(i == 19 ? "\n" : ",");
      }
      text += behind;
      Separators separators;
      separators.find_in_csv(text, ',');
      std::vector<double> values(20 + decimals_slack);
      std::vector<std::uint8_t> rest(3);
      ASSERT_TRUE(read_decimals(text, separators.at(), 20, values.data(), rest.data())) << text;
      values.resize(20);
      ASSERT_EQ(values, expected);
    }
  });
}

TEST_F(Levels, FeaturesThatAreCalledPlainAreRight) {
  each([] {
    std::mt19937_64 random(19);
    std::size_t read = 0;
    for (int round = 0; round < 20'000; ++round) {
      const std::uint32_t base = random() % 2;
      std::string text = random() % 2 == 0 ? "+1" : "1";
      std::vector<std::string> indices(random() % 30), values(indices.size());
      std::uint64_t last = random() % 3;
      for (std::size_t i = 0; i < indices.size(); ++i) {
        if (i != 0) last += 1 + random() % (random() % 4 != 0 ? 9 : 300'000);
        indices[i] = std::to_string(random() % 150 == 0 ? random() % 20'000'000'000 : last);
        if (random() % 60 == 0) indices[i].insert(0, 1 + random() % 3, '0');
        if (random() % 200 == 0) indices[i] = from(random, "0123456789-.x", 9);
        values[i] = any_decimal(random);
        for (char& c : values[i]) {
          if (static_cast<unsigned char>(c) <= ' ') c = '7';
        }
        text += " " + indices[i] + ":" + values[i];
      }
      text += "\n";
      const Exactly exact(text);
      Separators separators;
      separators.find_in_libsvm(exact.view());
      const std::size_t count = indices.size();
      ASSERT_EQ(separators.count(), 2 * count + 1);
      std::vector<std::uint32_t> index(count + decimals_slack);
      std::vector<double> value(count + decimals_slack);
      std::vector<std::uint8_t> rest(count / 8 + 1);
      const FeaturesRead plain =
          read_features(exact.view(), separators.at(), count, base, index.data(), value.data(), rest.data());
      if (!plain.indices) continue;
      ++read;
      bool every = true, padded = false;
      for (std::size_t i = 0; i < count; ++i) {
        padded |= indices[i].size() > 1 && indices[i].front() == '0';
        ASSERT_TRUE(!indices[i].empty() && indices[i].find_first_not_of("0123456789") == std::string::npos) << text;
        ASSERT_EQ(std::stoull(indices[i]), std::uint64_t{index[i]} + base) << text;
        ASSERT_TRUE(i == 0 || index[i - 1] < index[i]) << text;
        if ((rest[i / 8] >> i % 8 & 1) != 0) {
          every = false;
          continue;
        }
        char* end = nullptr;
        const double expected = std::strtod(values[i].c_str(), &end);
        ASSERT_TRUE(!values[i].empty() && *end == '\0') << values[i];
        ASSERT_EQ(std::bit_cast<std::uint64_t>(value[i]), std::bit_cast<std::uint64_t>(expected)) << values[i];
      }
      ASSERT_EQ(plain.values, every);
      ASSERT_EQ(plain.padded, padded) << text;
    }
    EXPECT_GT(read, 5'000u);
  });
}

TEST_F(Levels, SeparatorsAreFoundOneByOne) {
  each([] {
    std::mt19937_64 random(20);
    Separators found;
    for (std::size_t round = 0; round < 900; ++round) {
      const std::size_t size = round % 300;
      std::string text(size, '7');
      for (char& c : text) {
        if (random() % 3 == 0) c = static_cast<char>(random());
        if (round % 5 == 0 && random() % 8 != 0) c = " :,\n"[random() % 4];  // more than are usual
      }
      const Exactly exact(text);
      ASSERT_EQ(count_line_ends(exact.view()), std::count(text.begin(), text.end(), '\n'));
      for (const bool csv : {false, true}) {
        std::vector<std::uint32_t> at;
        std::string kind;
        for (std::size_t i = 0; i < size; ++i) {
          const char c = text[i];
          if (csv ? c == ',' || c == '\n' || c == '"' : static_cast<unsigned char>(c) <= ' ' || c == ':' || c == '#') {
            at.push_back(static_cast<std::uint32_t>(i));
            kind += c;
          }
        }
        if (size != 0 && text.back() != '\n') {
          at.push_back(static_cast<std::uint32_t>(size));
          kind += '\n';
        }
        csv ? found.find_in_csv(exact.view(), ',') : found.find_in_libsvm(exact.view());
        EXPECT_EQ(std::vector<std::uint32_t>(found.at(), found.at() + found.count()), at);
        EXPECT_EQ(std::string(found.kind(), found.count()), kind);
        EXPECT_EQ(found.at()[-1], ~std::uint32_t{0});
        for (std::size_t i = 0; i < Separators::padding; ++i) {
          ASSERT_EQ(found.at()[found.count() + i], size);
          ASSERT_EQ(found.kind()[found.count() + i], '\0');
        }
      }
    }
  });
}

TEST(FirstLines, WholeLinesOrALongOne) {
  EXPECT_EQ(first_lines("ab\ncd\nef\n", 100), "ab\ncd\nef\n");
  EXPECT_EQ(first_lines("ab\ncd\nef\n", 8), "ab\ncd\n");
  EXPECT_EQ(first_lines("ab\ncd\nef\n", 6), "ab\ncd\n");
  EXPECT_EQ(first_lines("ab\ncd\nef\n", 5), "ab\n");
  EXPECT_EQ(first_lines("abcdef\ng", 3), "abcdef\n");
  EXPECT_EQ(first_lines("abcdefg", 3), "abcdefg");
}

}  // namespace

}  // namespace halfspace::stream
