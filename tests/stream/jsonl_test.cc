// JSON Lines through the whole reader: members as columns, rows as CSV gives them, what is refused and where.

#include "stream/foreign/foreign.h"
#include "stream/formats/recognise.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

ReadOptions jsonl() {
  ReadOptions options{.format = DataFormat::jsonl, .threads = 1};
  return options;
}

Reading read_jsonl(std::string_view text, const ReadOptions& options = jsonl()) { return read_good(text, options); }

void expect_alike(const Reading& outcome, const Reading& expected) {
  EXPECT_EQ(outcome.rows, expected.rows);
  EXPECT_EQ(outcome.schema.columns, expected.schema.columns);
  EXPECT_EQ(outcome.schema.labels, expected.schema.labels);
  EXPECT_EQ(outcome.schema.features, expected.schema.features);
  EXPECT_EQ(outcome.schema.format, DataFormat::jsonl);
}

// The same rows as CSV give the same bits: dotted names, texts with and without escapes, null, no member.
TEST(Jsonl, GivesWhatCsvGives) {
  const std::string json =
      "{\"n\": 1.5, \"user\": {\"city\": \"K\\u00f6ln\", \"age\": \"31\"}, \"flag\": true, \"label\": \"yes\"}\r\n"
      "\n{\"label\":\"no\",\"flag\":false,\"user\":{\"age\":-2e1,\"city\":\"K\xc3\xb6ln\"},\"n\":null}\n  \n"
      "{\"user\": {\"city\": \"a \\\"b\\\"\\\\ \\ud83d\\ude00\"}, \"flag\": \"true\", \"label\": \"y\\u0065s\", \"n\": "
      "\"NA\"}\n"
      "{\"n\": 0.1, \"user\": {\"age\": 12345678901234567890, \"city\": \"\"}, \"label\": \"no\"}";
  const std::string csv =
      "n,user.city,user.age,flag,label\n1.5,K\xc3\xb6ln,31,true,yes\n,K\xc3\xb6ln,-2e1,false,no\n"
      "NA,\"a \"\"b\"\"\\ \xf0\x9f\x98\x80\",,true,yes\n0.1,,12345678901234567890,,no\n";
  expect_alike(read_jsonl(json), read_text(csv));
  for (const auto& wish : {&ColumnOptions::drop, &ColumnOptions::categorical}) {
    ReadOptions given = jsonl(), as_csv;
    given.columns.*wish = as_csv.columns.*wish = {"n", "user.age"};
    given.columns.label = as_csv.columns.label = "label";
    expect_alike(read_jsonl(json, given), read_text(csv, as_csv));
  }
  ReadOptions given = jsonl(), as_csv;
  given.table.missing_only = as_csv.table.missing_only = Names{"1.5", "true"};
  given.columns.identifier = as_csv.columns.identifier = "user.age";
  given.columns.drop = as_csv.columns.drop = {"n"};
  expect_alike(read_jsonl(json, given), read_text(csv, as_csv));
}

// A table at random, each cell as CSV and as a member, the members of each row in another order.
TEST(Jsonl, ATableAtRandomIsTheSameAsInCsvWhateverTheOrderOfMembers) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const Names names = {"a", "b", "o.c", "o.p.d", "e\\u0066", "label"};
    std::string csv = "a,b,o.c,o.p.d,ef,label\n", json;
    for (int i = 0; i < 300; ++i) {
      Names cells = {std::to_string(random() % 1000) + "." + std::to_string(random() % 1000000),
                     "w" + std::to_string(random() % 40),
                     random() % 3 == 0 ? "NULL" : std::to_string(static_cast<int>(random() % 200) - 100),
                     random() % 2 == 0 ? "true" : "x",
                     std::to_string(random()) + "e-" + std::to_string(random() % 30),
                     random() % 2 == 0 ? "p" : "n"};
      Names members;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const bool missing = i > 0 && c != 5 && random() % 6 == 0;
        if (missing) cells[c].clear();
        csv += cells[c] + (c == 5 ? "\n" : ",");
        const bool quoted = c == 1 || c == 5 || (c == 3 && cells[c] == "x") || cells[c] == "NULL" || random() % 5 == 0;
        if (missing && random() % 2 == 0 && i > 40) continue;
        members.push_back("\"" + names[c] + "\" : " + (missing ? "null" : quoted ? "\"" + cells[c] + "\"" : cells[c]));
      }
      // The first row names the columns in their order.
      if (i > 0) std::shuffle(members.begin(), members.end(), random);
      json += "{";
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::string member = members[m];
        if (member.starts_with("\"o.p.d")) member = "\"o\": {\"p\": {\"d" + member.substr(6) + "}}";
        if (member.starts_with("\"o.c")) member = "\"o\": {\"c" + member.substr(4) + "}";
        json += (m == 0 ? "" : ", ") + member;
      }
      json += "}\n";
    }
    const Reading found = read_jsonl(json);
    expect_alike(found, read_text(csv));
    EXPECT_EQ(found.schema.columns[2].kind, Column::Kind::numeric) << "NULL means a missing value there";
  }
}

