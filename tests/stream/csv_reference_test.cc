// The fast reader against a slow one, on random tables, in chunks of many sizes.

#include "stream/csv/scan.h"
#include "stream/csv_driver.h"
#include "stream/text/plain_decimal.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

// CSV read slowly and plainly, byte by byte and all at once: what the fast reader must agree with. Nothing of it is
// shared with the library but what a label is.
namespace reference {

struct Field {
  std::string text;
  std::size_t column = 0;  // of its first byte, or where it would be
  bool quoted = false;
};

struct Record {
  std::uint64_t line = 0;
  std::string text;
  std::vector<Field> fields;
  std::vector<std::size_t> field_columns;  // where each began, blanks included
  std::string flaw;                        // words of the reason
  std::size_t flaw_column = 0;
};

// The records of the text; blank lines are none.
std::vector<Record> split(const std::string& text, char delimiter) {
  enum class State { start, plain, quoted, quote, tail };
  std::vector<Record> records;
  std::size_t i = 0;
  std::uint64_t line = 0;
  const auto blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  while (i < text.size()) {
    Record record;
    record.line = line;
    const std::size_t begin = i;
    State state = State::start;
    Field field;
    bool only_blanks = true;
    const auto flaw = [&](const char* what, std::size_t at) {
      if (record.flaw.empty()) record.flaw = what, record.flaw_column = at - begin + 1;
    };
    std::size_t opened = 0;
    record.field_columns.push_back(1);
    const auto close = [&](std::size_t at) {
      if (state == State::start) field.column = at - begin + 1;
      if (!field.quoted) {
        while (!field.text.empty() && blank(field.text.back())) field.text.pop_back();
      }
      record.fields.push_back(field);
      field = Field();
      state = State::start;
    };
    std::size_t end = text.size();
    for (;; ++i) {
      const bool at_end = i == text.size();
      const char c = at_end ? '\n' : text[i];
      const bool line_end =
          at_end || c == '\n' || (c == '\r' && (i + 1 == text.size() || text[i + 1] == '\n') && state != State::quoted);
      if (!at_end && !blank(c) && !line_end) only_blanks = false;
      if (state == State::quoted) {
        if (at_end) {
          flaw("never closed", opened);
          break;
        }
        if (c == '\n') ++line;
        if (c == '"') {
          state = State::quote;
        } else {
          field.text += c;
        }
        continue;
      }
      if (line_end) {
        end = i;
        close(i);
        break;
      }
      if (c == delimiter) {
        close(i);
        record.field_columns.push_back(i - begin + 2);
        continue;
      }
      switch (state) {
        case State::start:
          if (blank(c)) break;
          if (c == '"') {
            state = State::quoted;
            field.quoted = true;
            field.column = i - begin + 2;
            opened = i;
          } else {
            state = State::plain;
            field.column = i - begin + 1;
            field.text += c;
          }
          break;
        case State::plain:
          if (c == '"') flaw("inside an unquoted", i);
          field.text += c;
          break;
        case State::quote:
          if (c == '"') {
            field.text += c;
            state = State::quoted;
          } else {
            state = State::tail;
            if (!blank(c)) flaw("after the closing", i);
          }
          break;
        default:
          if (!blank(c)) flaw("after the closing", i);
      }
    }
    record.text = text.substr(begin, end - begin);
    if (state == State::quoted && record.text.back() == '\n') record.text.pop_back();
    if (state == State::quoted && record.text.size() > 1 && record.text.back() == '\r' && text.back() == '\n') {
      record.text.pop_back();
    }
    i = end;
    if (i < text.size() && text[i] == '\r') ++i;
    if (i < text.size()) ++i;
    ++line;
    if (!only_blanks) records.push_back(std::move(record));
  }
  return records;
}

bool missing(const std::string& text) { return text.empty() || text == "?" || text == "NA"; }

// The finite number that the whole text spells, in decimal.
std::optional<double> number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Reads a table with a header whose label is `label`; kinds from the first `inference_rows` rows; bad rows are set
// aside. Tables hold no NUL, no broken UTF-8, no weights and no spelled infinities here: those have tests of their own.
CsvResult read(const std::string& text, char delimiter, const std::string& label, std::uint64_t inference_rows) {
  CsvResult result;
  std::vector<Record> records = split(text, delimiter);
  const Record header = records.front();
  records.erase(records.begin());
  const std::size_t columns = header.fields.size();
  std::size_t target = 0;
  while (header.fields[target].text != label) ++target;
  const auto broken = [](const std::string& value) { return value.find_first_of("\r\n") != std::string::npos; };
  const auto usable = [&](const Record& r) {
    return r.flaw.empty() && r.fields.size() == columns && !missing(r.fields[target].text) &&
           !broken(r.fields[target].text);
  };

  Schema& schema = result.schema;
  schema.format = DataFormat::csv;
  schema.delimiter = delimiter;
  for (std::size_t c = 0; c < columns; ++c) {
    Column column;
    column.name = header.fields[c].text;
    column.kind = c == target ? Column::Kind::label : Column::Kind::numeric;
    std::uint64_t seen = 0;
    for (const Record& r : records) {
      if (!usable(r)) continue;
      if (seen++ == inference_rows) break;
      if (c != target && !missing(r.fields[c].text) && !number(r.fields[c].text)) {
        column.kind = Column::Kind::categorical;
      }
    }
    if (column.kind == Column::Kind::numeric) column.feature = schema.features++;
    schema.columns.push_back(column);
  }

  std::vector<std::map<std::string, std::uint32_t>> features(columns);  // "" is a missing value
  const auto feature_of = [&](std::size_t c, const std::string& category) {
    const auto [found, inserted] = features[c].emplace(category, schema.features);
    if (inserted) {
      Column& column = schema.columns[c];
      if (category.empty()) {
        column.missing_feature = schema.features++;
      } else {
        column.categories.push_back(category);
        column.features.push_back(schema.features++);
      }
    }
    return found->second;
  };
  const auto problem = [&](const Record& r) -> std::optional<std::pair<std::size_t, std::string>> {
    if (!r.flaw.empty()) return std::pair(r.flaw_column, r.flaw);
    if (r.fields.size() > columns) return std::pair(r.field_columns[columns], std::string("are expected"));
    if (r.fields.size() < columns) return std::pair(r.text.size() + 1, std::string("are expected"));
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string& value = r.fields[c].text;
      if (schema.columns[c].kind != Column::Kind::numeric || missing(value) || number(value)) continue;
      return std::pair(r.fields[c].column, std::string("not a number"));
    }
    if (missing(r.fields[target].text)) return std::pair(r.fields[target].column, std::string("is missing"));
    if (broken(r.fields[target].text)) return std::pair(r.fields[target].column, std::string("has a line break"));
    return std::nullopt;
  };
  std::vector<std::string> labels;
  std::uint64_t seen = 0;
  for (const Record& r : records) {
    if (!usable(r)) continue;
    if (seen++ == inference_rows) break;
    if (!problem(r)) labels.push_back(r.fields[target].text);
  }
  schema.labels = Labels::from(labels, {}, LabelsAre::texts);

