// The exact reader: decimals against a plain rational parse, and each format's rows and refusals.

#include "proof/verify/exact_reader.h"

#include <zlib.h>
#include <zstd.h>

#include "proof/certificate_support.h"
#include "stream/stream_support.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

// By the book: digits as one whole number, over or times a power of ten.
mpq_class plain_value(const std::string& sign, const std::string& whole, const std::string& places, int exponent) {
  mpz_class digits("0" + whole + places, 10), power;
  const int shift = exponent - static_cast<int>(places.size());
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(shift)));
  mpq_class value = shift < 0 ? mpq_class(digits, power) : mpq_class(digits * power);
  value.canonicalize();
  return sign == "-" ? mpq_class(-value) : value;
}

TEST(Decimal, MillionsAgreeWithAPlainParse) {
  std::mt19937_64 chance(20);
  const auto digits = [&](std::size_t most) {
    std::string text;
    for (std::size_t n = chance() % (most + 1); n > 0; --n)
      text += static_cast<char>('0' + (chance() % 3 == 0 ? 0 : chance() % 10));
    return text;
  };
  for (int i = 0; i < 2'000'000; ++i) {
    const std::size_t most = i % 10 == 0 ? 40 : 9;
    const std::string sign = std::array{"", "-", "+"}[chance() % 3];
    std::string whole = digits(most), places = digits(most);
    if (whole.empty() && places.empty()) whole = "0";
    const int exponent = chance() % 2 == 0 ? 0 : static_cast<int>(chance() % 41) - 20;
    std::string text = sign + whole + (places.empty() && chance() % 2 == 0 ? "" : "." + places);
    if (exponent != 0)
      text += (chance() % 2 == 0 ? "e" : "E") + std::string(exponent > 0 && chance() % 2 == 0 ? "+" : "") +
              std::to_string(exponent);
    const std::optional<Decimal> decimal = parse_decimal(text);
    ASSERT_TRUE(decimal.has_value()) << text;
    const mpq_class expected = plain_value(sign, whole, places, exponent);
    ASSERT_TRUE(decimal->value() == expected) << text;
    ASSERT_EQ(decimal->zero(), expected == 0) << text;
  }
}

TEST(Decimal, Edges) {
  const auto value = [](const char* text) { return parse_decimal(text).value().value(); };
  EXPECT_TRUE(value("999999999999999999") == mpq_class("999999999999999999"));
  EXPECT_TRUE(value("-9999999999999999999") == mpq_class("-9999999999999999999"));
  EXPECT_TRUE(value("0.1000000000000000055511151231257827") ==
              mpq_class("1000000000000000055511151231257827/10000000000000000000000000000000000"));
  EXPECT_TRUE(value("0e99999999999999999999") == 0);
  EXPECT_TRUE(value("-0.000") == 0);
  EXPECT_TRUE(value("1e100000").get_num() == plain_value("", "1", "", 100000).get_num());
  for (const char* text : {"",          "+",
                           "-",         ".",
                           "+.",        "e5",
                           ".e5",       "1e",
                           "1e+",       "1e-",
                           "1e5.0",     "1..2",
                           "1.2.3",     "--1",
                           "+-1",       " 1",
                           "1 ",        "1x",
                           "0x10",      "nan",
                           "inf",       "1e100001",
                           "1e-100001", "1,5",
                           "1_000",     "1e99999999999999999999"}) {
    EXPECT_FALSE(parse_decimal(text).has_value()) << text;
  }
}

struct Reading {
  std::vector<std::string> rows;  // label|coordinate=value|...
  std::uint64_t line = 0, column = 0;
  std::string message;  // of the refusal; empty: none
};