// What is wrong in all lines is repaired by a command, and no advice leaves out every member.
TEST(Jsonl, AHintRepairsAllLines) {
  const std::pair<std::string, std::string> cases[] = {
      {"{\"t\":[1,2],\"label\":[0]}", "jq -r '[.. | scalars] | @csv' FILE"},
      {"{\"t\":[{\"a\":1}],\"u\":[0]}", "jq -c '.t[]' FILE"},
      {"{\"t\":[1],\"label\":\"n\"}", option("drop", "t") + " leaves it out"},
      {"{\"a\":NaN,\"label\":\"n\"}", "s/([:,[] *)-?(NaN|nan|None|Infinity)\\b/\\1null/g"},
      {"{\"a\":1,\"label\":\"n\",}", "s/, *([]}])/\\1/g"},
      {"{\"a\":1,\"label\":\"n\"} # first", "s:[}] *(//|/[*]|#)[^}]*$:}:"},
      {"// first", "\\:^ *(//|/[*]|#):d"}};
  for (const auto& [line, way] : cases) {
    ReadOptions options{.format = DataFormat::jsonl};
    const Reading outcome = read_text("{\"a\":1,\"label\":\"n\"}\n" + line + "\n{\"a\":2,\"label\":\"p\"}\n", options);
    EXPECT_TRUE(has(outcome.error.hint(), way)) << line;
  }
}

const std::string good_lines = "{\"a\":1,\"b\":\"x\",\"label\":\"n\"}\n{\"a\":2,\"b\":\"y\",\"label\":\"p\"}\n";

