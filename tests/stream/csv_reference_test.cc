// The fast reader against a slow one, on random tables, in chunks of many sizes.
#include "stream/csv_reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "stream/csv/scan.h"
#include "stream/text/plain_decimal.h"

namespace halfspace::stream {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t count) {
  return random() % count;
}

const std::string& one_of(Random& random, const std::vector<std::string>& choices) {
  return choices[below(random, choices.size())];
}

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A table of every construct of the grammar; with `flaws`, of every violation too.
struct ReferenceTable {
  ReferenceTable(Random& random, bool flaws) {
    const std::string delimiters = ",\t;";
    delimiter = delimiters[below(random, 3)];
    const std::size_t columns = 2 + below(random, 5);
    const std::size_t target = below(random, columns);
    const std::vector<std::string> line_ends = {"\n", "\r\n"};
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) text += delimiter;
      const std::string name = c == target ? "label" : "c" + std::to_string(c);
      text += below(random, 3) == 0 ? quote(name) : name;
    }
    text += one_of(random, line_ends);
    const std::vector<std::string> numbers = {"0",
                                              "1",
                                              "-2.5",
                                              "3e2",
                                              ".5",
                                              "+7.",
                                              "123456789.123456789",
                                              "00012",
                                              "1234567890123456789012",
                                              "2.2250738585072014e-308",
                                              "-0"};
    const std::vector<std::string> words = {"red",        "blue sky", "\"",    "a\"\"b", "x,y;z\tw",
                                            "two\nlines", "cr\r\nlf", "1.5.2", "e5",     "é",
                                            ",",          "--1",      "\r",    "NAN?",   "\"\n\""};
    const std::vector<std::string> labels = {"a", "b", "b", "a", "c"};
    const std::size_t rows = 2 + below(random, 30);
    std::vector<bool> numeric(columns);
    for (std::size_t c = 0; c < columns; ++c) numeric[c] = below(random, 2) == 0;
    const auto blanks = [&] { return below(random, 8) == 0 ? std::string(1 + below(random, 9), ' ') : std::string(); };
    for (std::size_t r = 0; r < rows; ++r) {
      if (below(random, 12) == 0) text += blanks() + one_of(random, line_ends);
      std::size_t fields = columns;
      if (flaws && below(random, 12) == 0) fields = columns + below(random, 3) - 1;
      for (std::size_t c = 0; c < fields; ++c) {
        if (c > 0) text += delimiter;
        std::string value = c == target                 ? labels[below(random, r < 12 ? 4 : 5)]
                            : below(random, 9) == 0     ? one_of(random, {"", "?", "NA"})
                            : c < columns && numeric[c] ? one_of(random, numbers)
                                                        : one_of(random, words);
        if (flaws && below(random, 40) == 0) value = one_of(random, words);
        const bool special = value.find_first_of(",;\t\n\"\r") != std::string::npos;
        value = special || below(random, 4) == 0 ? quote(value) : value;
        if (flaws && below(random, 40) == 0) value += one_of(random, {"\"", "x", " \"y\"", "\"\"\"", "\""});
        text += blanks() + value + blanks();
      }
      if (r + 1 < rows || below(random, 2) == 0) text += one_of(random, line_ends);
    }
    if (flaws && below(random, 10) == 0) text += "\"open" + one_of(random, line_ends);
  }

  char delimiter;
  std::string text;
};

void expect_equal(const CsvResult& fast, const CsvResult& slow) {
  ASSERT_EQ(fast.rows.size(), slow.rows.size());
  for (std::size_t i = 0; i < slow.rows.size(); ++i) {
    EXPECT_EQ(fast.rows[i].row, slow.rows[i].row);
    EXPECT_EQ(fast.rows[i].line, slow.rows[i].line);
    EXPECT_EQ(fast.rows[i].label, slow.rows[i].label);
    EXPECT_EQ(fast.rows[i].values, slow.rows[i].values);
  }
  ASSERT_EQ(fast.bad.size(), slow.bad.size());
  for (auto a = fast.bad.begin(), b = slow.bad.begin(); b != slow.bad.end(); ++a, ++b) {
    EXPECT_EQ(a->row, b->row);
    EXPECT_EQ(a->line, b->line);
    EXPECT_EQ(a->column, b->column) << a->reason;
    EXPECT_EQ(a->text, b->text);
    EXPECT_NE(a->reason.find(b->reason), std::string::npos) << a->reason << " / " << b->reason;
  }
  EXPECT_EQ(fast.data_rows, slow.data_rows);
  EXPECT_EQ(fast.schema, slow.schema);
}

void compare(std::uint64_t seed, bool flaws) {
  Random random(seed);
  const ReferenceTable table(random, flaws);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + table.text);
  ReadOptions options;
  // Of flawed records the first may look as if something else parted them.
  options.table.missing_only = usual_missing();  // no others are looked for
  if (flaws) options.table.delimiter = table.delimiter;
  options.inference_rows = below(random, 2) == 0 ? 10'000 : 5 + below(random, 10);
  CsvResult slow = reference::read(table.text, table.delimiter, "label", options.inference_rows);
  // One label only: the search goes on beyond schema inference, which has a test of its own.
  if (slow.schema.labels.names.size() < 2) return;
  for (const std::size_t chunk : {std::size_t{1}, 2 + below(random, 20), 20 + below(random, 200), table.text.size()}) {
    expect_equal(read_csv(table.text, options, chunk), slow);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(CsvReference, GoodTablesAgree) {
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) compare(seed, false);
}

TEST(CsvReference, BadTablesAgree) {
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) compare(1'000'000 + seed, true);
}

// Numbers that are parsed on the way are those of C, bit for bit, and end where the digits do.
TEST(CsvReference, PlainDecimalsAreStrtods) {
  Random random(1);
  std::size_t plain = 0;
  const auto digits = [&](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + below(random, 10));
    return text;
  };
  for (int i = 0; i < 200'000; ++i) {
    std::string text = below(random, 2) == 0 ? "-" : "";
    text += digits(below(random, 11));
    if (below(random, 3) != 0) text += "." + digits(below(random, 19));
    const std::string rest = one_of(random, {",", "\n", ";", "x", ".", "e1,", "\r\n", "\xFF", "/", ":", "-", " "});
    const std::string padded = text + rest + digits(48);
    double value = 0;
    const char* const end = scan_plain_decimal(padded.c_str(), value);
    if (end == nullptr) continue;
    ++plain;
    ASSERT_EQ(end, padded.c_str() + text.size()) << padded;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
        << text;
  }
  EXPECT_GT(plain, 80'000U);
}

// The split alone, against every prefix.
TEST(CsvReference, SplitAgreesOnEveryPrefix) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const ReferenceTable table(random, seed % 2 == 0);
    std::vector<std::size_t> ends;  // of records, by the slow reader: a prefix ends there when it has no open quote
    for (std::size_t size = 0; size <= table.text.size(); ++size) {
      const std::string prefix = table.text.substr(0, size);
      if (size > 0 && prefix.back() == '\n') {
        const auto records = reference::split(prefix + "x", table.delimiter);
        // A line end ends a record exactly when what follows begins a record of its own.
        if (!records.empty() && records.back().text == "x") ends.push_back(size);
      }
      ASSERT_EQ(end_of_records(prefix, {table.delimiter, 1000}), ends.empty() ? 0 : ends.back()) << prefix;
    }
  }
}

}  // namespace
}  // namespace halfspace::stream