Reading read(const Data& data, const std::string& path) {
  Reading reading;
  try {
    ExactReader reader(data, path);
    ExactRow row;
    while (reader.next(row)) {
      EXPECT_EQ(row.number, reading.rows.size() + 1);
      std::string text = row.label;
      for (const ExactRow::Entry& entry : row.entries)
        text += "|" + std::to_string(entry.coordinate) + "=" + entry.value.value().get_str();
      reading.rows.push_back(text);
    }
    EXPECT_EQ(reader.files()[0].bytes, describe_files(data.format, path)[0].bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    reading.line = error.line();
    reading.column = error.column();
    reading.message = error.message();
  }
  return reading;
}

class ExactReaderTest : public ::testing::Test {
 protected:
  Reading read_text(const Data& data, const std::string& text) { return read(data, folder_.write("data", text)); }
  void expect_refusal(const Data& data, const std::string& text, std::uint64_t line, std::uint64_t column,
                      const std::string& why) {
    const Reading reading = read_text(data, text);
    EXPECT_EQ(reading.line, line) << text;
    EXPECT_EQ(reading.column, column) << text;
    EXPECT_TRUE(has(reading.message, why)) << text;
  }
  using Rows = std::vector<std::string>;

  TemporaryFolder folder_;
};

TEST_F(ExactReaderTest, Libsvm) {
  Data data;
  data.features = 9;
  EXPECT_EQ(read_text(data, "\xEF\xBB\xBF+1 1:.5 9:-2e1\r\n\n  # nothing\n\t-1\t2:0 3:1 # a remark 4:x\n0").rows,
            (Rows{"+1|0=1/2|8=-20", "-1|2=1", "0"}));
  EXPECT_EQ(read_text(data, "").rows, Rows{});
  expect_refusal(data, "1 1:1\n1:1\n", 2, 1, "no label");
  expect_refusal(data, "1 0:1\n", 1, 3, "too small");
  expect_refusal(data, "1 2:1 2:1\n", 1, 7, "ascend");
  expect_refusal(data, "1 2:1 1:1\n", 1, 7, "ascend");
  expect_refusal(data, "1 10:1\n", 1, 3, "beyond");
  expect_refusal(data, "1 4294967297:1\n", 1, 3, "beyond");
  expect_refusal(data, "1 18446744073709551617:1\n", 1, 3, "beyond");
  expect_refusal(data, "\n1 1:1 x\n", 2, 7, "':'");
  expect_refusal(data, "1 -1:1\n", 1, 3, "index");
  expect_refusal(data, "1 :1\n", 1, 3, "index");
  expect_refusal(data, "1 1:\n", 1, 5, "decimal");
  expect_refusal(data, "1 1:nan\n", 1, 5, "decimal");
  expect_refusal(data, "1 1:1:2\n", 1, 5, "decimal");
  data.zero_based = true;
  EXPECT_EQ(read_text(data, "1 0:1 8:1\n").rows, Rows{"1|0=1|8=1"});
  expect_refusal(data, "1 9:1\n", 1, 3, "beyond");
}

Data csv_data() {
  using Role = CsvColumn::Role;
  Data data;
  data.format = TextFormat::csv;
  data.features = 5;
  data.columns = {{"age", Role::numeric, 1, 2, {}, {}},
                  {"no, \"te", Role::ignored, {}, {}, {}, {}},
                  {"colour", Role::categorical, {}, {}, {"red", "light \"blue\"\n"}, {4, 3}},
                  {"y", Role::label, {}, {}, {}, {}}};
  return data;
}

TEST_F(ExactReaderTest, Csv) {
  const Data data = csv_data();
  const std::string header = "age,\"no, \"\"te\",colour,y\n";
  EXPECT_EQ(
      read_text(data, header + "1.5,a,red,+1\n\n \t \r\n ? , ,\"light \"\"blue\"\"\n\" , no\r\n\"2\",\"x,\ny\",red,yes")
          .rows,
      (Rows{"+1|1=3/2|4=1", "no|2=1|3=1", "yes|1=2|4=1"}));
  EXPECT_EQ(read_text(data, "").rows, Rows{});
  expect_refusal(data, "age,other,colour,y\n", 1, 5, "named");
  expect_refusal(data, header + "1,a,red\n", 2, 1, "3 fields");
  expect_refusal(data, header + "1,a,red,x,\n", 2, 1, "5 fields");
  expect_refusal(data, header + "1,a,green,x\n", 2, 5, "category");
  expect_refusal(data, header + "1,a,,x\n", 2, 5, "missing value");
  expect_refusal(data, header + "1,a,red,\n", 2, 9, "label");
  expect_refusal(data, header + "one,a,red,x\n", 2, 1, "decimal");
  expect_refusal(data, header + "1,\"a,red,x\n", 2, 3, "never closed");
  expect_refusal(data, header + "1,\"a\"b,red,x\n", 2, 6, "after the closing quote");
  expect_refusal(data, header + "1,a\"b,red,x\n", 2, 4, "inside an unquoted");
  expect_refusal(data, header + std::string("1,a\0b,red,x\n", 12), 2, 4, "NUL");
  expect_refusal(data, header + "1,\"a\n\",red,x\n2,b,blue,x\n", 4, 5, "category");
}

TEST_F(ExactReaderTest, CsvWithoutHeaderByTabs) {
  using Role = CsvColumn::Role;
  Data data;
  data.format = TextFormat::csv;
  data.delimiter = '\t';
  data.header = false;
  data.features = 1;
  data.columns = {{"1", Role::label, {}, {}, {}, {}}, {"2", Role::numeric, 0, {}, {}, {}}};
  EXPECT_EQ(read_text(data, "a,\"b\t7\n").message.empty(), false);
  EXPECT_EQ(read_text(data, "\"a\t\"\t 7\nb\t0\n").rows, (Rows{"a\t|0=7", "b"}));
  expect_refusal(data, "b\t\n", 1, 3, "missing value");
}

TEST_F(ExactReaderTest, CsvByBlanksAndWithDecimalCommas) {
  using Role = CsvColumn::Role;
  Data data;
  data.format = TextFormat::csv;
  data.delimiter = ' ';
  data.decimal = ',';
  data.missing = {"-9", "none"};
  data.header = false;
  data.features = 2;
  data.columns = {{"1", Role::numeric, 0, 1, {}, {}}, {"2", Role::label, {}, {}, {}, {}}};
  EXPECT_EQ(read_text(data, "  1,5 \t a\r\n \r\n\"-9\"\tb  \r\n-9,0 \"a b\" \n\tnone -").rows,
            (Rows{"a|0=3/2", "b|1=1", "a b|0=-9", "-|1=1"}));
  expect_refusal(data, "1.5 a\n", 1, 1, "decimal");
  expect_refusal(data, "1,5 a b\n", 1, 1, "3 fields");
  expect_refusal(data, " 1,5\n", 1, 1, "1 fields");
  expect_refusal(data, "1 none\n", 1, 3, "label");
  expect_refusal(data, "1 \"a\"b\n", 1, 6, "after the closing quote");
  data.decimal = '.';
  expect_refusal(data, "1,5 a\n", 1, 1, "decimal");
}

std::string idx(std::uint32_t magic, std::initializer_list<std::uint32_t> sizes, const std::string& bytes) {
  std::string text;
  const auto add = [&](std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(number >> shift & 255);
  };
  add(magic);
  for (const std::uint32_t size : sizes) add(size);
  return text + bytes;
}

TEST_F(ExactReaderTest, Idx) {
  Data data;
  data.format = TextFormat::idx;
  data.features = 2;
  const std::string pixels("\0\xff\x07\0", 4), labels("\x03\xc8", 2);
  const auto read_idx = [&](const std::string& images, const std::string& label_text) {
    folder_.write("t-labels-idx1-ubyte", label_text);
    return read(data, folder_.write("t-images-idx3-ubyte", images));
  };
  EXPECT_EQ(read_idx(idx(0x803, {2, 1, 2}, pixels), idx(0x801, {2}, labels)).rows, (Rows{"3|1=255", "200|0=7"}));
  const auto refused = [&](const std::string& images, const std::string& label_text) {
    return !read_idx(images, label_text).message.empty();
  };
  EXPECT_TRUE(refused(idx(0x801, {2, 1, 2}, pixels), idx(0x801, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels), idx(0x803, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 2, 2}, pixels + pixels), idx(0x801, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels), idx(0x801, {1}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels + "x"), idx(0x801, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels), idx(0x801, {2}, labels + "x")));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels.substr(1)), idx(0x801, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 1, 2}, pixels), idx(0x801, {2}, labels.substr(1))));
  EXPECT_TRUE(refused("\0\0", idx(0x801, {2}, labels)));
  EXPECT_TRUE(refused(idx(0x803, {2, 0x80000001, 2}, pixels), idx(0x801, {2}, labels)));
  EXPECT_THROW(ExactReader(data, folder_.write("images", "")), Error);
}