const std::vector<RowFlaw> jsonl_flaws = {
    {"[1,2]", 1, "an array, where a row is an object"},
    {"12", 1, "an object is expected here"},
    {"{\"a\":1", 1, "the object that opens here is not closed on its line"},
    {"{\"a\":{\"b\":1}", 1, "the object that opens here is not closed on its line"},
    {"{\"a\":{\"b\":1", 6, "the object that opens here is not closed on its line"},
    {"{\"a\":1}}", 8, "text after the object"},
    {"{\"a\":1} {\"a\":2}", 9, "text after the object"},
    {"{\"a\":1},", 8, "text after the object"},
    {"{\"a\":1 \"b\":2}", 8, "a comma or } is expected here"},
    {"{\"a\":1,}", 8, "a name in double quotes is expected here"},
    {"{a:1}", 2, "a name in double quotes is expected here"},
    {"{\"a\" 1}", 6, "a ':' is expected here, after the name"},
    {"{\"a\":}", 6, "a value is expected here"},
    {"{\"a\":NaN}", 6, "'NaN' is no value of JSON"},
    {"{\"a\":-Infinity}", 6, "'-Infinity' is no value of JSON"},
    {"{\"a\":True}", 6, "'True' is no value of JSON"},
    {"{\"a\":01}", 6, "'01' is no value of JSON"},
    {"{\"a\":1.}", 6, "'1.' is no value of JSON"},
    {"{\"a\":.5}", 6, "'.5' is no value of JSON"},
    {"{\"a\":-}", 6, "'-' is no value of JSON"},
    {"{\"a\":1e}", 6, "'1e' is no value of JSON"},
    {"{\"a\":+1}", 6, "'+1' is no value of JSON"},
    {"{\"a\":0x10}", 6, "'0x10' is no value of JSON"},
    {"{\"a\":1e400,\"label\":\"n\"}", 6, "'1e400' in the member 'a' is too large for a double"},
    {"{\"a\":\"z\",\"label\":\"n\"}", 7, "'z' in the member 'a' is not a number"},
    {"{\"a\":true,\"label\":\"n\"}", 6, "'true' in the member 'a' is not a number"},
    {"{\"a\":\"inf\",\"label\":\"n\"}", 7, "'inf' in the member 'a' is not finite"},
    {"{\"b\":\"x", 6, "the quote that opens here is not closed on its line"},
    {"{\"b\":\"\\x\",\"label\":\"n\"}", 7, "'\\x' stands for no character that a text may hold"},
    {"{\"b\":\"\\u12\",\"label\":\"n\"}", 7, "'\\u12\",' stands for no character that a text may hold"},
    {"{\"b\":\"\\u0000\",\"label\":\"n\"}", 7, "'\\u0000' stands for no character that a text may hold"},
    {"{\"b\":\"\\ud800\",\"label\":\"n\"}", 7, "'\\ud800' stands for no character that a text may hold"},
    {"{\"b\":\"\\udc00\",\"label\":\"n\"}", 7, "'\\udc00' stands for no character that a text may hold"},
    {"{\"b\":\"\\ud800\\u0041\",\"label\":\"n\"}", 7, "'\\ud800\\u0041' stands for no character that a text may hold"},
    {"{\"\\q\":1,\"label\":\"n\"}", 3, "'\\q' stands for no character that a text may hold"},
    {"{\"b\":\"a\tb\"}", 8, "a control character within a text"},
    {std::string("{\"b\":\"\0\"}", 9), 7, "a NUL byte"},
    {"{\"b\":\"\xff\"}", 7, "invalid UTF-8"},
    {"{\"b\":\"\xed\xa0\x80\"}", 7, "invalid UTF-8"},
    {"{\"a\":[1,2],\"label\":\"n\"}", 6, "the member 'a' is an array, and a column has one value a row"},
    {"{\"c\":{\"d\":[]},\"label\":\"n\"}", 11, "the member 'c.d' is an array, and a column has one value a row"},
    {"{\"a\":1,\"a\":1,\"label\":\"n\"}", 8, "the member 'a' is twice in the object"},
    {"{\"a\":1,\"\\u0061\":1,\"label\":\"n\"}", 8, "the member 'a' is twice in the object"},
    {"{\"q\":1,\"q\":\"z\",\"label\":\"n\"}", 8, "the member 'q' is twice in the object"},
    {"{\"q.r\":1,\"q\":{\"r\":1},\"label\":\"n\"}", 15, "the member 'q.r' is twice in the object"},
    {"{\"q=z\":1,\"q\":\"z\",\"label\":\"n\"}", 2, "two members give the feature 'q=z'"},
    {"{\"\":1,\"label\":\"n\"}", 2, "a member without a name"},
    {"{\"a\":1}", 1, "the label 'label' is missing"},
    {"{\"a\":1,\"label\":null}", 1, "the label 'label' is missing"},
    {"{\"a\":1,\"label\":\"NA\"}", 17, "the label 'label' is missing: 'NA' stands for no value"},
    {"{\"a\":1,\"label\":\"q\"}", 17, "'q' is not a label of this data"},
    {"{\"a\":1,\"label\":01}", 16, "'01' is no value of JSON"},
};

TEST(Jsonl, EveryFlawOfARowIsPlacedAndLeavesTheOtherRows) {
  ReadOptions few = jsonl();
  few.inference_rows = 2;
  const Reading sound = read_jsonl(good_lines + good_lines, few);
  for (const RowFlaw& flaw : jsonl_flaws) {
    expect_flaw(flaw, good_lines, good_lines, few,
                [&](const Reading& skipped) { EXPECT_EQ(skipped.schema, sound.schema) << flaw.line; });
  }
}