  for (const Record& r : records) {
    auto wrong = problem(r);
    if (!wrong && !schema.labels.find(r.fields[target].text)) {
      wrong = std::pair(r.fields[target].column, std::string("not a label"));
    }
    if (wrong) {
      result.bad.insert({result.data_rows, r.line, wrong->first, wrong->second, {}, r.text});
    } else {
      CsvRow row{result.data_rows, r.line, *schema.labels.find(r.fields[target].text), 1, {}};
      for (std::size_t c = 0; c < columns; ++c) {
        const std::string& value = r.fields[c].text;
        const Column& column = schema.columns[c];
        if (c == target) continue;
        if (missing(value)) {
          row.values.emplace_back(feature_of(c, ""), 1.0);
        } else if (column.kind == Column::Kind::numeric) {
          row.values.emplace_back(column.feature, *number(value));
        } else {
          row.values.emplace_back(feature_of(c, value), 1.0);
        }
      }
      result.rows.push_back(std::move(row));
    }
    ++result.data_rows;
  }
  return result;
}

}  // namespace reference

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t count) { return random() % count; }

const std::string& one_of(Random& random, const Names& choices) { return choices[below(random, choices.size())]; }

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
    const Names line_ends = {"\n", "\r\n"};
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) text += delimiter;
      const std::string name = c == target ? "label" : "c" + std::to_string(c);
      text += below(random, 3) == 0 ? quote(name) : name;
    }
    text += one_of(random, line_ends);
    const Names numbers = {"0",
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
    const Names words = {"red", "blue sky", "\"", "a\"\"b", "x,y;z\tw", "two\nlines", "cr\r\nlf", "1.5.2",
                         "e5",  "é",        ",",  "--1",    "\r",       "NAN?",       "\"\n\""};
    const Names labels = {"a", "b", "b", "a", "c"};
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
    EXPECT_TRUE(has(a->reason, b->reason));
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
  options.table.missing_only = default_missing();  // no others are looked for
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