TEST_F(ExactReaderTest, XzAndBzip2AreUndone) {
  using testing_stream::bzip2, testing_stream::xz;
  Data data;
  data.features = 3;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "+1 1:" + std::to_string(i * 7919 % 104'729) + " 3:1\n";
  const Reading plain = read_text(data, text);
  const std::pair<const char*, std::string> kinds[] = {{"xz", xz(text)}, {"bzip2", bzip2(text)}};
  for (const auto& [kind, packed] : kinds) {
    EXPECT_EQ(read_text(data, packed).rows, plain.rows);
    EXPECT_EQ(read_text(data, packed + packed).rows.size(), 200'000u);
    EXPECT_EQ(describe_files(TextFormat::libsvm, folder_.write("packed", packed)).at(0).sha256,
              describe_files(TextFormat::libsvm, folder_.write("plain", text)).at(0).sha256);
    for (const std::string& broken : {packed.substr(0, packed.size() - 9), packed + "tail"}) {
      EXPECT_TRUE(has(read_text(data, broken).message, kind));
    }
  }
}

TEST_F(ExactReaderTest, ZstdIsUndoneAndBrokenCompressionRefused) {
  Data data;
  data.features = 3;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "+1 1:" + std::to_string(i * 7919 % 104'729) + " 3:1\n";
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  const Reading plain = read_text(data, text);
  EXPECT_EQ(plain.rows.size(), 100'000u);
  EXPECT_EQ(read_text(data, packed).rows, plain.rows);
  EXPECT_EQ(read_text(data, packed + packed).rows.size(), 200'000u);
  EXPECT_EQ(describe_files(TextFormat::libsvm, folder_.write("packed", packed)).at(0).sha256,
            describe_files(TextFormat::libsvm, folder_.write("plain", text)).at(0).sha256);
  EXPECT_TRUE(has(read_text(data, packed.substr(0, packed.size() - 9)).message, "zstd"));
  EXPECT_TRUE(has(read_text(data, packed + "tail").message, "zstd"));
  EXPECT_TRUE(has(read_text(data, "\x1f\x8b\x08 not gzip at all, whatever it says").message, "gzip"));
}

TEST_F(ExactReaderTest, MembersOfGzipAreOneText) {
  const auto pack = [](const std::string& text) {
    std::string packed(1000, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<unsigned>(text.size());
    stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
    stream.avail_out = static_cast<unsigned>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
  };
  const std::string one = pack("1 1:1\n-1 1:"), two = pack("2\n");
  Data data;
  data.features = 1;
  EXPECT_EQ(read_text(data, one + two).rows, read_text(data, "1 1:1\n-1 1:2\n").rows);
  EXPECT_EQ(read_text(data, pack("")).rows.size(), 0u);
  for (const std::string& broken : {one + two.substr(0, 5), one + two.substr(0, two.size() - 1), one + "tail"})
    EXPECT_TRUE(has(read_text(data, broken).message, "broken gzip data"));
}

}  // namespace
}  // namespace halfspace::proof