TEST(Jsonl, ObjectsWithinObjectsHaveADepth) {
  const auto nested = [](int depth) {
    std::string line = "{\"label\":\"n\",";
    for (int i = 0; i < depth; ++i) line += "\"o\":{";
    line += "\"v\":1" + std::string(static_cast<std::size_t>(depth), '}') + "}\n";
    return line;
  };
  EXPECT_EQ(read_jsonl(good_lines + nested(64)).report.rows, 3u);
  for (const int depth : {65, 100'000}) {
    const Reading outcome = read_text(good_lines + nested(depth), jsonl());
    EXPECT_EQ(outcome.error.message(), "objects in objects, more than 64 deep");
  }
}

// A member that is left out, and that of the rows' numbers, may be anything that is JSON.
TEST(Jsonl, WhatIsLeftOutMayBeAnArray) {
  const std::string text =
      "{\"id\":[1,{\"a\":[]}],\"a\":1,\"tags\":{\"x\":[1]},\"label\":0}\n{\"label\":1,\"tags\":[\"}\",\"]\"],\"a\":2}"
      "\n";
  const Reading refused = read_text(text, jsonl());
  EXPECT_EQ(refused.error.message(),
            "no row can be used; the first: the member 'id' is an array, and a column has one value a row");
  EXPECT_EQ(refused.error.line(), 1u);
  EXPECT_EQ(refused.error.column(), 7u);
  ReadOptions options = jsonl();
  options.columns.drop = {"tags", "nowhere"};
  options.columns.identifier = "id";
  Names notes;
  options.on_note = [&](const ReadNote& note) { notes.push_back(note.text); };
  EXPECT_EQ(read_jsonl(text, options).rows, "1 0 0x1p+0 0x1p+0 0:0x1p+0\n2 1 0x1p+0 0x1p+2 0:0x1p+1\n");
  EXPECT_EQ(notes, Names{"none of the first rows has the member 'nowhere'"});
}

TEST(Jsonl, CodesWithLeadingZerosAreNoted) {
  const auto noted = [](const std::string& before, ReadOptions options = jsonl()) {
    std::string text, notes;
    for (int i = 0; i < 20; ++i)
      text +=
          R"({"zip": ")" + before + std::to_string(2139 + i) + R"(", "label": ")" + (i % 2 == 0 ? "a\"}\n" : "b\"}\n");
    options.on_note = [&](const ReadNote& note) { notes += note.text + "; " + note.fix + "\n"; };
    read_jsonl(text, options);
    return notes;
  };
  EXPECT_EQ(noted("0"),
            "whole numbers with leading zeros may be codes, and are read as numbers: '02139' in column 'zip'; " +
                option("categorical", "zip") + " reads codes as categories; " + option("numeric", "zip") +
                " confirms that they are numbers\n");
  EXPECT_EQ(noted(""), "");
  ReadOptions numeric = jsonl();
  numeric.columns.numeric = {"zip"};
  EXPECT_EQ(noted("0", numeric), "");
}

// Rare members and those that come later are no columns: they add to the rows that have them.
TEST(Jsonl, ArraysOfNumbersAreColumnsByACommand) {
  const Reading numbers = read_text("{\"f\":{\"values\":[0.5, -1]},\"label\":\"x\"}\n", jsonl());
  ASSERT_TRUE(numbers.failed);
  EXPECT_TRUE(numbers.error.hint().starts_with(
      "make a column of each value: jq -c '.f.values |= with_entries(.key |= \"x\\(. + 1)\")' FILE"))
      << numbers.error.hint();
  const Reading texts = read_text("{\"f\":{\"values\":[\"a\"]},\"label\":\"x\"}\n", jsonl());
  EXPECT_TRUE(lacks(texts.error.hint(), "with_entries"));
}

TEST(Jsonl, MembersThatAreNoColumnsAddToTheirRows) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{\"a\":1,\"label\":" + std::to_string(i % 2) + "}\n";
  text += "{\"z\":\"red\",\"late\":{\"x\":2},\"label\":1}\n{\"late.x\":3,\"b\":null,\"label\":0,\"c\":\"NA\"}\n";
  text += "{\"z\":\"bl\\u0075e\",\"a\":4,\"label\":0,\"late\":{\"x\":\"q\"}}\n";
  for (const std::uint64_t looked_at : {40u, 100u}) {
    ReadOptions options = jsonl();
    options.inference_rows = looked_at;
    const Reading outcome = read_jsonl(text, options);
    ASSERT_EQ(outcome.schema.columns.size(), 3u);
    EXPECT_EQ(outcome.schema.columns[2].name, "");
    EXPECT_EQ(outcome.schema.feature_names(), (Names{"a", "a=?", "late.x", "z=red", "late.x=q", "z=blue"}));
    EXPECT_TRUE(
        outcome.rows.ends_with("41 1 0x1p+0 0x1.8p+2 1:0x1p+0 2:0x1p+1 3:0x1p+0\n"
                               "42 0 0x1p+0 0x1.4p+3 1:0x1p+0 2:0x1.8p+1\n"
                               "43 0 0x1p+0 0x1.2p+4 0:0x1p+2 4:0x1p+0 5:0x1p+0\n"))
        << outcome.rows;
    Schema trimmed = outcome.schema;
    trimmed.trim(2);
    EXPECT_EQ(trimmed.columns.size(), 2u);

    ReadOptions known = jsonl();
    known.schema = &outcome.schema;
    known.grow = false;
    const Reading again = read_jsonl(text + "{\"a\":1,\"new\":1,\"z\":\"green\",\"label\":1}\n", known);
    EXPECT_TRUE(again.rows.starts_with(outcome.rows)) << again.rows;
    EXPECT_EQ(again.report.unknown_features, 2u);
  }
}

TEST(Jsonl, AModelFindsItsMembersByName) {
  const Schema model = read_jsonl(good_lines).schema;
  ReadOptions options = jsonl();
  options.schema = &model;
  options.grow = false;
  Names notes;
  options.on_note = [&](const ReadNote& note) { notes.push_back(note.text); };
  const Reading outcome =
      read_jsonl("{\"label\":\"p\",\"b\":\"y\"}\n{\"more\":{\"q\":1},\"b\":\"z\",\"label\":\"n\"}\n", options);
  EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+0 2:0x1p+0\n2 0 0x1p+0 0x0p+0\n");
  EXPECT_EQ(outcome.report.unknown_features, 4u);  // a=? twice, more.q, b=z
  EXPECT_EQ(notes, (Names{"no value in the first rows of 'a', from which the model was learned",
                          "ignored 1 member the model does not know: 'more.q'"}));
  const Reading strange = read_text("{\"x\":1,\"label\":\"n\"}\n", options);
  EXPECT_EQ(strange.error.message(), "the rows have none of the members the model was learned from: 'a', 'b'");
  options.labels.ignore = true;
  EXPECT_EQ(read_jsonl("{\"a\":1,\"label\":[]}\n{\"a\":1}\n", options).report.rows, 2u);
}

TEST(Jsonl, TheLabelIsNamedOrSaid) {
  const std::string text = "{\"out\":true,\"x\":1}\n{\"out\":false,\"x\":2}\n";
  const Reading refused = read_text(text, jsonl());
  EXPECT_EQ(refused.error.kind(), ErrorKind::data);
  EXPECT_EQ(refused.error.message(), "no member is named label, class, target or y: which is the label?");
  EXPECT_EQ(read_text("{}\n{}\n", jsonl()).error.message(), refused.error.message());
  EXPECT_EQ(read_text("\n \n", jsonl()).error.message(), "no data rows");
  ReadOptions options = jsonl();
  options.columns.label = "out";
  EXPECT_EQ(read_jsonl(text, options).schema.labels.names, (Names{"false", "true"}));
  EXPECT_EQ(read_jsonl("{\"Target\":1,\"x\":1}\n{\"Target\":-1.0,\"x\":2}\n").schema.labels.names, (Names{"-1", "1"}));
  options.columns.weight = "x";
  EXPECT_EQ(read_jsonl(text, options).rows, "1 1 0x1p+0 0x0p+0\n2 0 0x1p+1 0x0p+0\n");
  const Reading negative = read_text(text + "{\"out\":true,\"x\":-1}\n{\"out\":true}\n", options);
  EXPECT_EQ(negative.error.message(), "'-1' in the member 'x' is not a weight");
  EXPECT_EQ(read_text(text + "{\"out\":true}\n", options).error.message(), "the weight 'x' is missing");
}

std::string jsonl_sample() {
  std::mt19937_64 random(5);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    const std::string a = std::to_string(random() % 100) + ".5", b = random() % 2 == 0 ? "x" : "\\u0079";
    const std::string label = random() % 2 == 0 ? "n" : "p",
                      z = "w" + std::to_string(random() % (1 + static_cast<unsigned>(i) / 2));
    switch (random() % 4) {
      case 0:
        text += "{\"a\":" + a + ",\"b\":\"" + b + "\",\"label\":\"" + label + "\",\"z\":\"" + z + "\"}";
        break;
      case 1:
        text += "{\"z\":\"" + z + " q\", \"m" + std::to_string(random() % 50) + "\": {\"v\": " + a + "}, \"label\":\"" +
                label + "\"}";
        break;
      case 2:
        text += "{\"label\":\"" + label + "\",\"a\":" + (random() % 9 == 0 ? "[]" : a) + "}";
        break;
      default:
        text += "{\"label\":\"" + label + "\",\"" + z + "\":\"" + b + "\"}";
    }
    text += random() % 3 == 0 ? "\r\n" : "\n";
    if (random() % 20 == 0) text += " \n\n";
  }
  return text;
}

TEST(Jsonl, NothingDependsOnThreadsBlocksOrCompression) {
  const std::string text = jsonl_sample();
  ReadOptions options = jsonl();
  options.on_error = OnError::skip;
  options.inference_rows = 50;
  const Reading outcome = expect_read_alike_however_cut(text, gzip(text), options);
  EXPECT_GT(outcome.report.rejected, 10u);
  EXPECT_GT(outcome.schema.features, 200u);
}

// A line is read by comparing it with those of its block before it, or, where it is alone in its block, by simdjson: it
// says the same. Lines of a few forms, with values of every kind, and some of their bytes changed.
TEST(Jsonl, ALineSaysTheSameWhateverStoodBeforeIt) {
  const Names values =
      cut("1~-0.5~0~-0~01~-01~+1~1.~.5~-.5~-~1e5~1E-7~1e400~1.e1~0.10~00.1~1.2.3~1 ~ 1~NaN~null~true~false~nul~"
          "True~~12345678901234567890~0.12345678901234567~[1]~{}~1,2~\"x\"~\"\"~\"1\"~\"NA\"~\"a b\"~\"-\"~"
          "\"\\u0041\"~\"a\\\"b\"~\"\t\"~\"\xff\"~\"\xc3\xb6\"~\"\xc3\"~\"a:b,c}\"~1}~1:2~-999",
          "~");
  const std::vector<Names> forms = {
      {"{\"a\":", ",\"b\":", ",\"long name, longer than sixteen bytes\":", ",\"label\":", "}"},
      {"{\"a\": ", ", \"o\": {\"p\": ", ", \"q\": ", "}, \"label\": ", "}\r"},
      {" { \"label\" : ", " , \"b\" : ", " ,\"w\":", ",\"a\":", " } "},
      {"{\"left\":", ",\"a\":", ",\"\\u0062\":", ",\"label\":", "}"},
      {"{\"a\":", ",\"z\":", ",\"c\":", ",\"label\":", "}"}};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    const auto number = [&] {
      std::string digits = std::to_string(static_cast<double>(random() % 2'000'001) / 1e4 - 100);
      digits.resize(digits.size() - any(5));
      return digits;
    };
    std::string text;
    for (int i = 0; i < 4; ++i) {
      text += "{\"a\":1.5,\"b\":\"x\",\"o\":{\"p\":2,\"q\":\"y\"},\"w\":1,\"left\":0,\"c\":3,\"label\":\"" +
              std::string(i % 2 == 0 ? "n" : "p") + "\",\"long name, longer than sixteen bytes\":4}\n";
    }
    std::size_t form = 0;
    for (int i = 0; i < 150; ++i) {
      if (any(12) == 0) form = any(forms.size());
      std::string line;
      for (const std::string& part : forms[form]) {
        line += part;
        if (&part == &forms[form].back()) break;
        if (any(25) == 0) {
          line += values[any(values.size())];
        } else if (part.find("label") != std::string::npos) {
          line += any(2) == 0 ? "\"n\"" : "\"p\"";
        } else if (part.find("\"b\"") != std::string::npos || part.find("q") != std::string::npos) {
          line += any(3) == 0 ? "null" : "\"t" + std::to_string(any(9)) + "\"";
        } else {
          line += any(60) == 0 ? std::string(90, '7') : number();
        }
      }
      if (any(25) == 0) line[any(line.size())] = static_cast<char>(random());
      if (any(40) == 0) line.insert(any(line.size()), 1, "{}[]\",:\\0 \t"[any(12)]);
      if (any(40) == 0) line.erase(any(line.size()), 1);
      if (any(60) == 0) line.insert(0, 1, "x "[any(2)]);
      if (any(30) == 0) line += Names{"=", "x", "}", " ", ",,", " {}", "\\", "\""}[any(8)];
      text += line + "\n";
    }
    if (any(2) == 0) text.pop_back();
    ReadOptions options = jsonl();
    options.inference_rows = 4;
    options.columns.label = "label";
    if (seed % 2 == 0) options.columns.drop = {"left"};
    if (seed % 6 == 0) options.columns.weight = "w";
    if (seed % 5 == 0) options.table.missing_only = Names{"x", "-999"};
    if (seed % 7 == 0) options.line_limit = text.find('\n') + 1;
    if (seed % 7 == 0) options.on_error = OnError::skip;
    options.columns.keep = {"b"};
    expect_account_whatever_the_blocks(text, options, seed);
  }
}

// Any byte changed or the end cut off: rows, or an error with its place.
TEST(Jsonl, DamageIsNamedAndLeavesTheOtherRows) {
  const std::string text = jsonl_sample().substr(0, 3000);
  std::mt19937_64 random(7);
  for (int i = 0; i < 600; ++i) {
    std::string damaged = text;
    if (i % 3 == 0) damaged.resize(random() % damaged.size());
    if (i % 3 == 1) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (i % 3 == 2) damaged.insert(random() % damaged.size(), 1, "{}[]\",:\\0\n"[random() % 10]);
    ReadOptions options = jsonl();
    const Reading stopped = read_text(damaged, options);
    if (stopped.failed && stopped.error.line() != 0) {
      EXPECT_GT(stopped.error.column(), 0u);
      EXPECT_NE(stopped.error.message(), "this is no object as JSON has them") << stopped.error.text();
    }
    options.on_error = OnError::skip;
    options.block_bytes = 64;
    const Reading skipped = read_text(damaged, options);
    EXPECT_TRUE(stopped.failed || skipped.rows == stopped.rows);
    EXPECT_TRUE(skipped.failed || skipped.rows.starts_with(stopped.rows));
  }
}

TEST(Jsonl, KeepsTheTextsOfMembers) {
  const Schema model = read_jsonl(good_lines).schema;
  ReadOptions options = jsonl();
  options.schema = &model;
  options.labels.ignore = true;
  options.on_error = OnError::skip;
  options.columns.keep = {"b", "o.i"};
  std::string kept;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) {
      kept += std::to_string(row.row) + (row.reason.empty() ? ":" : "!");
      for (const std::string_view text : row.kept) kept += std::string(text) + "|";
    }
  };
  read_jsonl(
      "{\"a\":1,\"b\":\"\\u0078\",\"o\":{\"i\":07}}\n{\"o\":{\"i\":1.50},\"a\":1}\n{\"a\":\"z\",\"b\":\"q\"}\n{\"b\":"
      "\"y\"",
      options);
  EXPECT_EQ(kept, "1:x||2:|1.50|3!q||4!||");
}

TEST(Jsonl, IsRecognisedByItsFirstObject) {
  using stream::recognise_foreign;
  using stream::recognise_text;
  for (const char* text : {"{\"a\":1}\n", "\n  { \"a\" : 1}\n", "{}\n", "\xef\xbb\xbf{\"a\":1", "{\t}"}) {
    EXPECT_EQ(recognise_text(text), DataFormat::jsonl) << text;
    EXPECT_FALSE(recognise_foreign(text)) << text;
  }
  for (const char* text : {"{a,b}\n1,2\n", "{1 2}\n", "x,{\"a\":1}\n"}) {
    EXPECT_NE(recognise_text(text), DataFormat::jsonl) << text;
  }
  for (const char* text : {"[{\"a\":1}]", "[\n{\"a\":1}\n]", "[ {\"a\":1},\n", "{\n\"a\":1\n}", "[1,2]\n[3,4]\n"}) {
    const auto foreign = recognise_foreign(text);
    ASSERT_TRUE(foreign) << text;
    EXPECT_TRUE(has(foreign->fix, "jq"));
  }
}

}  // namespace
}  // namespace halfspace
